package crowd

import (
	"fmt"
	"testing"

	"throng/world"
)

// BenchmarkStep steps crowds as they are after half a minute of play, and starts over from there every second: without
// users, those on errands would all arrive. In a spread or dense crowd everybody walks, in the town some do.
func BenchmarkStep(b *testing.B) {
	for _, mode := range []string{modeTown, modeSpread, modeDense} {
		for _, walkers := range []int{500, 5000, 50_000} {
			b.Run(fmt.Sprintf("%s/walkers=%d", mode, walkers), func(b *testing.B) {
				g := newGame(b, 1, func(c *Config) { c.Mode, c.Walkers, c.Restless = mode, walkers, mode != modeTown })
				g.Play(b, g.ticks(30*world.Second))
				benchStep(b, g)
			})
		}
	}
}

// BenchmarkStepAtRest is what a crowd costs in which nobody moves.
func BenchmarkStepAtRest(b *testing.B) {
	benchStep(b, newGame(b, 1, func(c *Config) { c.Mode, c.Walkers = modeSpread, 5000 }))
}

func benchStep(b *testing.B, g *game) {
	start := g.State.Clone()
	g.Wait(g.ticks(world.Second))
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if i%g.ticks(world.Second) == 0 {
			g.State.CopyFrom(start)
			g.Window.Look(g.State)
		}
		g.Window.Advance(g.town)
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.Walkers), "ns/walker")
}

func BenchmarkAct(b *testing.B) {
	g := newGame(b, 1, func(c *Config) { c.Walkers = 5000 })
	walk, visit := world.Action{Verb: Walk}, visit(at(100, 3))
	for _, test := range []struct {
		name   string
		action *world.Action
	}{{"walk", &walk}, {"goto", &visit}} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				walk.Args[0] = 1 + int64(i%200)
				test.action.User = world.User(1 + i%5000)
				g.Window.Do(g.town, test.action)
				i++
			}
		})
	}
}

// BenchmarkPlay is what the artificial users cost in a tick, in most of which most of them have nothing to decide.
func BenchmarkPlay(b *testing.B) {
	for _, restless := range []bool{false, true} {
		b.Run(fmt.Sprintf("restless=%v", restless), func(b *testing.B) {
			g := newGame(b, 1, func(c *Config) { c.Restless = restless })
			b.ReportAllocs()
			for b.Loop() {
				for i, p := range g.Players {
					p.Play(world.View{State: g.State, User: world.User(i + 1)}, func(world.Action) {})
				}
				g.State.SetTick(g.State.Tick() + 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.Walkers), "ns/walker")
		})
	}
}
