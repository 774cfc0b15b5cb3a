package lockstep

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// A replica whose rules did something else is found out at the end of the turn, down to the tick, the object and the number, and
// is repaired; the others go on.
func TestImpureRulesAreFoundAndRepaired(t *testing.T) {
	for _, at := range []world.Tick{1, 40, 41} { // the step to the first, second and first tick of a turn
		w := newFlawed(3)
		w.at, w.victim = at, 3 // the server comes first, so this is user 2's
		r := rig(t, w, nil)
		all := watch(r)
		r.Start()
		r.Advance(10 * world.Second)
		n := clientOf(r, 2)
		wantInStep(t, r)
		if got := all[mechanism.Differed]; len(got) != 1 || got[0].node != 3 || got[0].value != int64(at)+1 {
			t.Errorf("tick %d: differed: %v", at, got)
		}
		if got := all[mechanism.Repaired]; len(got) != 1 || got[0].node != 3 || got[0].value != 1 {
			t.Errorf("tick %d: repaired: %v", at, got)
		}
		if d := n.Differences(); len(d) != 1 || d[0].Tick != at+1 || d[0].Object != 2 || d[0].Attribute != "x" || d[0].Got != d[0].Want+int64(fixed.One) {
			t.Errorf("tick %d: the difference is %v", at, d)
		}
		if len(all[mechanism.Stalled]) > 1 {
			t.Errorf("tick %d: others wait: %v", at, all[mechanism.Stalled])
		}
	}
}

// The same with a replica that something has overwritten, many objects of it, while people play.
func TestDamagedReplicaIsRepaired(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(4), nil)
	all := watch(r)
	r.Start()
	r.Play(133)
	damaged := clientOf(r, 3).follower.State().Detach()
	damaged.Remove(1)
	damaged.Edit(2).User = 4
	damaged.Edit(3).Attr[mechanismtest.MarbleHits] += 7
	clientOf(r, 3).follower.Restart(damaged)
	r.Play(200)
	r.Advance(world.Second)
	wantInStep(t, r)
	if got := all[mechanism.Repaired]; len(got) != 1 || got[0].value < 3 {
		t.Errorf("repaired: %v", got)
	}
	d := clientOf(r, 3).Differences()
	if len(d) < 3 || d[0].Tick != 134 || d[0].Object != 1 || d[0].Attribute != "presence" || d[1].Attribute != "user" {
		t.Errorf("the differences are %v", d)
	}
}

// What a user did while the replica was wrong is either carried out or given up, and reported once.
func TestActionsSurviveARepair(t *testing.T) {
	w := newFlawed(2)
	w.at, w.victim = 60, 2
	r := rig(t, w, nil)
	taken := map[uint32]int{}
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if c.Node == 2 && e.User == 1 && (e.Name == mechanism.Applied || e.Name == mechanism.Dropped) {
				taken[e.Seq]++
			}
		}
	}
	r.Start()
	last := uint32(0)
	for range 120 {
		r.Advance(50 * ms)
		last = r.Act(1, world.Action{Verb: mechanismtest.Drop}).Seq
	}
	r.Advance(5 * world.Second)
	wantInStep(t, r)
	for seq := uint32(1); seq <= last; seq++ {
		if taken[seq] != 1 {
			t.Errorf("action %d was reported %d times", seq, taken[seq])
		}
	}
}

// A replica that differs again and again is repaired again and again, and nobody else is harmed.
func TestRepairsGoOn(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(2), nil)
	all := watch(r)
	r.Start()
	for range 10 {
		r.Play(30)
		n := clientOf(r, 1)
		damaged := n.follower.State().Detach()
		damaged.Edit(1).Pos.X++
		n.follower.Restart(damaged)
	}
	r.Advance(5 * world.Second)
	wantInStep(t, r)
	if n := len(all[mechanism.Repaired]); n < 5 {
		t.Errorf("%d repairs", n)
	}
	if n := len(all.by(3, mechanism.Stalled)); n > 0 {
		t.Errorf("the other one waits %d times", n)
	}
}
