package pong

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
)

// game is a court with its artificial players.
type game struct {
	*worldtest.Game[*court]
}

func newGame(t testing.TB, seed uint64) *game {
	t.Helper()
	return newGameOf(t, param.Default[Config](), seed)
}

func newGameOf(t testing.TB, c Config, seed uint64) *game {
	t.Helper()
	return &game{worldtest.NewGame(worldtest.Make[*court](t, &c), seed)}
}

func (g *game) ball() *world.Object               { return g.State.Edit(ball) }
func (g *game) racket(u world.User) *world.Object { return g.State.Edit(racketOf(u)) }
func (g *game) points(u world.User) int64         { return g.State.Get(scoreOf(u)).Attr[attrPoints] }

// place puts a racket somewhere, to stay.
func (g *game) place(u world.User, y fixed.F) {
	o := g.racket(u)
	o.Pos.Y = y
	o.SetFixed(attrGoal, y)
}

// move carries out one action of a user.
func (g *game) move(u world.User, y int64) {
	g.Do(u, world.Action{Verb: Move, Args: [world.MaxArgs]int64{y}})
}

// vec writes a vector in whole pixels.
func vec(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }

func near(t *testing.T, what string, got, want fixed.Vec) {
	t.Helper()
	if !got.Within(want, px/100) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
