package aos

import (
	"testing"

	"throng/internal/param"
	"throng/internal/testworlds"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/link/linktest"
	"throng/world"
)

// FuzzHostile plays histories that hostile nodes may bring about: see mechanismtest.Hostile.
func FuzzHostile(f *testing.F) {
	c := param.Default[Config]()
	c.Columns, c.Rows, c.Areas, c.Window = 2, 1, 2, world.Second
	mechanismtest.Hostile{
		Mechanism: &c,
		Worlds:    []world.World{mechanismtest.Marbles(3), testworlds.Dense(f, 3)},
		Forger:    linktest.Forger(c.Link),
		Recovers:  true,
	}.Fuzz(f)
}
