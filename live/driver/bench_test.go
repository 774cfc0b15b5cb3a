package driver

import (
	"testing"

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

func newIdle() *Machine {
	w := newTown()
	return NewMachine(Config{Node: idle{w.Schema().Tick}, World: w, Router: nowhere{}})
}

func BenchmarkMachineWake(b *testing.B) {
	m := newIdle()
	b.ReportAllocs()
	for b.Loop() {
		m.Advance(m.Due())
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
	m := newIdle()
	box := newMailbox(DefaultLimits)
	msg := mechanism.Message{From: 1, To: 2, Payload: make([]byte, 100)}
	if n := testing.AllocsPerRun(1000, func() {
		m.Advance(m.Due())
		m.Receive(m.Now(), msg)
		box.put(msg)
		box.take()
		box.done()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
