package aos

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// TestStallersUseUpPatience: a client that holds an area up is relieved of it, the sooner the more often it has done so, and is
// not given the area again at once.
func TestStallersUseUpPatience(t *testing.T) {
	c := param.Default[Config]()
	c.Columns, c.Rows, c.Areas, c.Window = 1, 1, 1, 100*ms
	r := run(t, &c, mechanismtest.Marbles(3), 5*ms)
	r.Play(20)
	n := r.Node(c.servers().Of(0)).(*server)
	id := mechanism.NodeID(len(r.Session.Places))
	stallings := []world.Time{}
	stalled := func() world.Time {
		_, sum := events(r, mechanism.Stalled)
		before := *sum
		cut := true
		r.Network = func(m mechanism.Message) (world.Time, bool) { return 5 * ms, cut && (m.From == id || m.To == id) }
		r.Advance(5 * world.Second)
		cut = false
		r.Advance(200 * ms)
		return world.Time(*sum - before)
	}
	for range 2 {
		if x := n.members.At(id); !x.simulates {
			n.enlist(x, n.turns.next()+1)
		}
		stallings = append(stallings, stalled())
		if n.members.At(id).simulates {
			t.Fatalf("it still has the area after standing still for %v", stallings)
		}
		if n.stalling.trusts(r.Now(), id) {
			t.Error("it may have the area again at once")
		}
	}
	if stallings[0] < c.Patience/2 || stallings[1] > stallings[0]/2 {
		t.Errorf("the area stood still for %v", stallings)
	}
	if !n.stalling.trusts(r.Now()+world.Minute*2, id) {
		t.Error("it is never trusted again")
	}
}
