package link

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/world"
)

// exchange lets one node send a message of 20 bytes to each of its peers, and each of them acknowledge it.
type exchange struct {
	cfg   Config
	hub   *Layer
	ids   []mechanism.NodeID
	peers []*Layer
	now   world.Time
	out   mechanism.Outbox
	back  mechanism.Outbox
}

func newExchange(cfg Config, peers int) *exchange {
	x := &exchange{cfg: cfg, hub: New(cfg, 1, 0)}
	for i := range peers {
		id := mechanism.NodeID(i + 2)
		x.ids = append(x.ids, id)
		x.peers = append(x.peers, New(cfg, id, 0))
		x.peers[i].Expect(anybody)
	}
	return x
}

// Deliver takes any message.
func (*exchange) Deliver(world.Time, mechanism.Message, *mechanism.Outbox) bool { return true }

var text [20]byte

func (x *exchange) round(mode Mode, all bool) {
	x.now += ms
	if all {
		x.hub.SendAll(x.now, x.ids, mechanism.Command, text[:], mode, &x.out)
	} else {
		for _, id := range x.ids {
			x.hub.Send(x.now, id, mechanism.Command, text[:], mode, &x.out)
		}
	}
	x.now += x.cfg.Batching
	x.hub.Wake(x.now, x, &x.out)
	for i := range x.out.Sends() {
		m := x.out.Message(i, 1)
		p := x.peers[m.To-2]
		p.Receive(x.now, m, x, &x.back)
		p.Wake(x.now+x.cfg.Batching, x, &x.back)
		for j := range x.back.Sends() {
			x.hub.Receive(x.now, x.back.Message(j, m.To), x, &x.out)
		}
		x.back.Reset()
	}
	x.now += x.cfg.Batching
	x.hub.Next()
	x.out.Reset()
}

// BenchmarkMessage measures one message: sent, received, acknowledged, acknowledgement received.
func BenchmarkMessage(b *testing.B) {
	batching := param.Default[Config]()
	batching.Batching = ms
	delayed := param.Default[Config]()
	delayed.ReceptionDelay = ms
	for _, c := range []struct {
		name string
		cfg  Config
		mode Mode
	}{
		{"unreliable", param.Default[Config](), Unreliable},
		{"reliable", param.Default[Config](), Reliable},
		{"ordered", param.Default[Config](), Ordered},
		{"batched", batching, Reliable},
		{"delayed", delayed, Reliable},
	} {
		b.Run(c.name, func(b *testing.B) {
			x := newExchange(c.cfg, 1)
			x.round(c.mode, false)
			b.ReportAllocs()
			for b.Loop() {
				x.round(c.mode, false)
			}
		})
	}
}

// BenchmarkSendAll measures a reliable message to many, with all acknowledgements.
func BenchmarkSendAll(b *testing.B) {
	for _, c := range []struct {
		name  string
		peers int
	}{{"peers=7", 7}, {"peers=127", 127}, {"peers=3500", 3500}} {
		b.Run(c.name, func(b *testing.B) {
			x := newExchange(param.Default[Config](), c.peers)
			x.round(Reliable, true)
			b.ReportAllocs()
			for b.Loop() {
				x.round(Reliable, true)
			}
		})
	}
}

// BenchmarkIdlePeers measures a message while a thousand other links are at rest: what is at rest costs nothing.
func BenchmarkIdlePeers(b *testing.B) {
	x := newExchange(param.Default[Config](), 1000)
	x.round(Reliable, true)
	x.ids = x.ids[:1]
	b.ReportAllocs()
	for b.Loop() {
		x.round(Reliable, false)
	}
}

func TestSteadyFlowAllocatesNothing(t *testing.T) {
	batching := param.Default[Config]()
	batching.Batching, batching.ReceptionDelay = 5*ms, 10*ms
	patient := param.Default[Config]()
	patient.Receipts = 20 * ms
	for _, cfg := range []Config{param.Default[Config](), batching, patient} {
		for _, mode := range []Mode{Unreliable, Reliable, Ordered} {
			x := newExchange(cfg, 5)
			for range 400 { // beyond the time-out
				x.round(mode, true)
			}
			if n := testing.AllocsPerRun(100, func() { x.round(mode, true) }); n > 0 {
				t.Errorf("mode %d, batching %v: %v allocations", mode, cfg.Batching, n)
			}
		}
	}
}
