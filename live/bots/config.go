package bots

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"time"

	"throng/live/bots/fleet"
	"throng/world"
)

// Config is who joins, where and for how long.
type Config struct {
	URL   string // of the server's page, or of a room's
	Token string // an operator's, who is not limited by address; empty for none
	Users int
	Whole int  // how many of them have whole clients if there are light ones; 0 for DefaultWhole
	Light bool // all others are light, also in a small crowd
	Idle  bool // users do nothing
	Here  bool // all come in at this address, though there may be further gateways

	Direct bool // users connect to each other where the mechanism has them talk (package direct)

	Ramp     time.Duration // over which users join
	Settle   time.Duration // between the last joining and the beginning of measuring
	Duration time.Duration // of measuring

	// Stay is how many users stay for Relief after that, once the others have gone; nothing is measured then.
	Stay   int
	Relief time.Duration

	Seed    uint64 // what artificial players' choices are derived from
	Workers int    // 0 for one on each processor

	// Confirmed is told of every action whose effect has become final at its user's node; from several goroutines at once. It may be nil.
	Confirmed func(u world.User, seq uint32)
	// Gap is told of every gap between two updates of a user who has kept the connection, as it ends; as above.
	Gap func(lasted time.Duration)

	Dial     fleet.Dial     // opens connections; nil for over the network
	Progress func(Progress) // is told how things go, about once a second; nil for nobody
}

// WholeMax is up to how many users all have whole clients unless told otherwise, DefaultWhole how many of a larger crowd.
const (
	WholeMax     = 200
	DefaultWhole = 32
)

// Progress is how things go.
type Progress struct {
	Phase  string        // "joining", "settling" or "measuring"
	Passed time.Duration // of the phase
	Users  int           // who are connected
	Delay  Spread        // so far
	Late   Spread        // how late clients are woken
}

// complete checks a configuration and fills in what was left open.
func (c *Config) complete() error {
	u, err := url.Parse(c.URL)
	switch {
	case err != nil:
		return err
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%q is not the address of a server, such as http://127.0.0.1:8080", c.URL)
	case c.Users < 1:
		return errors.New("there must be at least one user")
	case c.Users > usersMax:
		return fmt.Errorf("there can be %d users at most", usersMax)
	case c.Whole < 0 || c.Workers < 0:
		return errors.New("there cannot be less than no clients or workers")
	case c.Ramp < 0 || c.Settle < 0 || c.Duration <= 0:
		return errors.New("measuring must take time")
	}
	c.URL = strings.TrimRight(u.Scheme+"://"+u.Host+u.Path, "/")
	if c.Users > WholeMax {
		c.Light = true
	}
	switch {
	case !c.Light:
		c.Whole = c.Users
	case c.Whole == 0:
		c.Whole = DefaultWhole
	}
	c.Whole = min(c.Whole, c.Users)
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	return nil
}

// whole says whether one of the users has a whole client. Those who do are spread evenly.
func (c *Config) whole(number int) bool {
	return (number+1)*c.Whole/c.Users > number*c.Whole/c.Users
}

// local reports whether the server is on this machine, so that all users may be.
func (c *Config) local() bool {
	u, err := url.Parse(c.URL)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// header is what all requests carry.
func (c *Config) header() http.Header {
	h := http.Header{}
	if c.Token != "" {
		h.Set("Authorization", "Bearer "+c.Token)
	}
	return h
}
