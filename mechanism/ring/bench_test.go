package ring

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
	"throng/worlds/manhattan"
)

// newDense returns a city in which each avatar has about seven others in sight, without walls.
func newDense(b *testing.B, avatars int) world.World {
	b.Helper()
	c := param.Default[manhattan.Config]()
	c.Avatars, c.Walls = avatars, 0
	c.Side = max(fixed.FromInt(int64(avatars)*411).Sqrt(), 20*fixed.One)
	return worldtest.Make[world.World](b, &c)
}

// BenchmarkHear is what it costs to find who sees an actor.
func BenchmarkHear(b *testing.B) {
	for _, avatars := range []int{100, 10_000} {
		w := newDense(b, avatars)
		s := world.NewState(w.Schema(), 1)
		w.Populate(s)
		l := newLookout(w, s)
		b.Run(fmt.Sprintf("avatars=%d", avatars), func(b *testing.B) {
			u := world.User(0)
			b.ReportAllocs()
			for b.Loop() {
				u = 1 + u%w.Users()
				o := *l.state.Get(world.ID(u))
				o.Pos.X = w.Schema().Bounds.Clamp(o.Pos.Add(fixed.Vec{X: fixed.One})).X
				l.put(&o)
				l.Hear(u)
			}
		})
	}
}

// BenchmarkServer is what a move costs the server in all, links included: it is given again what it was sent in some seconds
// of play.
func BenchmarkServer(b *testing.B) {
	cfg := param.Default[Config]()
	r, err := mechanismtest.NewRig(&cfg, newDense(b, 100), 1)
	if err != nil {
		b.Fatal(err)
	}
	type call struct {
		now world.Time
		msg mechanism.Message
	}
	var calls []call
	moves := 0
	r.Network = mechanismtest.Constant(119 * world.Millisecond)
	r.Observe = func(c *mechanismtest.Call) {
		if c.Kind == mechanismtest.Receive && c.Node == star.Server {
			m := c.Message
			m.Payload = append([]byte(nil), m.Payload...)
			calls = append(calls, call{r.Now(), m})
		}
		if c.Kind == mechanismtest.Act {
			moves++
		}
	}
	r.Start()
	r.Play(200)
	var out mechanism.Outbox
	b.ReportAllocs()
	for b.Loop() {
		n, err := cfg.NewNode(r.Session, r.Session.Places[0])
		if err != nil {
			b.Fatal(err)
		}
		for i := range calls {
			n.Receive(calls[i].now, calls[i].msg, &out)
			out.Reset()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(moves), "ns/move")
}
