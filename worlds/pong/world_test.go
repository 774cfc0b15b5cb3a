package pong

import (
	"testing"

	"throng/world/worldtest"
)

func TestWorld(t *testing.T) {
	worldtest.Run(t, newGame(t, 1).World, worldtest.Ticks(1000), worldtest.Seeds(1, 2))
}
