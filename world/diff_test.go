package world

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
	"throng/world/wire"
)

// change is a Change by value; an object with no ID stands for none.
type change struct{ old, new Object }

// naiveDiff is what Diff means.
func naiveDiff(from, to model) []change {
	var changes []change
	ids := slices.Concat(from.ids(), to.ids())
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if from.objects[id] != to.objects[id] {
			changes = append(changes, change{from.objects[id], to.objects[id]})
		}
	}
	return changes
}

func collect(from, to *State) []change {
	var changes []change
	for c := range Diff(from, to) {
		var v change
		if c.Old != nil {
			v.old = *c.Old
		}
		if c.New != nil {
			v.new = *c.New
		}
		changes = append(changes, v)
	}
	return changes
}

func TestDiffFindsWhatDiffers(t *testing.T) {
	checkRelated(t, func(t *rapid.T, r *related) {
		i, j := r.pick(t, "from"), r.pick(t, "to")
		got, want := collect(r.states[i], r.states[j]), naiveDiff(r.models[i], r.models[j])
		if !slices.Equal(got, want) {
			t.Fatalf("differences\n%+v, want\n%+v", got, want)
		}
	})
}

func TestDiffOnTheWireTurnsOneStateIntoTheOther(t *testing.T) {
	checkRelated(t, func(t *rapid.T, r *related) {
		i, j := r.pick(t, "from"), r.pick(t, "to")
		msg := AppendDiff([]byte("before"), r.states[i], r.states[j])
		s := r.states[i].Detach()
		reader := wire.NewReader(msg[len("before"):])
		if err := s.ApplyDiff(&reader); err != nil {
			t.Fatal(err)
		}
		if err := reader.Done(); err != nil {
			t.Fatal("bytes left over")
		}
		checkState(t, s, r.models[j])
		if s.Hash() != r.states[j].Hash() {
			t.Fatal("another hash")
		}
	})
}

func TestDiffCanStopEarly(t *testing.T) {
	a, _ := flock(100)
	b := a.Clone()
	newToucher(b).touch(b, 50)
	n := 0
	for range Diff(a, b) {
		if n++; n == 10 {
			break
		}
	}
	if n != 10 {
		t.Errorf("met %d changes of 50, wanted to stop after 10", n)
	}
}

// The cost of a difference is in proportion to what changed: pages that two states share are not read.
func TestDiffReadsOnlyWhatChanged(t *testing.T) {
	a, _ := flock(1000)
	b := a.Clone()
	b.Edit(500).Attr[attrAge]++
	// Spoil, behind the back of both, everything but the one page that changed.
	for _, r := range a.pages {
		if objects := a.pool.page(r.page); a.pool.holds[r.page] == 2 {
			for i := range objects {
				objects[i].ID = 0
			}
		}
	}
	got := collect(a, b)
	if len(got) != 1 || got[0].new.ID != 500 {
		t.Errorf("differences %+v, want object 500 alone", got)
	}
}

func TestCommonFindsWhatBothHave(t *testing.T) {
	checkRelated(t, func(t *rapid.T, r *related) {
		i, j := r.pick(t, "one"), r.pick(t, "other")
		var got, want []change
		for a, b := range Common(r.states[i], r.states[j]) {
			got = append(got, change{*a, *b})
		}
		for _, id := range r.models[i].ids() {
			if b, ok := r.models[j].objects[id]; ok {
				want = append(want, change{r.models[i].objects[id], b})
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("in common\n%+v, want\n%+v", got, want)
		}
	})
}
