package zonal

import (
	"testing"

	"throng/internal/param"
	"throng/internal/testworlds"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// FuzzHostile plays histories that hostile nodes may bring about: see mechanismtest.Hostile.
func FuzzHostile(f *testing.F) {
	c := param.Default[Config]()
	c.Zones, c.Root, c.Degree = 2, 1, 2
	mechanismtest.Hostile{
		Mechanism: &c,
		Worlds:    []world.World{mechanismtest.Marbles(3), testworlds.Dense(f, 3)},
		Recovers:  true,
	}.Fuzz(f)
}
