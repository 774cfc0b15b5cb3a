package pong

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// game is a court with its artificial players, who see everything as it is.
type game struct {
	court   *court
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

func newGame(t testing.TB, seed uint64) *game {
	t.Helper()
	return newGameOf(t, Default(), seed)
}

func newGameOf(t testing.TB, c Config, seed uint64) *game {
	t.Helper()
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	g := &game{court: w.(*court), state: world.NewState(w.Schema(), seed)}
	w.Populate(g.state)
	g.window = world.NewWindow(g.state)
	for u := world.User(1); u <= users; u++ {
		g.players = append(g.players, w.Player(u, random.New(seed, "player", uint64(u))))
	}
	return g
}

// play lets the players play for some ticks.
func (g *game) play(ticks int) {
	for range ticks {
		for i, p := range g.players {
			user := world.User(i + 1)
			v := world.View{State: g.state, User: user, Lag: world.Time(g.lag) * g.court.Tick}
			p.Play(v, func(a world.Action) {
				a.User = user
				g.told = append(g.told, order{g.state.Tick() + g.lag, a})
				g.actions++
			})
		}
		for len(g.told) > 0 && g.told[0].at <= g.state.Tick() {
			g.window.Do(g.court, &g.told[0].action)
			g.told = g.told[1:]
		}
		g.window.Advance(g.court)
	}
}

// step lets ticks pass in which nobody acts.
func (g *game) step(ticks int) {
	for range ticks {
		g.window.Advance(g.court)
	}
}

func (g *game) ball() *world.Object               { return g.state.Edit(ball) }
func (g *game) racket(u world.User) *world.Object { return g.state.Edit(racketOf(u)) }
func (g *game) points(u world.User) int64         { return g.state.Get(scoreOf(u)).Attr[attrPoints] }

// place puts a racket somewhere, to stay.
func (g *game) place(u world.User, y fixed.F) {
	o := g.racket(u)
	o.Pos.Y = y
	o.SetFixed(attrGoal, y)
}

// move carries out one action of a user.
func (g *game) move(u world.User, y int64) {
	g.window.Do(g.court, &world.Action{User: u, Verb: Move, Args: [world.MaxArgs]int64{y}})
}

// vec writes a vector in whole pixels.
func vec(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }

func near(t *testing.T, what string, got, want fixed.Vec) {
	t.Helper()
	if !got.Within(want, px/100) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
