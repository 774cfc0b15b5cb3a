package swarm

import (
	"testing"

	"throng/world/worldtest"
)

func TestWorld(t *testing.T) {
	// Eight bees look at every pair of balls, 200 ask who is near.
	worldtest.Run(t, newGame(t, 8, 1).World, worldtest.Seeds(1, 2))
	worldtest.Run(t, newGame(t, 200, 1).World, worldtest.Ticks(20))
}
