package hub

import (
	"testing"
	"time"

	"throng/mechanism"
	"throng/world"
)

func TestLoad(t *testing.T) {
	const tick = 100 * world.Millisecond
	for _, c := range []struct {
		name       string
		late, busy world.Time // of each tenth of a second
		want       bool
	}{
		{"keeps up", 1 * world.Millisecond, 50 * world.Millisecond, false},
		{"always at work, but in time", 1 * world.Millisecond, 99 * world.Millisecond, false},
		{"late, but idle: others have the machine", 80 * world.Millisecond, 20 * world.Millisecond, false},
		{"late and always at work", 80 * world.Millisecond, 99 * world.Millisecond, true},
	} {
		var l Load
		now, busy := time.Now(), world.Time(0)
		pass := func(n int, late, work world.Time) {
			for range n {
				now, busy = now.Add(100*time.Millisecond), busy+work
				l.Woken(now, late, busy, tick)
			}
		}
		pass(15, c.late, c.busy)
		if l.overloaded.Load() {
			t.Errorf("%s: overloaded after a moment", c.name)
		}
		pass(20, c.late, c.busy)
		if l.overloaded.Load() != c.want {
			t.Errorf("%s: %v", c.name, !c.want)
		}
		pass(20, 0, 10*world.Millisecond)
		if l.overloaded.Load() {
			t.Errorf("%s: still overloaded when the load has gone", c.name)
		}
	}
}

func TestNobodyIsLetInUnderOverload(t *testing.T) {
	h := &Hub{config: Config{SeatsMax: 1}, servers: []*post{{}, {}}}
	if err := h.Vacant(); err != nil {
		t.Error(err)
	}
	h.servers[1].load.overloaded.Store(true)
	if err := h.Vacant(); err != ErrBusy {
		t.Error(err)
	}
	h.servers[1].load.overloaded.Store(false)
	h.servers[0].load.Ask(slow{})
	if err := h.Vacant(); err != ErrBusy || h.Slowed() != 1.75 {
		t.Errorf("%v, slowed %v", err, h.Slowed())
	}
	h.servers, h.config.Load = nil, new(Load)
	h.config.Load.Told(true, 20)
	if err := h.Vacant(); err != ErrBusy || h.Slowed() != 1.2 {
		t.Errorf("servers elsewhere are full: %v, slowed %v", err, h.Slowed())
	}
	h.config.Load.Told(false, 0)
	if err := h.Vacant(); err != nil || h.Slowed() != 1 {
		t.Errorf("servers elsewhere keep up: %v, slowed %v", err, h.Slowed())
	}
}

// slow is a node that has slowed down and lets nobody in.
type slow struct{ mechanism.Node }

func (slow) Slowed() int { return 175 }
func (slow) Full() bool  { return true }
