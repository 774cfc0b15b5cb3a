//go:build !js

package app

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"throng/live/gateway"
	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
)

// hooksMax is how many calls of a program's hooks may wait.
const hooksMax = 1000

// hooked calls a program's hooks, in their order.
type hooked struct {
	hooks *Hooks
	log   *slog.Logger
	calls chan func(Live)
	lost  atomic.Int64
}

func newHooked(h *Hooks, log *slog.Logger) *hooked {
	return &hooked{hooks: h, log: log, calls: make(chan func(Live), hooksMax)}
}

// call queues a call. It never waits: it is called with locks held.
func (h *hooked) call(f func(l Live)) {
	select {
	case h.calls <- f:
	default:
		if h.lost.Add(1)%hooksMax == 1 {
			h.log.Warn("the program's hooks do not keep up, and are left out", "so far", h.lost.Load())
		}
	}
}

// watch has the hub tell what hooks are for.
func (h *hooked) watch(c *hub.Config) {
	if f := h.hooks.Joined; f != nil {
		c.Joined = func(s *hub.Seat) { h.call(func(l Live) { f(l, personOf(s)) }) }
	}
	if f := h.hooks.Left; f != nil {
		c.Left = func(s *hub.Seat) { h.call(func(l Live) { f(l, personOf(s)) }) }
	}
	if f := h.hooks.Acted; f != nil {
		told := c.Event
		c.Event = func(p mechanism.Place, e mechanism.Event) {
			told(p, e)
			if e.Name == mechanism.Executed {
				h.call(func(l Live) {
					f(l, Act{User: e.User, Seq: e.Seq, Tick: world.Tick(e.Value), Verb: l.(live).verb(e.Verb)})
				})
			}
		}
	}
}

func personOf(s *hub.Seat) Person { return Person{User: s.User(), Name: s.Name, Account: s.Account} }

// saving has the hook told when the world was saved.
func (h *hooked) saving(save func() (map[string]string, error)) func() (any, error) {
	if save == nil {
		return nil
	}
	return func() (any, error) {
		what, err := save()
		if f := h.hooks.Saved; f != nil && err == nil {
			h.call(func(l Live) { f(l, what) })
		}
		return what, err
	}
}

// run calls hooks until ctx is done.
func (h *hooked) run(ctx context.Context, g *gateway.Gateway, w *hub.Hub) {
	ticks := make(<-chan time.Time)
	if h.hooks.Tick != nil {
		ticker := time.NewTicker(time.Duration(w.World().Schema().Tick))
		defer ticker.Stop()
		ticks = ticker.C
	}
	l := live{g, w.World().Schema()}
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-h.calls:
			f(l)
		case <-ticks:
			h.hooks.Tick(l, w.Now())
		}
	}
}

// live is what hooks can do.
type live struct {
	gate   *gateway.Gateway
	schema *world.Schema
}

// verb is the name of one.
func (l live) verb(v world.VerbID) string {
	switch {
	case v == world.Enter:
		return "enter"
	case v == world.Leave:
		return "leave"
	case int(v) >= len(l.schema.Verbs):
		return "" // a mechanism has let something pass that is none
	}
	return l.schema.Verbs[v].Name
}

func (l live) Room() string { return l.gate.Name() }

func (l live) Message(text string, to world.User) int { return l.gate.Message(text, to) }

func (l live) Kick(u world.User, reason string) bool { return l.gate.Kick(u, reason) }

func (l live) Objects(f func(o *world.Object) bool) { l.gate.Objects(f) }
