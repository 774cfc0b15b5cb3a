package loose

import (
	"slices"
	"testing"

	"throng/world"
)

// walk goes through a ledger with the given objects and returns the IDs in it afterwards.
func walk(l *ledger, now world.Tick, mine bool, ids ...world.ID) []world.ID {
	l.begin(now)
	for _, id := range ids {
		l.at(id).mine = mine
	}
	l.end()
	var all []world.ID
	for _, e := range l.entries {
		all = append(all, e.id)
	}
	return all
}

func TestLedgerRemembersWhatIsGone(t *testing.T) {
	l := ledger{keep: 10}
	walk(&l, 1, false, 1, 2, 3)
	l.find(2, 1).heard = 5
	if got := walk(&l, 15, false, 1, 3); !slices.Equal(got, []world.ID{1, 2, 3}) {
		t.Errorf("after 10 ticks it knows of %v", got)
	}
	if got := walk(&l, 16, false, 1, 3); !slices.Equal(got, []world.ID{1, 3}) {
		t.Errorf("after 11 ticks it knows of %v", got)
	}
}

func TestLedgerNotesOwnRemovals(t *testing.T) {
	l := ledger{keep: 10}
	walk(&l, 1, true, 1, 2)
	walk(&l, 2, true, 1)
	if e := l.find(2, 2); e.again != removalRepeats || e.heard != 2 || e.mine {
		t.Errorf("the entry is %+v", *e)
	}
	// Until it has been told, it is not forgotten.
	if got := walk(&l, 100, true, 1); !slices.Equal(got, []world.ID{1, 2}) {
		t.Errorf("it knows of %v", got)
	}
	// If the object comes back, there is nothing to tell any more.
	walk(&l, 101, true, 1, 2)
	if e := l.find(2, 101); e.again != 0 {
		t.Errorf("the entry is %+v", *e)
	}
}

func TestLedgerFindKeepsOrder(t *testing.T) {
	var l ledger
	for _, id := range []world.ID{5, 1, 3, 5, 9, 2} {
		l.find(id, 0)
	}
	if got := walk(&l, 0, false, 1, 2, 3, 5, 9); !slices.Equal(got, []world.ID{1, 2, 3, 5, 9}) {
		t.Errorf("the order is %v", got)
	}
}
