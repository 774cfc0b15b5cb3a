package rts

import (
	"testing"

	"throng/internal/param"
	"throng/world"
)

func TestKindsAreExplained(t *testing.T) {
	r := newRealm(Config{Game: gamePlay, Tick: param.Default[Config]().Tick, Vision: param.Default[Config]().Vision, Skill: skillNormal}.suited())
	for kind, want := range map[world.KindID]string{
		kindWorker:   "40 ore, 6s",
		kindSoldier:  "40 ore, 20 wood, 8s, beats riders",
		kindBarracks: "40 ore, 100 wood, 15s",
		kindField:    "",
	} {
		if got := r.Explain(kind); got != want {
			t.Errorf("%s: %q, want %q", sorts[kind].name, got, want)
		}
	}
}
