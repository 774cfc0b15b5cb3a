//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"sync"
	"time"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
)

// tally is how far a server has come since it began. It says so on its standard output, a line at a time.
type tally struct {
	At      time.Time    `json:"at"`
	Ticks   []world.Tick `json:"ticks"`   // of the part of the world that each server's node has
	Clients hub.Traffic  `json:"clients"` // to clients
	Servers hub.Traffic  `json:"servers"` // to servers, from clients too
	Stalled Lapses       `json:"stalled"` // areas that waited for somebody
	Paused  Lapses       `json:"paused"`  // areas that stood still so that a client could begin to simulate them
	Slowed  float64      `json:"slowed"`  // how long servers let pass between updates, over how long it ought to be
}

// Lapses are times in which something stood still.
type Lapses struct {
	Count int64   `json:"count"`
	Sum   float64 `json:"sum"` // in ms, here and below
	Max   float64 `json:"max"`
}

func (l *Lapses) add(nanoseconds int64) {
	passed := float64(nanoseconds) / float64(world.Millisecond)
	l.Count++
	l.Sum += passed
	l.Max = max(l.Max, passed)
}

// counter follows a server's nodes.
type counter struct {
	mu              sync.Mutex
	stalled, paused Lapses
}

// event is for hub.Config.
func (c *counter) event(_ mechanism.Place, e mechanism.Event) {
	switch e.Name {
	case mechanism.Stalled:
		c.mu.Lock()
		c.stalled.add(e.Value)
		c.mu.Unlock()
	case mechanism.Paused:
		c.mu.Lock()
		c.paused.add(e.Value)
		c.mu.Unlock()
	}
}

// tallyEvery is how often a server says how far it is.
const tallyEvery = 100 * time.Millisecond

// tell says how far the world is until ctx is done, in whole or only how far servers have slowed down.
func (c *counter) tell(ctx context.Context, h *hub.Hub, whole bool) {
	ticker := time.NewTicker(tallyEvery)
	defer ticker.Stop()
	out := json.NewEncoder(os.Stdout)
	for {
		select {
		case <-ticker.C:
			t := &tally{At: time.Now(), Slowed: h.Slowed()}
			if whole {
				c.add(h, t)
			}
			if out.Encode(t) != nil {
				return // nobody listens any more
			}
		case <-ctx.Done():
			return
		}
	}
}

// add adds all there is to know.
func (c *counter) add(h *hub.Hub, t *tally) {
	for _, info := range h.Nodes() {
		to := &t.Clients
		if info.Place.User == 0 {
			to = &t.Servers
			h.Do(info.Place.ID, func(m *mechanism.Machine) {
				if a, ok := m.Node().(mechanism.Authority); ok {
					t.Ticks = append(t.Ticks, a.Held().Tick())
				}
			})
		}
		to.Routed += info.Routed
		to.Bytes += info.Bytes
		to.Full += info.Full
		to.Missed += info.Missed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t.Stalled, t.Paused = c.stalled, c.paused
}

// Areas is how the servers of a world's areas fared. Bytes are those of datagrams' payloads, per tick of the world.
type Areas struct {
	Servers   int     `json:"servers"`
	Slowest   float64 `json:"slowest"` // of them, in ticks per second
	Mean      float64 `json:"mean"`    // of all
	Clients   float64 `json:"clients"` // bytes to clients
	Datagrams float64 `json:"datagrams"`
	Between   float64 `json:"between"` // bytes from server to server
	Lost      int64   `json:"lost"`    // datagrams for which there was no room, or nobody there
	Stalled   Lapses  `json:"stalled"`
	Paused    Lapses  `json:"paused"` // since the beginning
}

// Slowed is how far servers slowed down by choice: 1 for not at all.
type Slowed struct {
	Mean  float64 `json:"mean"`
	Max   float64 `json:"max"`
	Until float64 `json:"until"` // for how long they still were after that, in seconds
}

// slowed looks at a time, and at what came after it.
func (s *server) slowed(began time.Time, seconds float64) (x Slowed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for i := range s.tallies {
		t := &s.tallies[i]
		switch passed := t.At.Sub(began).Seconds(); {
		case passed > seconds && t.Slowed > 1:
			x.Until = passed - seconds
		case passed >= 0 && passed <= seconds:
			n++
			x.Mean += t.Slowed
			x.Max = max(x.Max, t.Slowed)
		}
	}
	x.Mean /= float64(max(n, 1))
	return x
}

// listen takes what the server says of itself.
func (s *server) listen(from io.Reader) {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		var t tally
		if json.Unmarshal(lines.Bytes(), &t) == nil {
			s.mu.Lock()
			s.tallies = append(s.tallies, t)
			s.mu.Unlock()
		}
	}
}

// fared compares how things stood at the beginning and at the end of a time in which clients said so much a second.
func (s *server) fared(began time.Time, seconds, said float64) *Areas {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first, last *tally
	for i := range s.tallies {
		t := &s.tallies[i]
		passed := t.At.Sub(began).Seconds()
		if passed >= 0 && first == nil {
			first = t
		}
		if passed <= seconds {
			last = t
		}
	}
	if first == nil || last == nil || !last.At.After(first.At) || len(first.Ticks) == 0 || len(first.Ticks) != len(last.Ticks) {
		return nil
	}
	return compareTallies(first, last, said)
}

func compareTallies(first, last *tally, said float64) *Areas {
	passed := last.At.Sub(first.At).Seconds()
	a := &Areas{Servers: len(first.Ticks), Paused: last.Paused}
	ticks := 0.0
	for i := range first.Ticks {
		n := float64(last.Ticks[i] - first.Ticks[i])
		ticks += n / float64(a.Servers)
		if rate := n / passed; i == 0 || rate < a.Slowest {
			a.Slowest = rate
		}
	}
	a.Mean = ticks / passed
	a.Stalled = Lapses{last.Stalled.Count - first.Stalled.Count, last.Stalled.Sum - first.Stalled.Sum, last.Stalled.Max}
	a.Lost = last.Clients.Full + last.Clients.Missed + last.Servers.Full + last.Servers.Missed -
		first.Clients.Full - first.Clients.Missed - first.Servers.Full - first.Servers.Missed
	if ticks > 0 {
		a.Clients = float64(last.Clients.Bytes-first.Clients.Bytes) / ticks
		a.Datagrams = float64(last.Clients.Routed-first.Clients.Routed) / ticks
		a.Between = max(0, float64(last.Servers.Bytes-first.Servers.Bytes)-said*passed) / ticks
	}
	return a
}
