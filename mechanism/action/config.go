package action

import (
	"errors"
	"fmt"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/fixed"
)

// Config is the mechanism and its parameters.
type Config struct {
	star.Layout

	// Protocol says how much the server knows of what actions mean; each adds one idea to the one before.
	Protocol string `param:"protocol" default:"information-bound" options:"basic|incomplete|first-bound|information-bound" help:"every client carries out all actions, those that its own depend on, also those near it before they are asked for, and without chains that reach far"`

	// Completion says who tells the server what has become of an action: the client whose user took it, or every client that
	// carried it out. The latter costs a message each and saves a round trip when a client fails.
	Completion string `param:"completion" default:"owner" options:"owner|all" help:"who tells the server what an action has done: its user's client, or everybody who carries it out"`

	// RTT is the round trip that bounds reckon with, and Omega the share of it that the server lets pass between two pushes
	// to a client: actions are answered within 1+omega round trips.
	RTT   world.Time `param:"rtt" default:"250ms" range:"1ms..10s" help:"the round trip that is reckoned with"`
	Omega fixed.F    `param:"omega" default:"0.5" range:"0.01..1" help:"share of a round trip that passes between two pushes to a client"`

	// Threshold is how far from an action those may be that it depends on, under the information bound.
	Threshold fixed.F `param:"threshold" default:"0" range:"0..1000000000" help:"distance beyond which an action must not depend on another; 0 is one and a half times sight"`
	Beyond    string  `param:"beyond" default:"drop" options:"drop|delay" help:"an action that depends on one beyond the threshold is dropped, or waits until it no longer does"`

	Elimination bool `param:"elimination" default:"true" help:"actions that a user does not care for are not pushed to it"`
	Culling     bool `param:"culling" default:"false" help:"whom an action concerns is judged by where it is heading instead of how far it reaches"`

	// Stride is how many ticks pass at once for what moves by itself.
	Stride int `param:"stride" default:"1" range:"1..100" unit:"ticks" help:"ticks that one entry lets pass for the objects that a user answers for"`

	Look     world.Time  `param:"look" default:"1s" range:"50ms..1m" help:"how often a client makes sure of what its user sees"`
	Patience world.Time  `param:"patience" default:"10s" range:"200ms..1h" help:"who is not heard of for this long has failed"`
	Link     link.Config `param:"link"`
}

// The settings that are words.
const (
	Basic            = "basic"
	Incomplete       = "incomplete"
	FirstBound       = "first-bound"
	InformationBound = "information-bound"
	Owner            = "owner"
	All              = "all"
	Drop             = "drop"
	Delay            = "delay"
)

// Default returns the mechanism as it is usually run.
func Default() Config {
	return Config{
		Protocol: InformationBound, Completion: Owner, RTT: 250 * world.Millisecond, Omega: fixed.One / 2, Beyond: Drop,
		Elimination: true, Stride: 1, Look: world.Second, Patience: 10 * world.Second, Link: link.Default(),
	}
}

// Validate finds what is wrong with the parameters.
func (c *Config) Validate() error {
	switch c.Protocol {
	case Basic, Incomplete, FirstBound, InformationBound:
	default:
		return fmt.Errorf("protocol: %q is none of %q, %q, %q and %q", c.Protocol, Basic, Incomplete, FirstBound, InformationBound)
	}
	switch {
	case c.Completion != Owner && c.Completion != All:
		return fmt.Errorf("completion: %q is neither %q nor %q", c.Completion, Owner, All)
	case c.Beyond != Drop && c.Beyond != Delay:
		return fmt.Errorf("beyond: %q is neither %q nor %q", c.Beyond, Drop, Delay)
	case c.RTT <= 0 || c.Omega <= 0 || c.Omega > fixed.One:
		return errors.New("rtt must take time, and omega must be a share of it")
	case c.Threshold < 0:
		return errors.New("threshold must not be negative")
	case c.Stride < 1 || c.Stride > stepsMax:
		return fmt.Errorf("stride: an entry lets 1 to %d ticks pass", stepsMax)
	case c.Look <= 0 || c.Patience < 2*c.Look:
		return errors.New("look must take time, and patience at least twice as much")
	}
	if err := c.Link.Validate(); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	return nil
}

// Serial promises that what nodes hold for certain follows from the server's order.
func (c *Config) Serial() {}

// NewNode builds the server, or a client: one of the session's, or one that joins later.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	switch {
	case p.ID == star.Server:
		if mechanism.ClientsOnly {
			return nil, mechanism.ErrClientsOnly
		}
		return newServer(c, s), nil
	case p.User == 0:
		return nil, fmt.Errorf("node %d: a client needs a user", p.ID)
	}
	return newClient(c, s, p), nil
}
