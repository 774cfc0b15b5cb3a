package central

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/sight"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Everybody is served once in every interval, at the same time in it, however often the schedule is asked.
func TestEverybodyGetsTheirTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		interval := world.Time(rapid.Int64Range(1, 100).Draw(t, "interval")) * ms
		r := newSchedule(interval, rapid.IntRange(1, 20).Draw(t, "slots"))
		members := make([]*member, rapid.IntRange(1, 30).Draw(t, "members"))
		for i := range members {
			members[i] = &member{Member: input.Member{Member: membership.Member{Node: mechanism.NodeID(i)}}}
			r.add(members[i])
		}
		served := make([]int, len(members))
		for now := r.next(); now < 10*interval; now = r.next() {
			if now < 0 {
				t.Fatal("a turn before the beginning")
			}
			for slot := r.take(now); slot != nil; slot = r.take(now) {
				for _, m := range slot {
					at := now % interval
					if want := world.Time(m.slot) * interval / world.Time(len(r.slots)); at != want {
						t.Fatalf("slot %d is served at %v in an interval of %v", m.slot, at, interval)
					}
					served[m.Node]++
				}
			}
		}
		for i, n := range served {
			if n != 10 {
				t.Fatalf("member %d was served %d times in ten intervals", i, n)
			}
		}
	})
}

func TestSlotsAreEven(t *testing.T) {
	r := newSchedule(100*ms, 4)
	var members []*member
	for range 10 {
		m := &member{}
		members = append(members, m)
		r.add(m)
	}
	r.remove(members[1]) // all in the second slot leave
	r.remove(members[5])
	r.remove(members[9])
	if len(r.slots[1]) != 0 {
		t.Fatalf("%d are left in the second slot", len(r.slots[1]))
	}
	m := &member{}
	if r.add(m); m.slot != 1 {
		t.Errorf("the next one gets slot %d, want the empty one", m.slot)
	}
}

// Who comes late finds everybody once, not once for each turn that was missed.
func TestLateSchedule(t *testing.T) {
	r := newSchedule(100*ms, 4)
	for range 8 {
		r.add(&member{})
	}
	slots := 0
	for slot := r.take(10*world.Second + 30*ms); slot != nil; slot = r.take(10*world.Second + 30*ms) {
		slots++
	}
	if slots != 4 {
		t.Errorf("%d slots after a long absence, want 4", slots)
	}
	if next := r.next(); next != 10*world.Second+50*ms {
		t.Errorf("the next turn is at %v", next)
	}
}

func TestEmptyScheduleSleeps(t *testing.T) {
	r := newSchedule(100*ms, 4)
	if r.next() != world.Never || r.take(world.Second) != nil {
		t.Error("a schedule without members has turns")
	}
}

func TestNearness(t *testing.T) {
	w := newWalkers(100, 5) // who see 20 far
	s := world.NewState(w.Schema(), 1)
	n := sight.NewNearness(sight.NewField(w, s, 0))
	n.Centres = []fixed.Vec{{X: 50 * fixed.One, Y: 50 * fixed.One}, {X: 90 * fixed.One, Y: 50 * fixed.One}}
	for _, c := range []struct {
		x      int64
		moving bool
		want   int
	}{{51, true, 1}, {51, false, 2}, {54, true, 2}, {58, true, 3}, {65, true, 4}, {65, false, 4}, {89, true, 1}, {500, true, update.Lanes - 1}} {
		o := world.Object{Pos: fixed.Vec{X: fixed.FromInt(c.x), Y: 50 * fixed.One}}
		if c.moving {
			o.Vel.Y = 1
		}
		if got := n.Rank(&o); got != c.want {
			t.Errorf("what is at %d and moves (%v) is in lane %d, want %d", c.x, c.moving, got, c.want)
		}
	}
	n.Centres = nil
	if got := n.Rank(&world.Object{Vel: fixed.Vec{X: 1}}); got != update.Lanes-1 {
		t.Errorf("for a user who is nowhere it is in lane %d", got)
	}
}

// Where there are many members, slots are cut in two: half of the members keep their time, and none misses a turn.
func TestManyMembersHaveMoreSlots(t *testing.T) {
	const interval = 100 * ms
	r := newSchedule(interval, 0)
	const many = slotsFew * slotFull
	members := make([]*member, many)
	for i := range members {
		members[i] = &member{Member: input.Member{Member: membership.Member{Node: mechanism.NodeID(i)}}}
		r.add(members[i])
	}
	last := map[*member]world.Time{}
	serve := func(until world.Time) {
		for now := r.next(); now < until; now = r.next() {
			for slot := r.take(now); slot != nil; slot = r.take(now) {
				for _, m := range slot {
					last[m] = now
				}
			}
		}
	}
	serve(interval + interval/2)
	if len(r.slots) != slotsFew {
		t.Fatalf("%d slots", len(r.slots))
	}
	before := map[*member]world.Time{}
	for _, m := range members {
		before[m] = last[m] % interval
	}
	r.add(&member{})
	serve(3 * interval)
	kept := 0
	for _, m := range members {
		switch at := last[m] % interval; {
		case last[m] < 2*interval:
			t.Fatalf("somebody was last served at %v", last[m])
		case at == before[m]:
			kept++
		case at != before[m]+interval/slotsFew/2:
			t.Fatalf("somebody is served at %v instead of %v", at, before[m])
		}
	}
	if len(r.slots) != 2*slotsFew || kept != slotsFew*((slotFull+1)/2) {
		t.Errorf("%d slots, and %d members keep their time", len(r.slots), kept)
	}
}

// Slots do not get shorter than it takes to wake for one.
func TestSlotsAreNotTooShort(t *testing.T) {
	for interval, most := range map[world.Time]int{100 * ms: 160, 10 * ms: 20, 5 * ms: 10, ms: 10} {
		r := newSchedule(interval, 0)
		for range 200 * slotFull {
			r.add(&member{})
		}
		if len(r.slots) != most {
			t.Errorf("%d slots in %v, want %d", len(r.slots), interval, most)
		}
	}
}

// Many who are heard from at the same time in every interval come to be served soon after that; slots stay even, and nobody waits
// for longer than an interval meanwhile.
func TestServedSoonAfterHeard(t *testing.T) {
	const interval, many = 100 * ms, 1000
	r := newSchedule(interval, 0)
	random := random.New(1, "heard")
	phases := make([]world.Time, many)
	members := make([]*member, many)
	last := make([]world.Time, many)
	for i := range members {
		phases[i] = world.Time(random.Below(uint64(interval)))
		members[i] = &member{Member: input.Member{Member: membership.Member{Node: mechanism.NodeID(i)}}}
		r.add(members[i])
	}
	byPhase := slices.SortedFunc(slices.Values(members), func(a, b *member) int { return cmp.Compare(phases[a.Node], phases[b.Node]) })
	serve := func(until world.Time) {
		for now := r.next(); now <= until; now = r.next() {
			for slot := r.take(now); slot != nil; slot = r.take(now) {
				for _, m := range slot {
					if now-last[m.Node] > interval {
						t.Fatalf("nothing was sent for %v", now-last[m.Node])
					}
					last[m.Node] = now
				}
			}
		}
	}
	for round := range world.Time(10 * strayMost) {
		for _, m := range byPhase {
			now := round*interval + phases[m.Node]
			serve(now)
			r.follow(m, now)
		}
	}
	late := 0
	for _, m := range members {
		wait := (r.at(int64(m.slot)) - phases[m.Node] + interval) % interval
		if wait > interval/7 {
			late++
		}
	}
	if late > many/20 {
		t.Errorf("%d of %d wait for long", late, many)
	}
	least, most := many, 0
	for _, slot := range r.slots {
		least, most = min(least, len(slot)), max(most, len(slot))
	}
	if n := many / len(r.slots); most > n+1 || least < n/2 {
		t.Errorf("slots have %d to %d members", least, most)
	}
}
