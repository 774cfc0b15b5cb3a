package rts

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/worldtest"
)

// game is a world with its artificial players.
type game[W world.World] struct {
	*worldtest.Game[W]
}

// newGame starts a game with the default parameters but for what change changes.
func newGame[W world.World](t testing.TB, seed uint64, change func(*Config)) *game[W] {
	t.Helper()
	c := param.Default[Config]()
	change(&c)
	return &game[W]{worldtest.NewGame(worldtest.Make[W](t, &c), seed)}
}
