package crowd

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
)

// game is a crowd with its artificial players.
type game struct {
	*worldtest.Game[*town]
	*town
}

// newGame starts a crowd with the default parameters but for what change changes.
func newGame(t testing.TB, seed uint64, change func(*Config)) *game {
	t.Helper()
	c := param.Default[Config]()
	change(&c)
	w := worldtest.Make[*town](t, &c)
	return &game{worldtest.NewGame(w, seed), w}
}

// ticks is how many ticks a span has.
func (g *game) ticks(span world.Time) int { return int(world.TicksIn(span, g.Tick)) }

func (g *game) walker(u world.User) *world.Object { return g.State.Get(walkerOf(u)) }

// count is how many objects of a kind there are.
func (g *game) count(kind world.KindID) int {
	n := 0
	for o := range g.State.All() {
		if o.Kind == kind {
			n++
		}
	}
	return n
}

// neighbours is how many others a walker sees on average.
func (g *game) neighbours() float64 {
	index := world.NewIndex(g.sight)
	index.Sync(g.State)
	sum := 0
	for u := world.User(1); u <= g.Users(); u++ {
		for _, id := range index.Near(g.walker(u).Pos, g.sight) {
			if id < placeBase && id != walkerOf(u) {
				sum++
			}
		}
	}
	return float64(sum) / float64(g.Users())
}

// at writes a place in whole metres.
func at(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }
