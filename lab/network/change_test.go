package network

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

func TestChangesDelayAndLose(t *testing.T) {
	const ms, second = world.Millisecond, world.Second
	changes := []Change{
		{From: 10 * second, Until: 20 * second, A: []uint32{1, 2}, B: []uint32{2, 3}, Delay: 50 * ms},
		{From: 15 * second, Until: 30 * second, A: []uint32{3}, Delay: 7 * ms},
		{From: 15 * second, Until: 30 * second, A: []uint32{4}, Loss: fixed.One},
		{From: 18 * second, Until: 19 * second, Sides: [][]uint32{{1}, {2}}},
	}
	for _, kind := range []string{"constant", "perfect"} {
		settings, base := "", world.Time(0)
		if kind == "constant" {
			settings, base = "loss=0 delay=100ms", 100*ms
		}
		m := Disturb(build(t, kind, 5, settings), changes, 1, 5)
		for _, c := range []struct {
			now      world.Time
			from, to uint32
			extra    world.Time
			cause    Cause
		}{
			{10*second - 1, 1, 2, 0, None},
			{10 * second, 1, 2, 50 * ms, None},
			{10 * second, 2, 1, 50 * ms, None}, // both ways
			{12 * second, 1, 5, 0, None},       // only one of them is concerned
			{16 * second, 3, 1, 57 * ms, None}, // two changes at once
			{16 * second, 3, 5, 7 * ms, None},  // whoever it is
			{25 * second, 3, 1, 7 * ms, None},
			{11 * second, 1, 2, 50 * ms, None}, // time may run backwards: links differ in how far they are behind
			{10*second - 1, 1, 2, 0, None},
			{15 * second, 4, 5, 0, Lost},
			{15 * second, 5, 4, 0, Lost},
			{18 * second, 1, 2, 0, Partitioned},
			{18 * second, 1, 3, 57 * ms, None},
			{30 * second, 4, 5, 0, None},
		} {
			got := m.Fate(c.now, c.from, c.to, 100)
			if got.Cause != c.cause || c.cause == None && (got.N != 1 || got.Delays[0] != base+c.extra) {
				t.Errorf("%s at %v from %d to %d: %+v, want %v more, %v", kind, c.now, c.from, c.to, got, c.extra, c.cause)
			}
		}
		if n := len(Changes(m)); n != len(changes) {
			t.Errorf("%s tells of %d changes", kind, n)
		}
	}
}

// What a change loses is drawn by itself: neither another change nor another pair's packets shift it, and packets outside it
// meet the fate that they would have met without.
func TestChangesDrawByThemselves(t *testing.T) {
	const second = world.Second
	quarter := Change{From: 0, Until: 100 * second, A: []uint32{1}, Loss: fixed.One / 4}
	fates := func(changes ...Change) (lost []bool, n int) {
		m := Disturb(build(t, "constant", 4, "loss=0"), changes, 1, 4)
		for i := range samples {
			m.Fate(world.Time(i), 3, 1, 100)
			gone := m.Fate(world.Time(i), 1, 2, 100).Cause == Lost
			lost = append(lost, gone)
			if gone {
				n++
			}
		}
		return lost, n
	}
	alone, n := fates(quarter)
	checkShare(t, "lost", n, samples, 0.25)
	before, _ := fates(Change{From: 0, Until: 1, A: []uint32{3}, Loss: fixed.One / 2}, quarter)
	for i := range alone {
		if alone[i] != before[i] {
			t.Fatal("another change shifts what is lost")
		}
	}
	_, n = fates(quarter, Change{From: 0, Until: 50 * second, A: []uint32{2}, Loss: fixed.One / 2})
	checkShare(t, "lost to one or the other", n, samples, 1-0.75*0.5)
}

// Partitions that the network was given by its parameters stay when others come.
func TestPartitionsAddUp(t *testing.T) {
	m := build(t, "constant", 3, "loss=0 partitions=10s..20s:1|2")
	m = Disturb(m, []Change{{From: 15 * world.Second, Until: 25 * world.Second, Sides: [][]uint32{{1}, {3}}}}, 1, 3)
	for _, c := range []struct {
		now  world.Time
		to   uint32
		want Cause
	}{{12, 2, Partitioned}, {12, 3, None}, {16, 2, Partitioned}, {16, 3, Partitioned}, {22, 2, None}, {22, 3, Partitioned}} {
		if got := m.Fate(c.now*world.Second, 1, c.to, 100).Cause; got != c.want {
			t.Errorf("at %v s to %d: %v, want %v", int64(c.now), c.to, got, c.want)
		}
	}
}
