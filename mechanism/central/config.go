package central

import (
	"fmt"

	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/interpolation"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/update"
	"throng/mechanism/parts/viewer"
	"throng/world"
	"throng/world/fixed"
)

// Config is the mechanism and its parameters.
type Config struct {
	star.Layout

	// Execute says when the server carries out an action: as it arrives, or with all others just before the next tick. The
	// latter costs half a tick of delay on average and makes the order of arrival within a tick matter less.
	Execute string `param:"execute" default:"at-once" options:"at-once|tick" help:"the server carries actions out as they arrive, or at the next tick"`

	// Rate is how often each client is sent an update. More often than once a tick shows others' actions sooner where they
	// are carried out at once.
	Rate int `param:"rate" default:"0" range:"0..1000" unit:"1/s" help:"updates to each client; 0 sends one each tick"`

	// Slots spreads clients over the time between two updates. With one slot all are served at once, right after the tick;
	// with more, load is even, an action waits less long to be seen by some, and what is written for a few clients is still at
	// hand when it is sent. Each slot costs the server a look at what has changed, which many clients are worth sooner than few.
	Slots int `param:"slots" default:"0" range:"0..1000" help:"groups of clients that are served one after the other between two updates; 0 for 10, or with more than 250 clients about one for every 25, of half a millisecond at least"`

	// Budget is what may be sent to each client in a second, and Datagram what at a time; neither counts the network's own
	// headers. In any second the budget is exceeded by one datagram at most.
	Budget   int `param:"budget" default:"0B" range:"0B..500MB" unit:"B" help:"sent to each client per second, the most important first; 0 sets no limit"`
	Datagram int `param:"datagram" default:"1200B" range:"200B..60000B" unit:"B" help:"the largest datagram sent"`

	// Margin is the slack at the edge of sight, as a share of it: what has come within sight stays until it is farther away
	// by this much. Look is how many objects are looked at on average to keep a client's interest up to date: who sees
	// more is brought up to date less often, so that a crowd does not cost the square of its number.
	Margin fixed.F `param:"margin" default:"0.1" range:"0..10" help:"what is in sight stays so until it is farther away by this share of it"`
	Look   int     `param:"look" default:"64" range:"1..1000000" help:"objects looked at per update and client to find what is in sight"`

	// Others says how a client shows what is not its user's between two updates. RenderDelay is in times between two updates.
	Others      string  `param:"others" default:"interpolate" options:"interpolate|reckon|latest" help:"other objects move between what has arrived, go on as the rules guess, or stay as they were last heard of"`
	RenderDelay fixed.F `param:"render-delay" default:"1" range:"0..100" unit:"updates" help:"interpolated objects are shown this much behind the last update"`

	// Predict shows users what they do at once. Reconcile says what happens when that was wrong.
	Predict   bool   `param:"predict" default:"true" help:"own actions show in the own view at once, before the server has carried them out"`
	Reconcile string `param:"reconcile" default:"smooth" options:"smooth|snap" help:"what was predicted wrongly moves to its place over some ticks, or jumps"`

	Actions int        `param:"actions" default:"10" range:"1..1000" help:"actions that a user may take per tick; more are dropped"`
	Clients int        `param:"clients" default:"20000" range:"1..1000000" help:"clients that the server takes; more are refused"`
	Resend  world.Time `param:"resend" default:"250ms" range:"1ms..60s" help:"what is not acknowledged after this time is sent again"`
	Timeout world.Time `param:"timeout" default:"10s" range:"100ms..1h" help:"a client not heard of for this long has left, as has a server; a quarter of it is the longest silence"`

	Overload pace.Config `param:"overload"`
}

var (
	_ mechanism.Admitting  = (*Config)(nil)
	_ mechanism.Lightening = (*Config)(nil)
	_ mechanism.Paced      = (*Config)(nil)
)

// The settings that are words.
const (
	AtOnce      = "at-once"
	AtTick      = "tick"
	Interpolate = interpolation.Interpolate
	Reckon      = interpolation.Reckon
	Latest      = interpolation.Latest
	Smooth      = "smooth"
	Snap        = "snap"
)

// times are how patient both ends are.
func (c *Config) times() input.Times {
	return input.Times{Resend: c.Resend, Backoff: 3, Timeout: c.Timeout}
}

// interval is the time between two updates to a client.
func (c *Config) interval(tick world.Time) world.Time {
	if c.Rate == 0 {
		return tick
	}
	return max(world.Second/world.Time(c.Rate), 1)
}

// server is the ID of the server's node; clients follow in the order of their users.
const server = star.Server

// NewNode builds the server, or a client: one of the session's, or one that joins later.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if err := update.CheckRoom(s.World.Schema(), input.HeaderMax, c.Datagram); err != nil {
		return nil, err
	}
	switch {
	case p.ID == server:
		if mechanism.ClientsOnly {
			return nil, mechanism.ErrClientsOnly
		}
		return newAuthority(c, s), nil
	case p.User == 0:
		return nil, fmt.Errorf("node %d: a client needs a user", p.ID)
	}
	return viewer.New(c.viewer(s.World), s, p), nil
}

// viewer is how clients show things.
func (c *Config) viewer(w world.World) viewer.Config {
	return viewer.Config{
		Times: c.times(), Interval: c.interval(w.Schema().Tick), Others: c.Others, Delay: c.RenderDelay,
		Predict: c.Predict, Smooth: c.Reconcile == Smooth,
		Server: func(uint32) mechanism.NodeID { return server },
	}
}
