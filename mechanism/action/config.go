package action

import (
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

	Culling bool `param:"culling" default:"false" help:"whom an action concerns is judged by where it is heading instead of how far it reaches"`

	// Stride is how many ticks pass at once for what moves by itself.
	Stride int `param:"stride" default:"1" range:"1..100" unit:"ticks" help:"ticks that one entry lets pass for the objects that a user answers for"`

	// Audit is the share of the entries that the server carries out itself, to see whether clients lie about what came of them.
	// With zero it is as in the source: the server knows no rules, and believes its clients what their actions touch and do.
	Audit fixed.F `param:"audit" default:"0.1" range:"0..1" help:"share of actions that the server carries out as well, to find out who lies; 0 has it believe everybody, and know no rules"`

	Look     world.Time  `param:"look" default:"1s" range:"50ms..1m" help:"how often a client makes sure of what its user sees"`
	Patience world.Time  `param:"patience" default:"10s" range:"200ms..1h" help:"who is not heard of for this long has failed"`
	Link     link.Config `param:"link"`
}

var (
	_ mechanism.Admitting = (*Config)(nil)
	_ mechanism.Serial    = (*Config)(nil)
)

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

// Validate finds parameters that do not go together.
func (c *Config) Validate() error {
	if c.Patience < 2*c.Look {
		return fmt.Errorf("patience: %v is less than twice the %v between two looks", c.Patience, c.Look)
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
