package interest

import (
	"fmt"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/fixed"
)

// Config is the mechanism and its parameters.
type Config struct {
	area.Config

	// Interest is what a user is sent: what is in sight of any of the user's objects, or the whole map.
	Interest string `param:"interest" default:"multiple" options:"single|multiple" help:"users are sent the whole map, or what is in sight of any of their objects"`

	// Proxy has servers know everything. It costs what that takes.
	Proxy bool `param:"proxy" default:"false" help:"each server also sends all states that it simulates to all other servers"`

	// Bands is how servers tell each other what is near their borders.
	Bands string `param:"bands" default:"delta" options:"full|delta|compressed" help:"servers tell each other all that is near their borders each tick, what has changed, or that compressed"`

	// Interval spreads clients over several ticks. What has changed meanwhile is sent as it is then.
	Interval int `param:"interval" default:"1" range:"1..1000" unit:"ticks" help:"each client is sent what has changed once in so many ticks"`

	// Updates says what is sent: what has changed, or all that is in sight each tick, changed or not, as the source counts.
	Updates string `param:"updates" default:"changed" options:"every|changed" help:"clients are sent all that they see each time, or what has changed"`

	// Others is as with a central server. With an update every tick that loses nothing, what is not sent has not changed.
	Others      string  `param:"others" default:"latest" options:"interpolate|reckon|latest" help:"objects move between what has arrived, go on as the rules guess, or stay as they were last heard of"`
	RenderDelay fixed.F `param:"render-delay" default:"1" range:"0..100" unit:"updates" help:"interpolated objects are shown this much behind the last update"`

	Datagram int        `param:"datagram" default:"1200B" range:"400B..60000B" unit:"B" help:"the largest datagram sent"`
	Actions  int        `param:"actions" default:"10" range:"1..1000" help:"actions that a user may take per tick and server; more are dropped"`
	Receipt  world.Time `param:"receipt" default:"100ms" range:"0s..1s" help:"clients acknowledge updates after this time at the latest, several at once"`
	Resend   world.Time `param:"resend" default:"250ms" range:"1ms..60s" help:"what is not acknowledged after this time is sent again"`
	Timeout  world.Time `param:"timeout" default:"10s" range:"100ms..1h" help:"a client not heard of for this long has left, as has a server; a quarter of it is the longest silence"`

	Overload pace.Config `param:"overload"`
}

var _ mechanism.Admitting = (*Config)(nil)

// The settings that are words.
const (
	Single   = "single"
	Multiple = "multiple"
	Every    = "every"
	Changed  = "changed"
)

func (c *Config) servers() area.Servers { return area.Servers{First: 1, Count: c.Len()} }

// streams reports whether all clients are told the same: where they are interested in everything and the world has no
// secrets from any of them.
func (c *Config) streams(w world.World) bool {
	_, veiled := w.(world.Veiled)
	return c.Interest == Single && !veiled
}

// home is the area whose server lets a user into the world.
func (c *Config) home(u world.User) int { return int(u) % c.Len() }

func (c *Config) times() input.Times {
	return input.Times{Resend: c.Resend, Timeout: c.Timeout, Receipt: c.Receipt}
}

// interval is the time between two updates to a client.
func (c *Config) interval(tick world.Time) world.Time { return world.Time(c.Interval) * tick }

// link is the configuration of links between servers, and from servers to clients.
func (c *Config) link() link.Config { return link.Config{Timeout: c.Resend + c.Receipt} }

// Places puts the servers first, in the order of their areas, and then a client for each user.
func (c *Config) Places(w world.World) []mechanism.Place {
	return c.seats(w).Places("client", membership.Servers{Role: "server", Count: c.Len()})
}

// Admit returns the place of a user, whether in the session from the start or later.
func (c *Config) Admit(u world.User) mechanism.Place {
	return c.seats(nil).Place(u, "client")
}

// seats says who sits where.
func (c *Config) seats(w world.World) membership.Seats {
	return membership.Seats{World: w, Servers: mechanism.NodeID(c.Len())}
}

// NewNode builds a server, or a client: one of the session's, or one that joins later.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if err := update.CheckRoom(s.World.Schema(), input.HeaderMax, c.Datagram); err != nil {
		return nil, err
	}
	if at, ok := c.servers().Area(p.ID); ok {
		if s.Late {
			return nil, fmt.Errorf("node %d: what an area's server had is lost with it; another cannot take its place", p.ID)
		}
		if mechanism.ClientsOnly {
			return nil, mechanism.ErrClientsOnly
		}
		return newServer(c, s, at), nil
	}
	if p.User == 0 {
		return nil, fmt.Errorf("node %d: a client needs a user", p.ID)
	}
	return newClient(c, s, p), nil
}
