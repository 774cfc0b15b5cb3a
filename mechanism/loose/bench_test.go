package loose

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// still is marbles without rules, so that what is measured is the mechanism.
type still struct{ world.World }

func (still) Step(*world.Window) {}

// newPair returns two nodes in a world of so many objects, half of which each answers for.
func newPair(objects int) (w world.World, one, two *node) {
	w = still{mechanismtest.Marbles(2)}
	start := world.NewState(w.Schema(), 1)
	for i := range objects {
		o := world.Object{ID: world.ID(i + 1), Kind: mechanismtest.Marble, User: world.User(1 + i%2)}
		o.Pos = fixed.Vec{X: fixed.Ratio(int64(i), 100), Y: 33 * fixed.One}
		o.Vel.X = 3 * fixed.One
		start.Put(o)
	}
	config := param.Default[Config]()
	config.Interval = w.Schema().Tick // everything, every tick
	s := &mechanism.Session{World: w, Start: start, Places: config.Places(w)}
	thresholds, err := config.thresholds(w.Schema())
	if err != nil {
		panic(err)
	}
	return w, newNode(&config, s, s.Places[0], thresholds), newNode(&config, s, s.Places[1], thresholds)
}

// BenchmarkTick is one tick of a node that answers for half of the objects, with a full update in every tick.
func BenchmarkTick(b *testing.B) {
	for _, objects := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(objects), func(b *testing.B) {
			w, n, _ := newPair(objects)
			var out mechanism.Outbox
			now := world.Time(0)
			sent := 0
			b.ReportAllocs()
			for b.Loop() {
				now += w.Schema().Tick
				n.Wake(now, &out)
				sent = 0
				for i := range out.Sends() {
					sent += len(out.Message(i, 1).Payload)
				}
				out.Reset()
			}
			b.ReportMetric(float64(sent), "B/tick")
		})
	}
}

// BenchmarkReceive is the arrival of a full update of half of the objects.
func BenchmarkReceive(b *testing.B) {
	for _, objects := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(objects), func(b *testing.B) {
			w, one, two := newPair(objects)
			var sent, got mechanism.Outbox
			now := world.Time(0)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				now += w.Schema().Tick
				one.Wake(now, &sent)
				two.Wake(now, &got)
				b.StartTimer()
				for i := range sent.Sends() {
					two.Receive(now, sent.Message(i, 1), &got)
				}
				sent.Reset()
				got.Reset()
			}
		})
	}
}
