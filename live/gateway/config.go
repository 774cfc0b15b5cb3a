package gateway

import (
	"errors"
	"time"
)

// Config are the gateway's limits. Zero values stand for the defaults.
type Config struct {
	Origins []string // pages from elsewhere that may connect, as in "https://example.org"; the own page always may

	Connections        int           // open at a time
	ConnectionsPerHost int           // open at a time from one address
	JoinsPerMinute     int           // from one address
	FrameMax           int           // bytes in a frame from a client
	FramesPerSecond    int           // from one client; more are dropped
	BytesPerSecond     int           // from one client; more are dropped
	Queue              int           // bytes that may wait for a client
	Patience           time.Duration // how long a client may take nothing before it is dropped
	Handshake          time.Duration // how long a client may take to say who it is

	Certificate, Key string // files, for real certificates; empty for a certificate of our own
	WebTransport     bool   // whether to listen for WebTransport
}

// DefaultConfig suits a server for a few thousand people.
var DefaultConfig = Config{
	Connections:        15_000,
	ConnectionsPerHost: 15_000, // a load test comes from one address; an operator on the open net lowers this
	JoinsPerMinute:     60_000,
	FrameMax:           16 << 10,
	FramesPerSecond:    120,
	BytesPerSecond:     64 << 10,
	Queue:              256 << 10,
	Patience:           10 * time.Second,
	Handshake:          5 * time.Second,
	WebTransport:       true,
}

// complete fills in the defaults.
func (c *Config) complete() error {
	d := &DefaultConfig
	for _, f := range []struct{ value, otherwise *int }{
		{&c.Connections, &d.Connections}, {&c.ConnectionsPerHost, &d.ConnectionsPerHost},
		{&c.JoinsPerMinute, &d.JoinsPerMinute}, {&c.FrameMax, &d.FrameMax}, {&c.FramesPerSecond, &d.FramesPerSecond},
		{&c.BytesPerSecond, &d.BytesPerSecond}, {&c.Queue, &d.Queue},
	} {
		if *f.value < 0 {
			return errors.New("gateway: a limit cannot be negative")
		}
		if *f.value == 0 {
			*f.value = *f.otherwise
		}
	}
	if c.Patience == 0 {
		c.Patience = d.Patience
	}
	if c.Handshake == 0 {
		c.Handshake = d.Handshake
	}
	if (c.Certificate == "") != (c.Key == "") {
		return errors.New("gateway: a certificate needs its key, and a key its certificate")
	}
	return nil
}
