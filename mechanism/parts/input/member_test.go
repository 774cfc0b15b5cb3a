package input

import (
	"testing"

	"throng/world"
)

// As many actions may come at once as a client repeats.
func TestHeldUpActionsAreAllowed(t *testing.T) {
	m := &Member{}
	n := 0
	for m.Allow(7, 3) {
		n++
	}
	if n != ActionsMax {
		t.Errorf("%d actions are allowed at once, want %d", n, ActionsMax)
	}
	if !m.Allow(world.Tick(8), 3) {
		t.Error("no action is allowed in the next tick")
	}
}
