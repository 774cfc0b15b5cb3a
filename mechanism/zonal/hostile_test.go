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
	c.Zones, c.Root, c.Degree, c.Levels, c.Audit = 2, 1, 2, 1, 500*world.Millisecond
	mechanismtest.Hostile{
		Forger:    mechanismtest.Forger{Known: oneOfEach()},
		Mechanism: &c,
		Worlds:    []world.World{mechanismtest.Marbles(3), testworlds.Dense(f, 3)},
		Recovers:  true,
	}.Fuzz(f)
}

// oneOfEach are messages of all kinds, also of those that are seldom sent, with numbers that mean something.
func oneOfEach() (all [][]byte) {
	for kind := byte(1); kind <= kindAccuse; kind++ {
		for _, rest := range [][]byte{{3}, {3, 1}, {3, 1, 4}, {3, 2, 4, 5, 1, 1}, {3, 0, 1, 4, 7, 9}, {1, 9}} {
			all = append(all, append([]byte{kind}, rest...))
		}
	}
	return all
}
