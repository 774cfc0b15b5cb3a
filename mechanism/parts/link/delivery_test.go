package link

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

// transit is a datagram on its way.
type transit struct {
	due world.Time
	m   mechanism.Message
}

// storm is a network that loses, repeats and reorders.
type storm struct {
	random  random.Stream
	loss    uint64 // in a hundred, as is dup
	dup     uint64
	delay   world.Time // up to this
	transit []transit
}

func (s *storm) carry(now world.Time, datagrams []mechanism.Message) {
	for _, m := range datagrams {
		copies := 1
		if s.random.Below(100) < s.dup {
			copies++
		}
		for range copies {
			if s.random.Below(100) >= s.loss {
				s.transit = append(s.transit, transit{now + world.Time(s.random.Below(uint64(s.delay/ms)))*ms, m})
			}
		}
	}
}

// arrived takes out the datagrams that arrive now.
func (s *storm) arrived(now world.Time) []mechanism.Message {
	var all []mechanism.Message
	s.transit = slices.DeleteFunc(s.transit, func(t transit) bool {
		if t.due <= now {
			all = append(all, t.m)
		}
		return t.due <= now
	})
	return all
}

// TestEverythingArrivesOnce sends in all modes through storms. Everything reliable must arrive exactly once, everything
// ordered after all that was sent before it, and no message before it has its age; and in the end there is peace.
func TestEverythingArrivesOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{
			Timeout:        world.Time(rapid.Int64Range(20, 300).Draw(t, "time-out")) * ms,
			Adaptive:       rapid.Bool().Draw(t, "adaptive"),
			Batching:       world.Time(rapid.SampledFrom([]int64{0, 0, 7, 60}).Draw(t, "batching")) * ms,
			Receipts:       world.Time(rapid.SampledFrom([]int64{0, 0, 30, 200}).Draw(t, "receipts")) * ms,
			ReceptionDelay: world.Time(rapid.SampledFrom([]int64{0, 0, 50}).Draw(t, "reception delay")) * ms,
		}
		s := storm{
			random: random.New(rapid.Uint64().Draw(t, "seed"), "storm"),
			loss:   rapid.Uint64Max(60).Draw(t, "loss"),
			dup:    rapid.Uint64Max(30).Draw(t, "duplication"),
			delay:  world.Time(rapid.Int64Range(1, 400).Draw(t, "delay")) * ms,
		}
		rate := rapid.IntRange(1, 5).Draw(t, "messages per 10 ms")
		d := duel{t: t, storm: &s}
		d.a, d.b = pair(cfg)
		d.modes = map[mechanism.NodeID][]Mode{}
		now := world.Time(0)
		for ; now < 300*ms; now += ms {
			for i := 0; now%(10*ms) == 0 && i < rate; i++ {
				d.send(now, d.a)
				d.send(now, d.b)
			}
			d.step(now)
		}
		for next := d.next(); next != world.Never; next = d.next() {
			if now = max(now, next); now > 10*world.Minute {
				t.Fatal("it does not come to an end")
			}
			d.step(now)
		}
		d.check(d.a, d.modes[2], cfg.ReceptionDelay)
		d.check(d.b, d.modes[1], cfg.ReceptionDelay)
		if d.a.bodies.bytes+d.b.bodies.bytes != 0 {
			t.Fatal("some messages are still held")
		}
	})
}

// duel is two ends that send to each other.
type duel struct {
	t     *rapid.T
	storm *storm
	a, b  *end
	modes map[mechanism.NodeID][]Mode // of the messages that each has sent
	ages  [3][]world.Time
}

// send sends a message that says which one it is and when it went.
func (d *duel) send(now world.Time, e *end) {
	mode := Mode(d.storm.random.Below(3))
	text := string([]rune{rune(len(d.modes[e.id]) + 1), rune(now/ms) + 1})
	d.modes[e.id] = append(d.modes[e.id], mode)
	d.storm.carry(now, e.send(now, mode, text))
}

func (d *duel) step(now world.Time) {
	for _, m := range d.storm.arrived(now) {
		e := d.a
		if m.To == d.b.id {
			e = d.b
		}
		d.storm.carry(now, e.take(now, m))
	}
	for _, e := range []*end{d.a, d.b} {
		if e.Next() <= now {
			d.storm.carry(now, e.wake(now))
		}
		for len(d.ages[e.id]) < len(e.got) {
			sent := world.Time([]rune(e.got[len(d.ages[e.id])])[1]-1) * ms
			d.ages[e.id] = append(d.ages[e.id], now-sent)
		}
	}
}

// next is when something happens next.
func (d *duel) next() world.Time {
	next := min(d.a.Next(), d.b.Next())
	for _, t := range d.storm.transit {
		next = min(next, t.due)
	}
	return next
}

// check looks at what one end got of what the other sent in these modes.
func (d *duel) check(e *end, modes []Mode, age world.Time) {
	times := make([]int, len(modes))
	for at, text := range e.got {
		i := int([]rune(text)[0]) - 1
		if d.ages[e.id][at] < age {
			d.t.Fatalf("message %d was handed over at the age of %v", i, d.ages[e.id][at])
		}
		if times[i]++; modes[i] != Ordered {
			continue
		}
		for j, mode := range modes[:i] {
			if mode != Unreliable && times[j] == 0 {
				d.t.Fatalf("message %d was handed over before message %d", i, j)
			}
		}
	}
	for i, mode := range modes {
		if mode != Unreliable && times[i] != 1 {
			d.t.Fatalf("message %d arrived %d times", i, times[i])
		}
	}
}
