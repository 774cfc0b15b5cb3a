package turn

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism"
)

// wants compares which turn is closed next and who is waited for.
func wants(t *testing.T, a *Advances, next Number, late ...mechanism.NodeID) {
	t.Helper()
	n, complete := a.Next()
	if got := a.Late(nil); n != next || complete != (len(late) == 0) || !slices.Equal(got, late) {
		t.Fatalf("turn %d waits for %v (complete: %t), not turn %d for %v", n, got, complete, next, late)
	}
	for id := range mechanism.NodeID(10) {
		if a.IsLate(id) != slices.Contains(late, id) {
			t.Fatalf("node %d is late: %t", id, a.IsLate(id))
		}
	}
}

func TestTurnIsClosedWhenAllAreDone(t *testing.T) {
	var a Advances
	wants(t, &a, 0)
	a.Add(2, 0, 2)
	a.Add(1, 0, 2)
	wants(t, &a, 0) // nobody can have acted for turns 0 and 1
	a.Close()
	a.Close()
	wants(t, &a, 2, 1, 2)
	if effect, ok := a.Take(1, 0); effect != 2 || !ok {
		t.Fatalf("what was done in turn 0 takes effect in turn %d", effect)
	}
	wants(t, &a, 2, 2)
	if _, ok := a.Take(1, 0); ok {
		t.Fatal("a turn-advance counts twice")
	}
	if _, ok := a.Take(1, 2); ok {
		t.Fatal("a turn is left out")
	}
	if _, ok := a.Take(3, 0); ok {
		t.Fatal("somebody unknown is done")
	}
	a.Take(1, 1)
	a.Take(2, 0)
	wants(t, &a, 2)
	a.Close()
	wants(t, &a, 3, 2)
}

func TestWhoGoesIsNotWaitedFor(t *testing.T) {
	var a Advances
	a.Begin(10)
	a.Add(4, 9, 1)
	a.Add(5, 9, 1)
	wants(t, &a, 10, 4, 5)
	a.Take(5, 9)
	a.Remove(4)
	wants(t, &a, 10)
	if a.Has(4) || !a.Has(5) || a.Len() != 1 {
		t.Error("the wrong one is gone")
	}
	a.Remove(4)
	a.Add(5, 12, 1) // it comes back from a snapshot
	a.Close()
	wants(t, &a, 11)
	a.Close()
	wants(t, &a, 12)
	a.Close()
	wants(t, &a, 13, 5)
}

// Whatever becomes of delays, a member's actions take effect in the order in which they were taken, and never in a turn that
// was closed before.
func TestNothingOvertakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const members = 4
		var a Advances
		var next, last [members]Number
		for i := range members {
			a.Add(mechanism.NodeID(i), 0, 1)
		}
		for range 200 {
			i := rapid.IntRange(0, members-1).Draw(t, "member")
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				a.SetDelay(mechanism.NodeID(i), Number(rapid.IntRange(1, 5).Draw(t, "delay")))
			default:
				effect, ok := a.Take(mechanism.NodeID(i), next[i])
				if closed, _ := a.Next(); !ok || effect < last[i] || effect < closed {
					t.Fatalf("turn %d of member %d takes effect in turn %d, after %d; turn %d is next", next[i], i, effect, last[i], closed)
				}
				next[i], last[i] = next[i]+1, effect
			}
			n, complete := a.Next()
			late := a.Late(nil)
			if complete != (len(late) == 0) {
				t.Fatalf("turn %d is complete: %t, but %v are late", n, complete, late)
			}
			if complete {
				a.Close()
			}
		}
	})
}

// A longer delay lets turns pass; a shorter one lets several of a member's turns fall into one, and nobody stands still.
func TestDelayChanges(t *testing.T) {
	var a Advances
	a.Begin(2)
	a.Add(1, 0, 2)
	a.Take(1, 0)
	a.Close()
	wants(t, &a, 3, 1)
	a.SetDelay(1, 4)
	if a.Delay(1) != 4 {
		t.Error("the delay is not what was set")
	}
	wants(t, &a, 3)
	a.Close()
	a.Close()
	wants(t, &a, 5, 1)
	a.SetDelay(1, 2)
	for n, want := range []Number{5, 5, 5} {
		if effect, _ := a.Take(1, Number(n+1)); effect != want {
			t.Errorf("turn %d takes effect in turn %d instead of %d", n+1, effect, want)
		}
	}
	wants(t, &a, 5)
}

func BenchmarkTurnOf400(b *testing.B) {
	var a Advances
	for i := range 400 {
		a.Add(mechanism.NodeID(i+1), 0, 2)
	}
	a.Begin(2)
	b.ReportAllocs()
	for n := Number(0); b.Loop(); n++ {
		for i := range 400 {
			a.Take(mechanism.NodeID(i+1), n)
		}
		a.Close()
	}
}
