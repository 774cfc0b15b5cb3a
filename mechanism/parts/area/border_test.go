package area

import (
	"slices"
	"testing"

	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// side is one of two servers with a border between them, and what it should know.
type side struct {
	border *Border
	has    map[world.ID]world.Object
	inbox  [][]byte
}

// TestObjectsChangeHandsOnce has two servers tell and hand each other objects at random, with messages on their way for any
// time: each object is with one of them, or in one message, at any moment.
func TestObjectsChangeHandsOnce(t *testing.T) {
	for how, name := range Encodings {
		t.Run(name, func(t *testing.T) {
			r := random.New(1, name)
			var sides [2]side
			for i := range sides {
				sides[i] = side{border: NewBorder(schema, Encoding(how)), has: map[world.ID]world.Object{}}
			}
			for id := world.ID(1); id <= 30; id++ {
				o := anything(&r, 1)
				o.ID = id
				sides[id%2].has[id] = o
				sides[id%2].border.Band.Put(&o)
			}
			for range 2000 {
				at := r.Below(2)
				me, you := &sides[at], &sides[1-at]
				switch o := anything(&r, 30); r.Below(4) {
				case 0:
					me.give(o.ID, uint32(o.ID))
				case 1:
					if _, mine := me.has[o.ID]; mine {
						me.has[o.ID] = o
						me.border.Band.Put(&o)
					}
				case 2:
					me.say(you, 400)
				case 3:
					me.listen(t)
				}
				count(t, &sides)
			}
			for range 5 { // all is said and heard
				for i := range sides {
					sides[i].say(&sides[1-i], 60_000)
					for len(sides[i].inbox) > 0 {
						sides[i].listen(t)
					}
				}
			}
			for i := range sides {
				model(sides[1-i].has).check(t, &sides[i].border.Seen)
				if n := sides[i].border.Flying(); n > 0 {
					t.Errorf("%d objects are still flying", n)
				}
			}
		})
	}
}

func (s *side) give(id world.ID, stay uint32) {
	if o, mine := s.has[id]; mine {
		delete(s.has, id)
		s.border.Hand(&o, stay)
	}
}

func (s *side) say(to *side, room int) {
	for more := true; more; {
		var msg []byte
		if msg, more = s.border.Append(nil, 7, room); len(msg) > 0 {
			to.inbox = append(to.inbox, msg)
		}
	}
}

func (s *side) listen(t *testing.T) {
	t.Helper()
	if len(s.inbox) == 0 {
		return
	}
	f, ok := s.border.Read(s.inbox[0])
	s.inbox = s.inbox[1:]
	if !ok || f.Tick != 7 {
		t.Fatal("a message cannot be read")
	}
	for _, h := range f.Handed {
		if h.Stay != uint32(h.Object.ID) {
			t.Fatalf("object %d is of stay %d", h.Object.ID, h.Stay)
		}
		s.has[h.Object.ID] = h.Object
		s.border.Band.Put(&h.Object)
	}
}

// count checks that no object is with both. One that is with neither is in the air.
func count(t *testing.T, sides *[2]side) {
	t.Helper()
	total := len(sides[0].has) + len(sides[1].has)
	for i := range sides {
		total += int(sides[i].border.given - sides[1-i].border.taken)
	}
	if total != 30 {
		t.Fatalf("there are %d objects", total)
	}
	for id := range sides[0].has {
		if _, both := sides[1].has[id]; both {
			t.Fatalf("object %d is with both", id)
		}
	}
}

func TestLandings(t *testing.T) {
	a, b := NewBorder(schema, Delta), NewBorder(schema, Delta)
	for id := world.ID(1); id <= 3; id++ {
		if n := a.Hand(&world.Object{ID: id}, 0); n != uint64(id) {
			t.Errorf("object %d is handed over as number %d", id, n)
		}
	}
	msg, _ := a.Append(nil, 1, 60_000)
	if _, ok := b.Read(msg); !ok || b.Taken() != 3 {
		t.Fatalf("%d objects were taken", b.Taken())
	}
	msg, _ = b.Append(nil, 1, 60_000)
	f, ok := a.Read(msg)
	if want := []Landing{{1, 1}, {2, 2}, {3, 3}}; !ok || !slices.Equal(f.Landed, want) {
		t.Errorf("landed %v, want %v", f.Landed, want)
	}
	if msg, _ := b.Append(nil, 2, 60_000); len(msg) > 0 {
		t.Error("a landing is told of twice")
	}
}

func FuzzBorder(f *testing.F) {
	a := NewBorder(schema, Delta)
	a.Band.Put(&world.Object{ID: 5, Pos: at(1, 1)})
	a.Hand(&world.Object{ID: 6, User: 2, Pos: at(2, 2)}, 3)
	msg, _ := a.Append(nil, 9, 60_000)
	f.Add(msg)
	f.Add([]byte{0, 1, 0})
	f.Fuzz(func(t *testing.T, msg []byte) {
		b := NewBorder(schema, Delta)
		b.Hand(&world.Object{ID: 7}, 1)
		frame, ok := b.Read(msg)
		if !ok {
			if b.Flying() != 1 || b.Taken() != 0 || b.Seen.Len() != 0 {
				t.Fatal("a message that makes no sense has changed something")
			}
			return
		}
		if b.Flying()+len(frame.Landed) != 1 || b.Taken() != uint64(len(frame.Handed)) {
			t.Fatalf("%d flying, %d landed, %d handed", b.Flying(), len(frame.Landed), len(frame.Handed))
		}
	})
}

func TestTrail(t *testing.T) {
	trail := NewTrail()
	for id := world.ID(1); id <= 3*trailMax; id++ {
		trail.Note(id, int(id%7))
		trail.Note(1, int(id%5)) // one that keeps crossing
	}
	if at, ok := trail.Find(1); !ok || at != 3*trailMax%5 {
		t.Errorf("the latest note is %d, %v", at, ok)
	}
	if at, ok := trail.Find(3 * trailMax); !ok || at != 3*trailMax%7 {
		t.Errorf("the last but one note is %d, %v", at, ok)
	}
	if _, ok := trail.Find(2); ok {
		t.Error("an old note is still there")
	}
	if len(trail.last) > trailMax || len(trail.ring) > trailMax {
		t.Errorf("%d notes are kept of %d", len(trail.last), len(trail.ring))
	}
}

func TestRoster(t *testing.T) {
	s := world.NewState(schema, 1)
	s.Put(world.Object{ID: 1, User: 1})
	r := NewRoster(s)
	if !r.Present(1) || r.Present(2) || r.Stay(2) != 0 {
		t.Fatal("who has something is there, others are not")
	}
	if n := r.Turn(1); n != 2 || r.Present(1) {
		t.Errorf("leaving is number %d", n)
	}
	if !r.Over(1, 1) || r.Over(1, 2) || r.Over(0, 0) {
		t.Error("what is of an earlier stay is over, and nothing else")
	}
	if r.Learn(1, 3) || !r.Present(1) {
		t.Error("coming back ends nothing")
	}
	if r.Learn(1, 2) || !r.Present(1) {
		t.Error("old news counts")
	}
	if !r.Learn(1, 5) || !r.Present(1) {
		t.Error("a stay that began after another ends that one")
	}
}

func TestTarget(t *testing.T) {
	w := mechanismtest.Marbles(2)
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	var f world.Footprint
	for _, test := range []struct {
		action world.Action
		want   world.ID
	}{
		{world.Action{User: 1, Verb: mechanismtest.Push}, 1},
		{world.Action{User: 1, Verb: mechanismtest.Push, Target: mechanismtest.Stray(w)}, mechanismtest.Stray(w)},
		{world.Action{User: 1, Verb: mechanismtest.Count, Target: 2}, mechanismtest.TallyOf(w)},
		{world.Action{User: 9, Verb: mechanismtest.Drop}, 9}, // likewise, though it is not named
		{world.Action{User: 1, Verb: mechanismtest.Drop + 1}, 0},
		{world.Action{User: 1, Verb: mechanismtest.Drop, Target: 99}, 99}, // which this server knows nothing of
	} {
		if got := Target(w, s, &test.action, &f); got != test.want {
			t.Errorf("%+v is done to %d, want %d", test.action, got, test.want)
		}
	}
}

func TestInner(t *testing.T) {
	w := mechanismtest.Marbles(3)
	m := NewMap(w, Config{Columns: 2, Rows: 2}, true)
	r := random.New(1, "inner")
	for range 2000 {
		o := anything(&r, 1)
		o.Pos = fixed.Vec{X: fixed.F(r.Below(uint64(100 * fixed.One))), Y: fixed.F(r.Below(uint64(100 * fixed.One)))}
		own := m.AreaOf(&o)
		inner := m.Inner(own)
		if m.Inside(&inner, &o) && len(m.Concerned(nil, &o)) > 1 {
			t.Fatalf("%v is inside area %d but concerns %v", o.Pos, own, m.Concerned(nil, &o))
		}
	}
}
