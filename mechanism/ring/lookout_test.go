package ring

import (
	"slices"
	"testing"

	"throng/internal/param"
	"throng/mechanism/parts/relay"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
	"throng/worlds/manhattan"
)

// newCity has a lookout over avatars at these places along a street, who see 30 far.
func newCity(t *testing.T, places ...int64) *lookout {
	t.Helper()
	c := param.Default[manhattan.Config]()
	c.Avatars, c.Walls = len(places), 0
	w := worldtest.Make[world.World](t, &c)
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	for i, x := range places {
		s.Edit(world.ID(i + 1)).Pos = along(x)
	}
	return newLookout(w, s)
}

func along(x int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(500)} }

// walk has a user's client tell that its avatar is somewhere else.
func (l *lookout) walk(u world.User, x int64) {
	o := *l.state.Get(world.ID(u))
	o.Pos = along(x)
	l.Told(u, []relay.News{{Object: o}})
}

// heard is who hears of an action, and of whom they are told before.
func heard(hearers []relay.Hearer) map[world.User][]world.ID {
	m := map[world.User][]world.ID{}
	for _, h := range hearers {
		m[h.User] = nil
		for i := range h.Before {
			m[h.User] = append(m[h.User], h.Before[i].Object.ID)
		}
	}
	return m
}

func expect(t *testing.T, what string, hearers []relay.Hearer, want map[world.User][]world.ID) {
	t.Helper()
	got := heard(hearers)
	same := len(got) == len(want)
	for u, ids := range want {
		have, ok := got[u]
		same = same && ok && slices.Equal(have, ids)
	}
	if !same {
		t.Errorf("%s: heard by, with what before: %v, want %v", what, got, want)
	}
}

func TestHear(t *testing.T) {
	l := newCity(t, 100, 120, 140, 500)
	expect(t, "at first all know all", l.Hear(1), map[world.User][]world.ID{1: nil, 2: nil})
	expect(t, "in between", l.Hear(2), map[world.User][]world.ID{1: nil, 2: nil, 3: nil})
	expect(t, "alone", l.Hear(4), map[world.User][]world.ID{4: nil})

	l.walk(1, 115)
	expect(t, "comes into sight of 3, who missed an action", l.Hear(1), map[world.User][]world.ID{1: nil, 2: nil, 3: {1}})
	expect(t, "is known by now", l.Hear(1), map[world.User][]world.ID{1: nil, 2: nil, 3: nil})

	l.walk(4, 160)
	expect(t, "sees and is seen by 3 alone", l.Hear(4), map[world.User][]world.ID{3: {4}, 4: nil})
	l.walk(4, 145)
	expect(t, "sees 1 and 2, of whose actions it had not heard", l.Hear(4), map[world.User][]world.ID{1: {4}, 2: {4}, 3: nil, 4: {1, 2}})
	expect(t, "all of them know 4", l.Hear(2), map[world.User][]world.ID{1: nil, 2: nil, 3: nil, 4: nil})

	if l.TakeWork() == 0 || l.TakeWork() != 0 {
		t.Error("the work was not counted, or not taken")
	}
}

func TestToldIsForOneself(t *testing.T) {
	l := newCity(t, 100, 120)
	l.Told(1, []relay.News{{Object: world.Object{ID: 2}, Gone: true}})
	expect(t, "nobody takes 2 away but 2", l.Hear(1), map[world.User][]world.ID{1: nil, 2: nil})
	l.Told(2, []relay.News{{Object: world.Object{ID: 2}, Gone: true}})
	expect(t, "2 is gone", l.Hear(1), map[world.User][]world.ID{1: nil})
	expect(t, "who has no place is heard by everybody", l.Hear(2), map[world.User][]world.ID{1: nil, 2: {1}})
}

func TestLeftIsSeenByNobody(t *testing.T) {
	l := newCity(t, 100, 120, 125)
	l.Left(2)
	l.Left(9) // who never was
	expect(t, "2 is gone", l.Hear(1), map[world.User][]world.ID{1: nil, 3: nil})
	if l.state.Len() != 2 || len(l.users) != 2 || len(l.actors) != 2 {
		t.Errorf("%d objects of %d users are left", l.state.Len(), len(l.users))
	}
}
