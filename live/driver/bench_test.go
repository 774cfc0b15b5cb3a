package driver

import (
	"testing"
	"time"

	"throng/mechanism"
	"throng/world"
)

// idle is a node that wants to be woken each tick and does nothing.
type idle struct{ tick world.Time }

func (n idle) Wake(now world.Time, out *mechanism.Outbox) { out.WakeAt(now + n.tick) }
func (idle) Receive(_ world.Time, m mechanism.Message, out *mechanism.Outbox) {
	out.Send(m.From, m.Class, m.Payload)
}

type nowhere struct{}

func (nowhere) Route(mechanism.Message) bool { return true }

// stepping is a clock that a test sets.
type stepping struct{ now world.Time }

func (c *stepping) Now() world.Time { return c.now }

// newIdle is a server that nobody has started, with a clock to set.
func newIdle() (*Runner, *stepping) {
	w := newTown()
	c := Config{Router: nowhere{}}
	c.Node, c.Session = idle{w.Schema().Tick}, &mechanism.Session{World: w}
	clock := &stepping{}
	return New(c, clock, DefaultLimits), clock
}

func BenchmarkRunnerWake(b *testing.B) {
	r, clock := newIdle()
	b.ReportAllocs()
	for b.Loop() {
		clock.now = r.machine.Due()
		r.wake(clock.now, time.Time{})
	}
}

func BenchmarkMailbox(b *testing.B) {
	const batch = 64
	box := newMailbox(DefaultLimits)
	m := mechanism.Message{From: 1, To: 2, Payload: make([]byte, 100)}
	b.ReportAllocs()
	for b.Loop() {
		for range batch {
			box.put(m)
		}
		box.take()
		box.done()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/datagram")
}

func BenchmarkMailboxParallel(b *testing.B) {
	box := newMailbox(DefaultLimits)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		m := mechanism.Message{From: 1, To: 2, Payload: make([]byte, 100)}
		for i := 0; pb.Next(); i++ {
			if !box.put(m) {
				box.take()
				box.done()
			}
		}
	})
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	r, clock := newIdle()
	msg := mechanism.Message{From: 1, To: 2, Payload: make([]byte, 100)}
	if n := testing.AllocsPerRun(1000, func() {
		clock.now = r.machine.Due()
		r.Deliver(msg)
		r.wake(clock.now, time.Time{})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
