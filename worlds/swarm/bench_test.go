package swarm

import (
	"fmt"
	"testing"

	"throng/world"
)

// BenchmarkStep steps a swarm as it is after some play, and starts over from there every second: left without users, the
// bees would all fly into the walls.
func BenchmarkStep(b *testing.B) {
	for _, bees := range []int{8, 32, 128, 512} {
		b.Run(fmt.Sprintf("bees=%d", bees), func(b *testing.B) {
			g := newGame(b, bees, 1)
			g.Play(b, 400)
			start := g.State.Clone()
			ticks := int(world.Second / g.World.Tick)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				if i%ticks == 0 {
					g.State.CopyFrom(start)
					g.Window.Look(g.State)
				}
				g.Window.Advance(g.World)
			}
		})
	}
}

// BenchmarkPlay lets one user with a living bee decide again and again.
func BenchmarkPlay(b *testing.B) {
	for _, bees := range []int{8, 128} {
		for _, lag := range []world.Time{0, 100 * world.Millisecond} {
			b.Run(fmt.Sprintf("bees=%d/lag=%v", bees, lag), func(b *testing.B) {
				g := newGame(b, bees, 1)
				g.Play(b, 400)
				user := world.User(1)
				for g.bee(user).Attr[attrDead] != 0 {
					user++
				}
				p := newPlayer(g.World, user)
				b.ReportAllocs()
				for b.Loop() {
					p.ready, p.told = 0, p.told[:0]
					p.Play(world.View{State: g.State, User: user, Lag: lag}, func(world.Action) {})
				}
			})
		}
	}
}
