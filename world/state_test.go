package world

import (
	"maps"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
	"throng/world/fixed"
)

// model is what a State is meant to be, said naively.
type model struct {
	objects map[ID]Object
	tick    Tick
	seed    uint64
}

func (m model) clone() model {
	m.objects = maps.Clone(m.objects)
	return m
}

func (m model) equal(o model) bool {
	return m.tick == o.tick && m.seed == o.seed && maps.Equal(m.objects, o.objects)
}

func (m model) ids() []ID { return slices.Sorted(maps.Keys(m.objects)) }

// drawID draws from IDs that are close together, so that pages fill and empty, and from some that are far apart.
func drawID(t *rapid.T) ID {
	if rapid.IntRange(0, 9).Draw(t, "far") == 0 {
		return ID(rapid.Uint64Range(1, 1<<64-1).Draw(t, "id"))
	}
	return ID(rapid.Uint64Range(1, 6*pageObjects).Draw(t, "id"))
}

func drawObject(t *rapid.T, id ID) Object {
	o := Object{ID: id, Kind: KindID(rapid.IntRange(0, 1).Draw(t, "kind"))}
	o.User = User(rapid.Uint32Range(0, 3).Draw(t, "user"))
	for _, v := range testSchema.Kinds[o.Kind].Variables {
		// Few values, so that states become equal again by other ways.
		o.Set(v.Slot, v.Min+rapid.Int64Range(0, 2).Draw(t, v.Name))
	}
	return o
}

// related are states that share pools in all ways, each with its model.
type related struct {
	states []*State
	models []model
}

func newRelated() *related {
	r := &related{}
	for seed := range uint64(2) {
		r.states = append(r.states, NewState(testSchema, seed))
		r.models = append(r.models, model{objects: map[ID]Object{}, seed: seed})
	}
	return r
}

// checkRelated does to states whatever can be done to them, and checks after each time that something holds.
func checkRelated(t *testing.T, holds func(t *rapid.T, r *related)) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		r := newRelated()
		actions := r.actions()
		actions[""] = func(t *rapid.T) { holds(t, r) }
		t.Repeat(actions)
	})
}

func (r *related) pick(t *rapid.T, label string) int {
	return rapid.IntRange(0, len(r.states)-1).Draw(t, label)
}

// actions are all that can be done to a State.
func (r *related) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"put": func(t *rapid.T) {
			i, o := r.pick(t, "state"), drawObject(t, drawID(t))
			if got := r.states[i].Put(o); *got != o {
				t.Fatalf("Put returned %+v for %+v", *got, o)
			}
			r.models[i].objects[o.ID] = o
		},
		"put row": func(t *rapid.T) {
			i, first := r.pick(t, "state"), drawID(t)
			for n := range ID(rapid.IntRange(1, 3*pageObjects).Draw(t, "length")) {
				if id := first + n; id != 0 {
					o := Object{ID: id, Kind: kindStone, Pos: fixed.Vec{X: fixed.F(n)}}
					r.states[i].Put(o)
					r.models[i].objects[id] = o
				}
			}
		},
		"edit": func(t *rapid.T) {
			i, id := r.pick(t, "state"), drawID(t)
			o, had := r.models[i].objects[id]
			p := r.states[i].Edit(id)
			if (p != nil) != had {
				t.Fatalf("Edit(%d) = %v, but it is there: %v", id, p, had)
			}
			if had {
				o.Pos.X++
				p.Pos.X++
				r.models[i].objects[id] = o
			}
		},
		"remove": func(t *rapid.T) {
			i, id := r.pick(t, "state"), drawID(t)
			_, had := r.models[i].objects[id]
			if got := r.states[i].Remove(id); got != had {
				t.Fatalf("Remove(%d) = %v, but it was there: %v", id, got, had)
			}
			delete(r.models[i].objects, id)
		},
		"thin out": func(t *rapid.T) {
			i, keep := r.pick(t, "state"), rapid.Uint64Range(1, 9).Draw(t, "keep every")
			for _, id := range r.models[i].ids() {
				if uint64(id)%keep != 0 {
					r.states[i].Remove(id)
					delete(r.models[i].objects, id)
				}
			}
		},
		"set tick": func(t *rapid.T) {
			i := r.pick(t, "state")
			r.models[i].tick = Tick(rapid.Int64Range(0, 2).Draw(t, "tick"))
			r.states[i].SetTick(r.models[i].tick)
		},
		"copy": func(t *rapid.T) {
			i, j := r.pick(t, "to"), r.pick(t, "from")
			r.states[i].CopyFrom(r.states[j])
			r.models[i] = r.models[j].clone()
		},
		"clone": func(t *rapid.T) {
			i := r.pick(t, "state")
			r.add(r.states[i].Clone(), r.models[i])
		},
		"detach": func(t *rapid.T) {
			i := r.pick(t, "state")
			r.add(r.states[i].Detach(), r.models[i])
		},
		"release": func(t *rapid.T) {
			i := r.pick(t, "state")
			r.states[i].Release()
			clear(r.models[i].objects)
		},
		"hash": func(t *rapid.T) { // so that some hashes are remembered from before later changes
			r.states[r.pick(t, "state")].Hash()
		},
	}
}

// add keeps a new state, in place of an old one where there are many.
func (r *related) add(s *State, m model) {
	const most = 5
	if len(r.states) == most {
		r.states[0].Release()
		r.states, r.models = r.states[1:], r.models[1:]
	}
	r.states = append(r.states, s)
	r.models = append(r.models, m.clone())
}

func TestStateIsAMapInOrder(t *testing.T) {
	checkRelated(t, func(t *rapid.T, r *related) {
		for i, s := range r.states {
			checkState(t, s, r.models[i])
		}
		checkPools(t, r.states)
		for i := range r.states {
			for j := range i {
				a, b := r.states[i].Hash(), r.states[j].Hash()
				if equal := r.models[i].equal(r.models[j]); equal != (a == b) {
					t.Fatalf("states equal: %v, but their hashes %x and %x", equal, a, b)
				}
			}
		}
	})
}

func checkState(t *rapid.T, s *State, m model) {
	if s.Len() != len(m.objects) || s.Tick() != m.tick || s.Seed() != m.seed {
		t.Fatalf("%d objects at tick %d of seed %d, want %d at %d of %d",
			s.Len(), s.Tick(), s.Seed(), len(m.objects), m.tick, m.seed)
	}
	var ids []ID
	for o := range s.All() {
		ids = append(ids, o.ID)
		if *o != m.objects[o.ID] {
			t.Fatalf("object %+v, want %+v", *o, m.objects[o.ID])
		}
		if s.Get(o.ID) != o {
			t.Fatalf("Get(%d) is not the object that All meets", o.ID)
		}
	}
	if want := m.ids(); !slices.Equal(ids, want) {
		t.Fatalf("All meets %v, want %v", ids, want)
	}
	for range 5 {
		id := drawID(t)
		if _, had := m.objects[id]; (s.Get(id) != nil) != had {
			t.Fatalf("Get(%d) finds an object: %v, but it is there: %v", id, !had, had)
		}
	}
}

func TestObjectSize(t *testing.T) {
	if size := unsafe.Sizeof(Object{}); size != objectBytes {
		t.Errorf("an object takes %d bytes", size)
	}
}

func TestObjectSlots(t *testing.T) {
	var o Object
	for s := range slotCount {
		o.Set(s, int64(s)+1)
	}
	want := Object{Pos: fixed.Vec{X: 1, Y: 2, Z: 3}, Vel: fixed.Vec{X: 4, Y: 5, Z: 6}}
	for i := range MaxAttributes {
		want.SetFixed(i, fixed.F(7+i))
	}
	if o != want {
		t.Errorf("set every slot and got %+v", o)
	}
	for s := range slotCount {
		if o.Get(s) != int64(s)+1 {
			t.Errorf("slot %d is %d", s, o.Get(s))
		}
	}
	if o.Fixed(2) != fixed.F(o.Get(AttrSlot(2))) {
		t.Errorf("attribute 2 is %d as a number, %d as a slot", o.Fixed(2), o.Get(AttrSlot(2)))
	}
}

func TestPutRefusesWhatCannotBe(t *testing.T) {
	for name, o := range map[string]Object{
		"no ID":        {Kind: kindBird},
		"unknown kind": {ID: 1, Kind: 2},
	} {
		t.Run(name, func(t *testing.T) {
			mustPanic(t, func() { NewState(testSchema, 0).Put(o) })
		})
	}
}

func TestIterationNoticesAdditionAndRemoval(t *testing.T) {
	for name, change := range map[string]func(s *State){
		"put":     func(s *State) { s.Put(Object{ID: 100}) },
		"remove":  func(s *State) { s.Remove(1) },
		"release": func(s *State) { s.Release() },
		"copy":    func(s *State) { s.CopyFrom(NewState(testSchema, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := flock(20)
			mustPanic(t, func() {
				for range s.All() {
					change(s)
				}
			})
			for range s.All() {
				change(s)
				break // nothing is wrong with leaving
			}
		})
	}
}

func TestIterationSeesEdits(t *testing.T) {
	s, _ := flock(20)
	before := s.Clone()
	for o := range s.All() {
		s.Edit(21 - o.ID).Attr[attrAge] = int64(o.ID)
	}
	for o := range s.All() {
		if o.Attr[attrAge] != 21-int64(o.ID) {
			t.Errorf("object %d was last given the age %d", o.ID, o.Attr[attrAge])
		}
	}
	for o := range before.All() {
		if fresh, _ := flock(20); *o != *fresh.Get(o.ID) {
			t.Errorf("object %d changed in the copy taken before", o.ID)
		}
	}
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}
