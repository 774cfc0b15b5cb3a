package lockstep

import (
	"fmt"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/fixed"
)

// Config says how a world is shared in lockstep.
type Config struct {
	star.Layout

	Link link.Config `param:"link" default:"receipts=100ms"`

	Turn  world.Time `param:"turn" default:"100ms" range:"1ms..10s" help:"how long a turn takes, rounded up to whole ticks"`
	Delay int        `param:"delay" default:"2" range:"1..100" unit:"turns" help:"actions take effect this many turns after the one they were taken in"`

	// Dynamic has delays follow the round trips that clients measure: each waits as long as its own asks for, but by no more
	// than Fairness shorter than the longest. Until they are known, and where it is off, the delay is Delay.
	Dynamic  bool `param:"dynamic" default:"false" help:"delays follow the measured round trips"`
	Fairness int  `param:"fairness" default:"0" range:"0..100" unit:"turns" help:"how much shorter than the longest a dynamic delay may be"`

	Check    int        `param:"check" default:"1" range:"0..1000" unit:"turns" help:"replicas are compared every so many turns; 0 never compares them"`
	Patience world.Time `param:"patience" default:"3s" range:"100ms..1h" help:"a client that keeps all others waiting for this long is not waited for any more"`
	Stalling fixed.F    `param:"stalling" default:"0.25" range:"0..1" help:"patience that waiting for clients has used up comes back at this share of the time"`
	Actions  int        `param:"actions" default:"64" range:"1..1000" help:"actions that a user may take per turn; more are dropped"`
}

var (
	_ mechanism.Admitting  = (*Config)(nil)
	_ mechanism.Converging = (*Config)(nil)
	_ mechanism.Playable   = (*Config)(nil)
)

// Play has delays follow the round trips that there are: with one that is shorter than somebody's round trip everybody falls behind, without
// end.
func (c *Config) Play() { c.Dynamic = true }

// delayMax is the longest delay in turns, given or measured.
const delayMax = 100

// NewNode implements mechanism.Mechanism.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	switch {
	case p.ID == star.Server:
		if mechanism.ClientsOnly {
			return nil, mechanism.ErrClientsOnly
		}
		return newServer(c, s), nil
	case p.User == 0 || p.ID != star.NodeOf(p.User):
		return nil, fmt.Errorf("node %d cannot be a client of user %d", p.ID, p.User)
	}
	return newClient(c, s, p), nil
}

// Converges implements mechanism.Converging. Replicas are equal at equal ticks, always. That all are at the same tick can be
// promised only where the delay hides the way to the server and back; elsewhere the time is zero, for no promise.
func (c *Config) Converges(delayMax world.Time) world.Time {
	way := 2 * (delayMax + c.Link.Batching + c.Link.ReceptionDelay)
	if c.Dynamic || way > world.Time(c.Delay-1)*c.Turn {
		return 0
	}
	const repeats = 8
	return way + c.Link.Repeats(repeats) + slack*hurryDivisor + c.Patience
}

// due reports whether replicas are compared at the beginning of a turn.
func (c *Config) due(n turn.Number) bool { return c.Check > 0 && n%turn.Number(c.Check) == 0 }
