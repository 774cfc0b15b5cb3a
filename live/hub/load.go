package hub

import (
	"errors"
	"sync/atomic"
	"time"

	"throng/mechanism"
	"throng/world"
)

// ErrBusy is the answer to whoever wants to join a world whose servers do not keep up with those who are in it.
var ErrBusy = errors.New("the server is at its limit; try again in a while")

const (
	// loadWindow is over how long a server's load is taken.
	loadWindow = time.Second

	// loadWindows is for how many in a row a server must be overloaded before newcomers are turned away. One that is not lets them in.
	loadWindows = 2

	// loadFull is how much of its time a server is at work that is overloaded, in parts of a hundred. One that is late but
	// idle has a machine that is busy with something else.
	loadFull = 90
)

// Load is how a server keeps up. It is overloaded if it says so (mechanism.Slowing); or if it is woken later than half a tick, on
// average, and has hardly any time to itself.
type Load struct {
	overloaded atomic.Bool
	full       atomic.Bool  // by its own word
	slowed     atomic.Int64 // by how much more than usual is between two updates, in hundredths

	// For the node's goroutine:
	began   time.Time
	busy    world.Time // until then
	late    world.Time // in all since then
	wakes   int
	crowded int // windows in a row in which it was
}

// Woken takes note of a wake-up: how late it was, and for how long the node has worked so far.
func (l *Load) Woken(now time.Time, late, busy, tick world.Time) {
	if l.began.IsZero() {
		l.began, l.busy = now, busy
	}
	l.late += late
	l.wakes++
	passed := now.Sub(l.began)
	if passed < loadWindow {
		return
	}
	if l.late/world.Time(l.wakes) > tick/2 && 100*(busy-l.busy) > loadFull*world.Time(passed) {
		l.crowded++
	} else {
		l.crowded = 0
	}
	l.overloaded.Store(l.crowded >= loadWindows)
	l.began, l.busy, l.late, l.wakes = now, busy, 0, 0
}

// Ask has servers' nodes say how they keep up, those that do.
func (l *Load) Ask(nodes ...mechanism.Node) {
	full, slowed := false, 0
	for _, node := range nodes {
		if s, ok := node.(mechanism.Slowing); ok {
			full, slowed = full || s.Full(), max(slowed, s.Slowed()-100)
		}
	}
	l.full.Store(full)
	l.slowed.Store(int64(slowed))
}

// Full reports whether the server does not keep up.
func (l *Load) Full() bool { return l.overloaded.Load() || l.full.Load() }

// Slowed is by how much more than usual is between two updates, in hundredths.
func (l *Load) Slowed() int64 { return l.slowed.Load() }

// Told takes another process's word for how the server keeps up that it runs.
func (l *Load) Told(full bool, slowed int64) {
	l.overloaded.Store(false)
	l.full.Store(full)
	l.slowed.Store(slowed)
}

// Overloaded reports whether a server that runs here, or wherever replicas are led, does not keep up: nobody is let in until it does, so that those who are in the
// world do not suffer for those who are not.
func (h *Hub) Overloaded() bool {
	for _, p := range h.servers {
		if p.load.Full() {
			return true
		}
	}
	return h.config.Load != nil && h.config.Load.Full()
}

// Slowed is how long the servers that run here, or wherever replicas are led, let pass between updates, over how long it ought to be: of the one that has slowed
// down most.
func (h *Hub) Slowed() float64 {
	most := int64(0)
	if h.config.Load != nil {
		most = h.config.Load.Slowed()
	}
	for _, p := range h.servers {
		most = max(most, p.load.Slowed())
	}
	return 1 + float64(most)/100
}
