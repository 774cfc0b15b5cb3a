package manhattan

import (
	"fmt"
	"testing"

	"throng/world"
)

// BenchmarkMove is what a move really takes, walls included; it does not grow with the city.
func BenchmarkMove(b *testing.B) {
	for _, avatars := range []int{64, 10_000} {
		for _, walls := range []int{0, 100_000} {
			b.Run(fmt.Sprintf("avatars=%d/walls=%d", avatars, walls), func(b *testing.B) {
				g := newGame(b, func(c *Config) { c.Avatars, c.Walls = avatars, walls })
				a := world.Action{Verb: Move}
				b.ReportAllocs()
				for b.Loop() {
					a.User = 1 + a.User%g.World.Users()
					a.Seq++
					g.Window.Do(g.World, &a)
				}
			})
		}
	}
}
