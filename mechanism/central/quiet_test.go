package central

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// Clients around whom nothing happens are left alone, whatever happens elsewhere.
func TestQuietClientsAreLeftAlone(t *testing.T) {
	r := newRig(t, newWalkers(200, 8), nil)
	n := authorityOf(r)
	quiet := func() (count int) {
		for u := world.User(1); u <= 200; u++ {
			if n.undisturbed(n.members.Of(u)) {
				count++
			}
		}
		return count
	}
	r.Advance(3 * world.Second)
	if got := quiet(); got != 200 {
		t.Fatalf("%d of 200 clients are quiet in a world at rest", got)
	}
	r.Act(1, steering(walkerSpeed, walkerSpeed))
	for range 10 {
		r.Advance(30 * ms)
		if got := quiet(); got < 50 || n.undisturbed(n.members.Of(1)) {
			t.Fatalf("%d of 200 clients are quiet while one walks, who is not", got)
		}
	}
	r.Act(1, steering(0, 0))
	r.Advance(world.Second)
	if got := quiet(); got != 200 {
		t.Errorf("%d of 200 clients are quiet after the walk", got)
	}
	at, has := authorityOf(r).replica.State.Get(1).Pos, 0
	for u := world.User(2); u <= 200; u++ {
		if o := clientOf(r, u).View().Get(1); o != nil {
			has++
			if (o.Pos.X - at.X).Abs() > fixed.One/32 {
				t.Errorf("user %d sees the walker at %v, not at %v", u, o.Pos, at)
			}
		}
	}
	if has == 0 {
		t.Error("nobody sees the walker")
	}
}
