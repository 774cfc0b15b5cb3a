package worldtest

import (
	"testing"

	"throng/world"
	"throng/world/random"
)

// Game is a world with its own players, all of whom see everything as it is. It is for tests of what happens in a world.
type Game[W world.World] struct {
	World   W
	State   *world.State
	Window  *world.Window
	Players []world.Player // of user 1, user 2, ...
	Lag     world.Tick     // after how many ticks what players do takes effect
	Actions []int          // how often they used each verb

	orders []order
}

// order is an action and the tick at which it takes effect.
type order struct {
	at     world.Tick
	action world.Action
}

// NewGame starts a game.
func NewGame[W world.World](w W, seed uint64) *Game[W] {
	s := world.NewState(w.Schema(), seed)
	w.Populate(s)
	g := &Game[W]{World: w, State: s, Window: world.NewWindow(s), Actions: make([]int, len(w.Schema().Verbs))}
	for u := world.User(1); u <= w.Users(); u++ {
		g.Players = append(g.Players, w.Player(u, random.New(seed, "player", uint64(u))))
	}
	return g
}

// Play lets the players play for some ticks.
func (g *Game[W]) Play(t testing.TB, ticks int) {
	t.Helper()
	schema := g.World.Schema()
	for range ticks {
		for i, p := range g.Players {
			user := world.User(i + 1)
			view := world.View{State: g.State, User: user, Lag: world.Time(g.Lag) * schema.Tick}
			p.Play(view, func(a world.Action) {
				if err := schema.CheckAction(&a); err != nil {
					t.Fatalf("user %d: %v", user, err)
				}
				a.User = user
				g.Actions[a.Verb]++
				g.orders = append(g.orders, order{g.State.Tick() + g.Lag, a})
			})
		}
		for len(g.orders) > 0 && g.orders[0].at <= g.State.Tick() {
			g.Window.Do(g.World, &g.orders[0].action)
			g.orders = g.orders[1:]
		}
		g.Wait(1)
	}
}

// Wait lets ticks pass in which nobody acts.
func (g *Game[W]) Wait(ticks int) {
	for range ticks {
		g.Window.Advance(g.World)
	}
}

// Do carries out an action of a user.
func (g *Game[W]) Do(u world.User, a world.Action) {
	a.User = u
	g.Window.Do(g.World, &a)
}
