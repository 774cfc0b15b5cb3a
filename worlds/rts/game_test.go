package rts

import (
	"testing"

	"throng/world"
	"throng/world/random"
)

// game is a world with its artificial players, all of whom see everything as it is.
type game[W world.World] struct {
	world   W
	state   *world.State
	window  *world.Window
	players []world.Player
	actions []int // how often each verb was used
}

// newGame starts a game with the default parameters but for what change changes.
func newGame[W world.World](t testing.TB, seed uint64, change func(*Config)) *game[W] {
	t.Helper()
	c := Default()
	change(&c)
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	g := &game[W]{world: w.(W), state: world.NewState(w.Schema(), seed), actions: make([]int, len(w.Schema().Verbs))}
	w.Populate(g.state)
	g.window = world.NewWindow(g.state)
	for u := world.User(1); u <= w.Users(); u++ {
		g.players = append(g.players, w.Player(u, random.New(seed, "player", uint64(u))))
	}
	return g
}

// play lets the players play for some ticks.
func (g *game[W]) play(t testing.TB, ticks int) {
	t.Helper()
	for range ticks {
		for i, p := range g.players {
			user := world.User(i + 1)
			p.Play(world.View{State: g.state, User: user}, func(a world.Action) {
				if err := g.world.Schema().CheckAction(&a); err != nil {
					t.Fatalf("user %d: %v", user, err)
				}
				g.actions[a.Verb]++
				g.do(user, a)
			})
		}
		g.step(1)
	}
}

func (g *game[W]) do(u world.User, a world.Action) {
	a.User = u
	g.window.Do(g.world, &a)
}

// step lets ticks pass in which nobody acts.
func (g *game[W]) step(ticks int) {
	for range ticks {
		g.window.Advance(g.world)
	}
}
