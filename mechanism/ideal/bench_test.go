package ideal

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// BenchmarkTick is one node's tick in which it also receives an action, by the number of objects.
func BenchmarkTick(b *testing.B) {
	for _, objects := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(objects), func(b *testing.B) {
			config := param.Default[Config]()
			w := mechanismtest.Marbles(world.User(objects - 2))
			start := world.NewState(w.Schema(), 1)
			w.Populate(start)
			s := &mechanism.Session{World: w, Start: start, Places: config.Places(w)}
			n := newNode(s, s.Places[0])
			a := count(5)
			a.User = 2
			m := mechanism.Message{From: 2, To: 1, Class: mechanism.Command}
			var out mechanism.Outbox
			tick := world.Tick(0)
			b.ReportAllocs()
			for b.Loop() {
				tick++
				a.Seq++
				now := mechanism.TimeOf(tick, w.Schema().Tick)
				n.Wake(now, &out)
				m.Payload = appendCommand(m.Payload[:0], tick, &a)
				n.Receive(now, m, &out)
				out.Reset()
			}
			b.ReportMetric(float64(len(m.Payload)), "B/action")
		})
	}
}
