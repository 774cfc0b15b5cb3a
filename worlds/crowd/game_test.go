package crowd

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// game is a crowd with its artificial players, all of whom see everything as it is.
type game struct {
	*town
	state   *world.State
	window  *world.Window
	players []world.Player
	actions []int // how often each verb was used
}

// newGame starts a crowd with the default parameters but for what change changes.
func newGame(t testing.TB, seed uint64, change func(*Config)) *game {
	t.Helper()
	c := Default()
	change(&c)
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	g := &game{town: w.(*town), state: world.NewState(w.Schema(), seed), actions: make([]int, len(w.Schema().Verbs))}
	w.Populate(g.state)
	g.window = world.NewWindow(g.state)
	for u := world.User(1); u <= w.Users(); u++ {
		g.players = append(g.players, w.Player(u, random.New(seed, "player", uint64(u))))
	}
	return g
}

// play lets the players play for some ticks.
func (g *game) play(t testing.TB, ticks int) {
	t.Helper()
	for range ticks {
		for i, p := range g.players {
			user := world.User(i + 1)
			p.Play(world.View{State: g.state, User: user}, func(a world.Action) {
				if err := g.schema.CheckAction(&a); err != nil {
					t.Fatalf("user %d: %v", user, err)
				}
				g.actions[a.Verb]++
				g.do(user, a)
			})
		}
		g.window.Advance(g.town)
	}
}

func (g *game) do(u world.User, a world.Action) {
	a.User = u
	g.window.Do(g.town, &a)
}

// step lets ticks pass in which nobody acts.
func (g *game) step(ticks int) {
	for range ticks {
		g.window.Advance(g.town)
	}
}

// ticks is how many ticks a span has.
func (g *game) ticks(span world.Time) int { return int(world.TicksIn(span, g.Tick)) }

func (g *game) walker(u world.User) *world.Object { return g.state.Get(walkerOf(u)) }

// count is how many objects of a kind there are.
func (g *game) count(kind world.KindID) int {
	n := 0
	for o := range g.state.All() {
		if o.Kind == kind {
			n++
		}
	}
	return n
}

// neighbours is how many others a walker sees on average.
func (g *game) neighbours() float64 {
	index := world.NewIndex(g.sight)
	index.Sync(g.state)
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
