package stall

import (
	"testing"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

const ms = world.Millisecond

var quarter = fixed.Ratio(1, 4)

func wantLeft(t *testing.T, b *Budget, now world.Time, id mechanism.NodeID, want world.Time) {
	t.Helper()
	if got := b.Left(now, id); got != want {
		t.Errorf("at %v node %d has %v left, not %v", now, id, got, want)
	}
}

func TestWaitingUsesUpAndTimeGivesBack(t *testing.T) {
	b := New(2*world.Second, quarter)
	wantLeft(t, &b, 0, 7, 2*world.Second)
	b.Charge(1000*ms, []mechanism.NodeID{7}, 600*ms)
	wantLeft(t, &b, 1000*ms, 7, 1400*ms)
	wantLeft(t, &b, 2000*ms, 7, 1650*ms)
	wantLeft(t, &b, world.Minute, 7, 2*world.Second)
	b.Charge(world.Minute+3*world.Second, []mechanism.NodeID{7}, 3*world.Second)
	if left := b.Left(world.Minute+3*world.Second, 7); left > 0 {
		t.Errorf("%v left after three seconds", left)
	}
}

// While everybody waits nothing is given back, or a share of one would never end.
func TestNothingIsGivenBackWhileWaiting(t *testing.T) {
	b := New(world.Second, fixed.One)
	for now := 100 * ms; now <= world.Second; now += 100 * ms {
		b.Charge(now, []mechanism.NodeID{1}, 100*ms)
	}
	wantLeft(t, &b, world.Second, 1, 0)
}

// However many take turns at being late, and however often they come back, waiting takes no more than its share of the time.
func TestManyOffendersUseUpOneStock(t *testing.T) {
	b := New(world.Second, quarter)
	var now, waited world.Time
	id := mechanism.NodeID(2)
	for now < 10*world.Minute {
		b.Welcome(now, id)
		for b.Left(now, id) > 0 { // it makes everybody wait as long as it can, and is cut off
			now += 10 * ms
			waited += 10 * ms
			b.Charge(now, []mechanism.NodeID{id}, 10*ms)
		}
		now += 50 * ms
		id++
	}
	if most := world.Second + now/5 + now/100; waited > most {
		t.Errorf("everybody has waited for %v of %v", waited, now)
	}
	wantLeft(t, &b, now, 1, world.Second/suspectShare) // who had nothing to do with it is still waited for, if not for long
}

func TestOffendersAreRemembered(t *testing.T) {
	b := New(world.Second, quarter)
	b.Welcome(0, 5)
	wantLeft(t, &b, 0, 5, world.Second/newcomersHave)
	b.Charge(world.Second, []mechanism.NodeID{5}, 750*ms)
	b.Welcome(world.Second, 5) // it was dismissed, and is back
	if left := b.Left(world.Second, 5); left > 0 {
		t.Errorf("it has %v left", left)
	}
	b.Welcome(world.Minute, 5)
	wantLeft(t, &b, world.Minute, 5, world.Second/newcomersHave)
}

func TestDismissalCounts(t *testing.T) {
	b := New(world.Second, quarter)
	now := world.Time(0)
	for range 20 {
		b.Dismiss(now, 5)
	}
	wantLeft(t, &b, now, 5, (1-debtMax)*world.Second)
	wantLeft(t, &b, now+4*debtMax*world.Second, 5, world.Second)
}

func TestMemoryIsBounded(t *testing.T) {
	b := New(world.Second, quarter)
	worst := mechanism.NodeID(1)
	b.Charge(world.Second, []mechanism.NodeID{worst}, 2*world.Second)
	for id := worst + 1; id < 20*remembered; id++ {
		b.Welcome(world.Second, id)
	}
	if len(b.each) > remembered {
		t.Errorf("%d are remembered", len(b.each))
	}
	if left := b.Left(world.Second, worst); left > 0 {
		t.Errorf("the worst is forgotten: it has %v left", left)
	}
}
