package swarm

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
	"throng/world/worldtest"
)

// game is a swarm with its artificial players.
type game struct {
	*worldtest.Game[*hive]
}

func newGame(t testing.TB, bees int, seed uint64) *game {
	t.Helper()
	c := param.Default[Config]()
	c.Bees = bees
	return newGameOf(t, c, seed)
}

func newGameOf(t testing.TB, c Config, seed uint64) *game {
	t.Helper()
	return &game{worldtest.NewGame(worldtest.Make[*hive](t, &c), seed)}
}

// newDuel returns two bees that rest in the left half of the box, and a queen that rests in the right half and does not
// choose a way within the next second.
func newDuel(t testing.TB) *game {
	t.Helper()
	c := param.Default[Config]()
	c.Bees, c.Area = 2, 240000*fixed.One // still 800 by 600
	g := newGameOf(t, c, 1)
	g.State.SetTick(1)
	g.State.Edit(queen).Pos = vec(700, 300)
	g.bee(1).Pos, g.bee(2).Pos = vec(100, 100), vec(100, 500)
	return g
}

// vec writes a vector in whole pixels.
func vec(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }

// steer carries out one action of a user.
func (g *game) steer(u world.User, ax, ay int64) {
	g.Do(u, world.Action{Verb: Steer, Args: [world.MaxArgs]int64{ax, ay}})
}

// bee returns a user's bee for changing.
func (g *game) bee(u world.User) *world.Object { return g.State.Edit(beeOf(u)) }

// honey returns what a user's bee has earned.
func (g *game) honey(u world.User) fixed.F { return g.State.Get(g.World.honeyOf(u)).Fixed(attrHoney) }

// scatter gives all balls random places and velocities below speed.
func (g *game) scatter(r random.Stream, speed fixed.F) {
	for id := queen; id <= beeOf(g.World.users); id++ {
		o := g.State.Edit(id)
		room := g.World.room[o.Kind]
		o.Pos = fixed.Vec{X: r.Between(room.Min.X, room.Max.X), Y: r.Between(room.Min.Y, room.Max.Y)}
		o.Vel = fixed.Polar(r.Between(0, speed), r.Angle())
	}
}
