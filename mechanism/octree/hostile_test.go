package octree

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/worlds/crowd"
)

// FuzzHostile plays histories that hostile nodes may bring about: see mechanismtest.Hostile.
func FuzzHostile(f *testing.F) {
	c := param.Default[Config]()
	c.Servers, c.Balancers, c.Reassign = 2, 2, world.Second
	town := param.Default[crowd.Config]()
	town.Walkers, town.Mode, town.Restless = 3, "dense", true
	w, err := town.World()
	if err != nil {
		f.Fatal(err)
	}
	mechanismtest.Hostile{
		Mechanism: &c,
		Worlds:    []world.World{mechanismtest.Marbles(3), w},
		Recovers:  true,
	}.Fuzz(f)
}
