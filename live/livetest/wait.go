package livetest

import (
	"testing"
	"time"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// patience is how long something may take, on a machine that has much else to do.
const patience = time.Minute

// Until waits for something that comes about in its own time, without a channel to tell.
func Until(t testing.TB, what string, so func() bool) {
	t.Helper()
	deadline := time.After(patience)
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for !so() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// Sees is where a node sees somebody.
func Sees(m *mechanism.Machine, u world.User) (at fixed.Vec, seen bool) {
	if !m.Ready() {
		return at, false
	}
	for o := range m.View().All() {
		if o.User == u {
			at, seen = o.Pos, true
		}
	}
	return at, seen
}

// Moves waits until somebody has been seen to move.
func Moves(t testing.TB, sees func() (at fixed.Vec, seen bool)) {
	t.Helper()
	var at fixed.Vec
	Until(t, "somebody is seen", func() (seen bool) { at, seen = sees(); return seen })
	Until(t, "somebody is seen to move", func() bool { now, seen := sees(); return seen && now != at })
}
