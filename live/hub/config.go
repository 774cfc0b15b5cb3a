package hub

import (
	"time"

	"throng/live/driver"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// Config is a live world and how it is kept.
type Config struct {
	Description session.Description

	Clock    driver.Clock  // the world's time; nil for a world that begins now
	Grace    time.Duration // how long a seat is kept for somebody who is away; 0 for DefaultGrace
	SeatsMax int           // how many people may sit here; 0 for DefaultSeatsMax

	Servers driver.Limits // of a server's mailbox; zero for DefaultServers
	Players driver.Limits // of an artificial player's mailbox; zero for driver.DefaultLimits

	// For a world in several processes. Local says which of the places that the run begins with are held here; nil for
	// all. Fallback takes what is for nodes elsewhere; nil if there are none. Present is told, one at a time, of nodes that
	// can be reached here from now on, or no more; it must not call the hub. Users who are admitted here have the numbers
	// FirstUser, FirstUser+UserStep and so on up to LastUser, by default all those beyond the world's own.
	Local     func(p mechanism.Place) bool
	Fallback  driver.Router
	Present   func(id mechanism.NodeID, here bool)
	FirstUser world.User
	LastUser  world.User
	UserStep  world.User

	// Elsewhere calls a function with a server's node that this process can look at though it does not run here, and reports
	// whether there is one. It may be nil.
	Elsewhere func(id mechanism.NodeID, f func(n mechanism.Node)) bool

	// Load is how servers keep up that run elsewhere, as far as that is known here. It may be nil.
	Load *Load

	// Panicked is told of calls that a node did not survive unharmed, and what became of it: see Failure. It may be nil.
	Panicked func(f Failure)

	// Joined is told of people who have come in, Left of those who had and whose seats have ended. Both must neither block nor call the
	// hub, and may be nil.
	Joined func(s *Seat)
	Left   func(s *Seat)

	// Event is told what nodes report, Acted what artificial players do, Woken of wake-ups; see driver.Config. All are called
	// from the nodes' goroutines, all at once.
	Acted func(p mechanism.Place, a *world.Action)
	Event func(p mechanism.Place, e mechanism.Event)
	Woken func(p mechanism.Place, late, took world.Time)
}

// Defaults of a configuration.
const (
	DefaultGrace    = 20 * time.Second
	DefaultSeatsMax = 15_000
)

// DefaultServers are the limits of a server's mailbox: what ten thousand users send in half a second.
var DefaultServers = driver.Limits{Datagrams: 1 << 16, Bytes: 8 << 20}

// complete fills in the defaults.
func (c *Config) complete(w world.World) {
	if c.Clock == nil {
		c.Clock = driver.Since(time.Now())
	}
	if c.Grace == 0 {
		c.Grace = DefaultGrace
	}
	if c.SeatsMax == 0 {
		c.SeatsMax = DefaultSeatsMax
	}
	if c.Servers == (driver.Limits{}) {
		c.Servers = DefaultServers
	}
	if c.Players == (driver.Limits{}) {
		c.Players = driver.DefaultLimits
	}
	if c.FirstUser == 0 {
		c.FirstUser = w.Users() + 1
	}
	if c.LastUser == 0 {
		c.LastUser = NodesMax
	}
	if c.UserStep == 0 {
		c.UserStep = 1
	}
}
