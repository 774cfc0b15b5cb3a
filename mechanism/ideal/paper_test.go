package ideal

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// IV.3: all variables are kept consistent on all hosts; with no delay and no loss this holds at all times, not only in
// the end.
func TestPaperAllVariablesEqualAtAllTimes(t *testing.T) {
	const users = 8
	r := newRig(t, users)
	r.Network = mechanismtest.Constant(0)
	for range 200 {
		r.Play(1)
		for id := mechanism.NodeID(2); id <= users; id++ {
			if r.View(id).Hash() != r.View(1).Hash() {
				t.Fatalf("at %v node %d differs from node 1", r.Now(), id)
			}
		}
	}
	if r.View(1).Get(1).Pos == r.Session.Start.Get(1).Pos {
		t.Error("nothing happened")
	}
}

// IV.3: it needs a network without delay and loss. On any other, what comes too late is not used.
func TestPaperOnlyOnAPerfectNetwork(t *testing.T) {
	var _ mechanism.Idealised = (*Config)(nil)
	r := newRig(t, 2)
	r.Network = mechanismtest.Constant(100 * world.Millisecond)
	late := 0
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if e.Name == mechanism.Late {
				late++
			}
		}
	}
	r.Act(1, count(5))
	r.Advance(world.Second)
	if late != 1 {
		t.Errorf("%d actions were late, want 1", late)
	}
	if r.View(1).Hash() == r.View(2).Hash() {
		t.Error("the views agree over a slow network")
	}
}
