package gateway

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"throng/live/account"
	"throng/live/hub"
	"throng/world"
)

// Config is what a gateway works with.
type Config struct {
	Hub       *hub.Hub
	Processes func() []hub.Process    // those that the world's servers run in; nil for this one only
	Seats     Seats                   // those of all gateways; nil if this is the only one
	Accounts  Accounts                // whose clients get in; nil for anybody's
	Operators map[string]http.Handler // what else they can ask for, by the patterns of requests
	Monitor   *Monitor                // the one whose methods the hub calls
	Save      func() (any, error)     // writes the world to where it is kept, and says what it has written; nil where it is not
	Page      http.Handler            // serves everything that is not the gateway's own

	// Room is the name of the world among several of a server; empty for the only one. Beside is the first room's gateway, whose accounts,
	// page, limits and whatever is below hold here too; nil for that one itself, which is told by Rooms of all that there are. Rooms may be nil.
	Room    string
	About   string // in a line, for those who choose
	Variant bool   // it is another room's world under another mechanism, and not listed
	Beside  *Gateway
	Rooms   func() []*Gateway

	// Front is what stands before everything that is served; it may pass requests on to the handler that it is given, or not. It
	// may be nil.
	Front func(h http.Handler) http.Handler

	Log    *slog.Logger // nil for none
	Limits Limits

	Origins     []string // pages from elsewhere that may connect, as "https://example.org", or "*"; the own page always may
	BehindProxy bool     // believe what a proxy says about the client's address (X-Forwarded-For)
	AdminToken  string   // what operators give; without one they come in by their own listener, from this machine

	Direct *Direct // how clients may connect to each other; nil if they may not

	// Certificate is for HTTPS and WebTransport; nil for plain HTTP, and a certificate of our own for WebTransport.
	Certificate Certificate
}

// Accounts knows whose token it is that a client shows. The error is for the client.
type Accounts interface {
	Verify(token string) (account.Account, error)
}

// Limits say how much clients may ask for. What is beyond is refused or dropped, and counted.
type Limits struct {
	Connections        int `param:"connections" default:"15000" range:"1..1000000" help:"connections at a time"`
	ConnectionsPerHost int `param:"connections-per-host" default:"100" range:"1..1000000" help:"connections at a time from one address; operators' are not counted"`
	JoinsPerMinute     int `param:"joins-per-minute" default:"120" range:"1..1000000" help:"seats that may be asked for from one address in a minute; operators' are not counted"`

	Thin int `param:"thin" default:"2000" range:"0..1000000" help:"thin clients at a time, whose nodes run in the server; more are refused"`

	FrameMax           int `param:"frame-max" default:"16KiB" range:"64B..1MiB" unit:"B" help:"size of a frame from a client"`
	FramesPerSecond    int `param:"frames-per-second" default:"200" range:"1..100000" help:"frames from one client; more are dropped"`
	BytesPerSecond     int `param:"bytes-per-second" default:"512KiB" range:"1KiB..1GiB" unit:"B" help:"bytes from one client; more are dropped"`
	DatagramsPerSecond int `param:"datagrams-per-second" default:"0" range:"0..1000000" help:"datagrams from one client; more are dropped; 0 for what the mechanism's nodes can have to say"`

	Queue     int        `param:"queue" default:"256KiB" range:"4KiB..64MiB" unit:"B" help:"bytes that may wait for a client; more are dropped"`
	Patience  world.Time `param:"patience" default:"10s" range:"100ms..5m" help:"how long a client may take for what waits before it is shown out"`
	Handshake world.Time `param:"handshake" default:"5s" range:"100ms..1m" help:"how long a client may take to say who it is"`
	Silence   world.Time `param:"silence" default:"30s" range:"2s..10m" help:"how long nothing need be heard of a client before it is taken to be gone"`
}

func (c *Config) check() error {
	if first := c.Beside; first != nil {
		f := &first.config
		c.Accounts, c.Page, c.Limits, c.Origins = f.Accounts, f.Page, f.Limits, f.Origins
		c.BehindProxy, c.AdminToken, c.Certificate, c.Direct = f.BehindProxy, f.AdminToken, f.Certificate, f.Direct
	}
	switch {
	case c.Hub == nil || c.Monitor == nil:
		return errors.New("gateway: needs a hub and a monitor")
	case c.Limits.Connections < 1 || c.Limits.FrameMax < 1 || c.Limits.Queue < 1:
		return errors.New("gateway: limits must be positive")
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Page == nil {
		c.Page = http.NotFoundHandler()
	}
	return nil
}

// after reports whether a length of time has passed.
func after(began, now time.Time, limit world.Time) bool {
	return now.Sub(began) >= time.Duration(limit)
}
