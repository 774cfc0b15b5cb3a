package hub

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"throng/live/driver"
	"throng/mechanism"
)

// CutReason is what a client is told whose datagram made a node panic.
const CutReason = "what you sent did harm here; it was recorded, and you were cut off"

// Failure is a node's panic: a bug of ours, which ends neither the world nor the process.
type Failure struct {
	At      time.Time
	Place   mechanism.Place
	What    string
	Stack   []byte
	Message *mechanism.Message // that did it, its payload cut to a few kilobytes; nil if the node was woken
	Outcome string             // what became of the node
}

const (
	failuresMax = 16      // that are kept
	payloadMax  = 4 << 10 // of a datagram that is kept
	stackMax    = 8 << 10

	// wakesMax is how many times in a row a server may fail to be woken before its part of the world is given up.
	wakesMax = 3

	// revivalsMax is how often a user's node is replaced.
	revivalsMax = 8
)

// failures keeps the last ones.
type failures struct {
	mu    sync.Mutex
	count int64
	list  []Failure
}

func (f *failures) add(x Failure) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	if f.list = append(f.list, x); len(f.list) > failuresMax {
		f.list = slices.Delete(f.list, 0, 1)
	}
}

// Failures are the last panics of nodes here, the newest last, and how many there were in all.
func (h *Hub) Failures() (list []Failure, count int64) {
	h.failures.mu.Lock()
	defer h.failures.mu.Unlock()
	return slices.Clone(h.failures.list), h.failures.count
}

// panicked decides what becomes of a node after a panic. Whoever sent what did it is cut off, in any case: of two who send the same
// the second should not find a node that is worse off. Servers go on as they are, since what they hold is the world, unless
// they cannot be woken any more; users' nodes are replaced by fresh ones that join the run. It is called by the node's goroutine.
func (h *Hub) panicked(p *post, r *driver.Runner, c driver.Panic) (goOn bool) {
	f := Failure{At: time.Now(), Place: p.place, What: fmt.Sprint(c.Value), Stack: c.Stack[:min(len(c.Stack), stackMax)]}
	if m := c.Message; m != nil {
		f.Message = m
		m.Payload = m.Payload[:min(len(m.Payload), payloadMax)]
		go h.Cut(m.From)
	}
	switch {
	case p.place.User != 0:
		f.Outcome = "replaced"
		go h.revive(p, r)
	case c.InARow < wakesMax:
		f.Outcome, goOn = "goes on", true
	default:
		f.Outcome = "given up"
		go h.giveUpServer(p)
	}
	h.failures.add(f)
	if h.config.Panicked != nil {
		h.config.Panicked(f)
	}
	return goOn
}

// revive puts a fresh node in the place of one that has panicked.
func (h *Hub) revive(p *post, r *driver.Runner) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.retired || p.runner != r || p.parting {
		return // nobody's any more, or somebody else's
	}
	p.revived++
	p.holder.Store(nil)
	p.runner = nil
	p.epoch++
	if p.revived > revivalsMax {
		h.lost.Add(1)
		return
	}
	if err := h.replace(p, h.player(p), true); err != nil {
		h.lost.Add(1)
	}
}

// giveUpServer gives up the part of the world that a server ran.
func (h *Hub) giveUpServer(p *post) {
	p.holder.Store(nil)
	h.Lose(Process{Name: "this process", Here: true, Sites: []Site{{Place: p.place}}})
}
