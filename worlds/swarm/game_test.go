package swarm

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// game is a swarm with its artificial players, all of whom see everything as it is.
type game struct {
	hive    *hive
	state   *world.State
	window  *world.Window
	players []world.Player
	lag     world.Tick // after how many ticks actions take effect
	told    []order
	actions int
}

// order is an action and the tick at which it takes effect.
type order struct {
	at     world.Tick
	action world.Action
}

func newGame(t testing.TB, bees int, seed uint64) *game {
	t.Helper()
	c := Default()
	c.Bees = bees
	return newGameOf(t, c, seed)
}

func newGameOf(t testing.TB, c Config, seed uint64) *game {
	t.Helper()
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	g := &game{hive: w.(*hive), state: world.NewState(w.Schema(), seed)}
	w.Populate(g.state)
	g.window = world.NewWindow(g.state)
	for u := world.User(1); u <= w.Users(); u++ {
		g.players = append(g.players, w.Player(u, random.New(seed, "player", uint64(u))))
	}
	return g
}

// newDuel returns two bees that rest in the left half of the box, and a queen that rests in the right half and does not
// choose a way within the next second.
func newDuel(t testing.TB) *game {
	t.Helper()
	c := Default()
	c.Bees, c.Area = 2, 240000*fixed.One // still 800 by 600
	g := newGameOf(t, c, 1)
	g.state.SetTick(1)
	g.state.Edit(queen).Pos = vec(700, 300)
	g.bee(1).Pos, g.bee(2).Pos = vec(100, 100), vec(100, 500)
	return g
}

// vec writes a vector in whole pixels.
func vec(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }

// play lets the players play for some ticks.
func (g *game) play(ticks int) {
	for range ticks {
		for i, p := range g.players {
			user := world.User(i + 1)
			v := world.View{State: g.state, User: user, Lag: world.Time(g.lag) * g.hive.Tick}
			p.Play(v, func(a world.Action) {
				a.User = user
				g.told = append(g.told, order{g.state.Tick() + g.lag, a})
				g.actions++
			})
		}
		for len(g.told) > 0 && g.told[0].at <= g.state.Tick() {
			g.window.Do(g.hive, &g.told[0].action)
			g.told = g.told[1:]
		}
		g.window.Advance(g.hive)
	}
}

// step lets ticks pass in which nobody acts.
func (g *game) step(ticks int) {
	for range ticks {
		g.window.Advance(g.hive)
	}
}

// steer carries out one action of a user.
func (g *game) steer(u world.User, ax, ay int64) {
	g.window.Do(g.hive, &world.Action{User: u, Verb: Steer, Args: [world.MaxArgs]int64{ax, ay}})
}

// bee returns a user's bee for changing.
func (g *game) bee(u world.User) *world.Object { return g.state.Edit(beeOf(u)) }

// honey returns what a user's bee has earned.
func (g *game) honey(u world.User) fixed.F { return g.state.Get(g.hive.honeyOf(u)).Fixed(attrHoney) }

// scatter gives all balls random places and velocities below speed.
func (g *game) scatter(r random.Stream, speed fixed.F) {
	for id := queen; id <= beeOf(g.hive.users); id++ {
		o := g.state.Edit(id)
		room := g.hive.room[o.Kind]
		o.Pos = fixed.Vec{X: r.Between(room.Min.X, room.Max.X), Y: r.Between(room.Min.Y, room.Max.Y)}
		o.Vel = fixed.Polar(r.Between(0, speed), r.Angle())
	}
}
