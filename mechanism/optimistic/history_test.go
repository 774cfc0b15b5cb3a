package optimistic

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
	"throng/world"
)

// texts lists the inputs of a tick as user and number.
func texts(h *history, t world.Tick) [][2]int {
	var all [][2]int
	for at := *h.tick(t); at != 0; at = h.input(at).next {
		a := &h.input(at).action
		all = append(all, [2]int{int(a.User), int(a.Seq)})
	}
	return all
}

func TestHistoryKeepsOrder(t *testing.T) {
	h := newHistory(10)
	for _, c := range []struct {
		tick  world.Tick
		user  world.User
		epoch uint32
		seq   uint32
		want  verdict
	}{
		{5, 2, 0, 1, appended},
		{5, 3, 1, 1, appended},
		{5, 1, 0, 7, inserted},
		{5, 2, 0, 3, inserted},
		{5, 2, 0, 2, inserted},
		{5, 2, 0, 2, duplicate},
		{6, 2, 0, 2, appended}, // the same name in another tick is for others to notice
		{5, 3, 1, 2, appended},
		{5, 3, 0, 9, inserted}, // each epoch counts anew
		{5, 3, 2, 1, appended},
		{5, 3, 2, 1, duplicate},
	} {
		if _, v := h.insert(c.tick, &world.Action{User: c.user, Seq: c.seq}, c.epoch); v != c.want {
			t.Errorf("%+v: %d", c, v)
		}
	}
	want := [][2]int{{1, 7}, {2, 1}, {2, 2}, {2, 3}, {3, 9}, {3, 1}, {3, 2}, {3, 1}}
	if got := texts(&h, 5); !slices.Equal(got, want) {
		t.Errorf("tick 5 holds %v, not %v", got, want)
	}
}

func TestHistoryRefusesTooManyOfOneUser(t *testing.T) {
	h := newHistory(10)
	for seq := range uint32(perTickMax) {
		if _, v := h.insert(1, &world.Action{User: 1, Seq: 2 * seq}, 0); v == refused {
			t.Fatalf("the action with number %d is refused", seq)
		}
	}
	if _, v := h.insert(1, &world.Action{User: 1, Seq: 1}, 1); v != refused {
		t.Error("one too many is not refused")
	}
	if _, v := h.insert(1, &world.Action{User: 2, Seq: 1}, 0); v != appended {
		t.Error("another user's is refused")
	}
}

// TestHistory compares the history with a plain list.
func TestHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const span = 20
		h := newHistory(span)
		var all []timed
		var first world.Tick
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			if rapid.IntRange(0, 9).Draw(t, "discard") == 0 {
				first += world.Tick(rapid.IntRange(0, span/2).Draw(t, "ticks"))
				h.discard(first)
				all = slices.DeleteFunc(all, func(d timed) bool { return d.tick < first })
				continue
			}
			d := timed{
				tick:   first + world.Tick(rapid.IntRange(0, span-1).Draw(t, "tick")),
				action: world.Action{User: world.User(rapid.IntRange(1, 4).Draw(t, "user")), Seq: uint32(rapid.IntRange(1, 9).Draw(t, "seq"))},
			}
			known := slices.Contains(all, d)
			if _, v := h.insert(d.tick, &d.action, 0); (v == duplicate) != known {
				t.Fatalf("%+v: %d", d, v)
			}
			if !known {
				all = append(all, d)
			}
		}
		slices.SortFunc(all, func(a, b timed) int {
			if a.action.Before(&b.action) {
				return -1
			}
			return 1
		})
		for tick := first; tick < first+span; tick++ {
			var want [][2]int
			for _, d := range all {
				if d.tick == tick {
					want = append(want, [2]int{int(d.action.User), int(d.action.Seq)})
				}
			}
			if got := texts(&h, tick); !slices.Equal(got, want) {
				t.Fatalf("tick %d holds %v, not %v", tick, got, want)
			}
		}
		if h.count != len(all) {
			t.Fatalf("%d inputs, not %d", h.count, len(all))
		}
		h.discard(first + span)
		if h.count != 0 || h.bytes() != 4*len(h.ticks) {
			t.Fatalf("%d inputs are left", h.count)
		}
	})
}

func TestSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := seen{epoch: 3}
		has := map[uint32]bool{}
		var top uint32
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			var seq uint32
			if rapid.Bool().Draw(t, "news") {
				seq = top + uint32(rapid.SampledFrom([]int{1, 1, 1, 2, 70, seenSize - 1, seenSize, 3 * seenSize}).Draw(t, "jump"))
			} else {
				seq = top - min(top, uint32(rapid.IntRange(0, 2*seenSize).Draw(t, "back")))
			}
			want := seq <= top && top-seq < seenSize && has[seq]
			if s.has(3, seq) != want {
				t.Fatalf("%d after %d: %v", seq, top, !want)
			}
			if s.has(2, seq) {
				t.Fatalf("%d of another epoch has come", seq)
			}
			s.add(2, seq)
			s.add(3, seq)
			has[seq] = true
			top = max(top, seq)
		}
	})
}
