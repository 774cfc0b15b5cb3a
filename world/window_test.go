package world

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
	"throng/world/fixed"
)

// stepping are rules of which only the step matters.
type stepping func(w *Window)

func (f stepping) Step(w *Window)                  { f(w) }
func (stepping) Act(*Window, *Action)              {}
func (stepping) Extrapolate(*Object, Time)         {}
func (stepping) Reach(*State, *Action, *Footprint) {}
func (stepping) Cost(_ *State, a *Action) Work     { return Work(a.Args[0]) }
func (stepping) Enter(w *Window, u User)           { w.Create(0, kindBird).User = u }
func (stepping) Leave(w *Window, u User)           { w.Remove(owned(w.State(), u)) }

func owned(s *State, u User) ID {
	for o := range s.All() {
		if o.User == u {
			return o.ID
		}
	}
	return 0
}

func TestRestrictClosesTheRest(t *testing.T) {
	s, _ := flock(100)
	before := s.Clone()
	open := func(o *Object) bool { return o.ID%3 == 0 }
	w := NewWindow(s)
	w.Restrict(open)
	w.Advance(stepping(func(w *Window) {
		var met []ID
		for o := range w.Open() {
			met = append(met, o.ID)
			o.Attr[attrAge]++
		}
		if len(met) != 33 || slices.ContainsFunc(met, func(id ID) bool { return id%3 != 0 }) {
			t.Errorf("Open met %v", met)
		}
		for id := ID(1); id <= 101; id++ {
			may := id%3 == 0 && id <= 100
			if o := w.Edit(id); (o != nil) != may {
				t.Errorf("Edit(%d) = %v", id, o)
			}
			if o := w.Create(id, kindStone); (o != nil) != may {
				t.Errorf("Create(%d) = %v", id, o)
			}
			if removed := w.Remove(id); removed != may {
				t.Errorf("Remove(%d) = %v", id, removed)
			}
			if o := w.Get(id); (o != nil) != (id <= 100 && !may) {
				t.Errorf("Get(%d) = %v after all that may be was removed", id, o)
			}
		}
	}))
	for c := range Diff(before, s) {
		if c.Old != nil && !open(c.Old) {
			t.Errorf("object %d changed behind closed doors", c.Old.ID)
		}
	}
	w.Restrict(nil)
	if w.Edit(1) == nil {
		t.Error("closed after everything was opened")
	}
}

func TestOpenWithoutRestrictionMeetsAll(t *testing.T) {
	s, _ := flock(100)
	before := s.Clone()
	w := NewWindow(s)
	n := ID(0)
	for o := range w.Open() {
		if n++; o.ID != n {
			t.Fatalf("object %d met in place %d", o.ID, n)
		}
		o.Attr[attrAge]++
		if n == 50 {
			break
		}
	}
	changed := 0
	for range Diff(before, s) {
		changed++
	}
	if changed != 50 {
		t.Errorf("%d objects changed of the 50 that were met", changed)
	}
}

func TestOpenNoticesAdditionAndRemoval(t *testing.T) {
	s, _ := flock(20)
	w := NewWindow(s)
	mustPanic(t, func() {
		for o := range w.Open() {
			w.Create(o.ID, kindStone)
		}
	})
	mustPanic(t, func() {
		for o := range w.Open() {
			w.Remove(o.ID)
		}
	})
}

// near is what Near means.
func near(s *State, centre fixed.Vec, radius fixed.F) []ID {
	var ids []ID
	for o := range s.All() {
		if o.Pos.Within(centre, radius) {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// Near sees the world as it was at the first look, or at the last Refresh: also when rules write, after a look, through
// pointers that they took before it.
func TestNearSeesTheLastRefresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := flock(3 * pageObjects)
		w := NewWindow(s)
		for range rapid.IntRange(1, 3).Draw(t, "steps") {
			w.Advance(stepping(func(w *Window) {
				var held []*Object
				shown := (*State)(nil) // what Near is meant to see; nil before a look
				t.Repeat(map[string]func(*rapid.T){
					"take": func(t *rapid.T) {
						if o := w.Edit(ID(rapid.IntRange(1, 3*pageObjects).Draw(t, "id"))); o != nil {
							held = append(held, o)
						}
					},
					"take all": func(t *rapid.T) {
						for o := range w.Open() {
							held = append(held, o)
						}
					},
					"move": func(t *rapid.T) {
						if len(held) > 0 {
							rapid.SampledFrom(held).Draw(t, "held").Pos = drawPos(t, "pos")
						}
					},
					"add": func(t *rapid.T) {
						w.Create(1, kindStone).Pos = drawPos(t, "pos")
						held = nil // they hold no longer
					},
					"remove": func(t *rapid.T) {
						w.Remove(ID(rapid.IntRange(1, 3*pageObjects).Draw(t, "id")))
						held = nil
					},
					"refresh": func(*rapid.T) {
						w.Refresh()
						shown = nil
					},
					"look": func(t *rapid.T) {
						if shown == nil {
							shown = s.Detach()
						}
						centre, radius := drawPos(t, "centre"), drawRadius(t)
						if got, want := w.Near(centre, radius), near(shown, centre, radius); !slices.Equal(got, want) {
							t.Fatalf("within %v of %v: %v, want %v", radius, centre, got, want)
						}
					},
				})
			}))
		}
	})
}

func TestNearSeesWhatWasWrittenThroughPointersTakenBefore(t *testing.T) {
	s, _ := flock(20)
	far := fixed.Vec{X: fixed.FromInt(5000)}
	NewWindow(s).Advance(stepping(func(w *Window) {
		o := w.Edit(5)
		w.Near(far, fixed.One)
		o.Pos = far
		if got := w.Near(far, fixed.One); len(got) != 0 {
			t.Errorf("found %v without a Refresh", got)
		}
		w.Refresh()
		if got := w.Near(far, fixed.One); !slices.Equal(got, []ID{5}) {
			t.Errorf("found %v, want object 5", got)
		}
	}))
}

func TestLookTurnsToAnotherState(t *testing.T) {
	a, radius := flock(100)
	b := a.Clone()
	b.Edit(1).Pos = fixed.Vec{X: fixed.FromInt(5000)}
	elsewhere := b.Detach()
	elsewhere.Remove(2)
	w := NewWindow(a)
	for _, s := range []*State{a, b, elsewhere, b, a} {
		w.Look(s)
		if w.State() != s || w.Schema() != testSchema {
			t.Error("the window looks elsewhere")
		}
		for o := range s.All() {
			if got, want := w.Near(o.Pos, radius), near(s, o.Pos, radius); !slices.Equal(got, want) {
				t.Fatalf("within %v of object %d: %v, want %v", radius, o.ID, got, want)
			}
		}
	}
}

func TestCreateNamesObjectsAlikeEverywhere(t *testing.T) {
	s, _ := flock(20)
	create := stepping(func(w *Window) {
		for by := range ID(3) {
			w.Create(by, kindStone)
			w.Create(by, kindStone)
		}
	})
	run := func(s *State) {
		w := NewWindow(s)
		w.Advance(create)
		w.Do(acting(create), &Action{}) // a second call in the tick: the first IDs are taken
		w.Advance(create)
	}
	other := s.Detach()
	run(s)
	run(other)
	if want := 20 + 3*6; s.Len() != want {
		t.Errorf("%d objects, want %d", s.Len(), want)
	}
	if s.Hash() != other.Hash() {
		t.Error("two replicas have created different objects")
	}
}

// Where one creator is closed, the others still give their objects the same names.
func TestCreateDoesNotDependOnOthers(t *testing.T) {
	create := stepping(func(w *Window) {
		for range 3 {
			for by := ID(1); by <= 4; by++ {
				w.Create(by, kindStone)
			}
		}
	})
	whole, _ := flock(4)
	part := whole.Clone()
	NewWindow(whole).Advance(create)
	w := NewWindow(part)
	w.Restrict(func(o *Object) bool { return o.ID == 3 })
	w.Advance(create)
	if whole.Len() != 4+12 || part.Len() != 4+3 {
		t.Fatalf("%d objects in the whole, %d in the part", whole.Len(), part.Len())
	}
	for o := range part.All() {
		if whole.Get(o.ID) == nil {
			t.Errorf("object %d is not in the whole", o.ID)
		}
	}
}

func TestCreatedIDsAreSpread(t *testing.T) {
	seen := map[ID]bool{}
	s := NewState(testSchema, 1)
	w := NewWindow(s)
	const creators, ticks, each = 100, 100, 5
	for tick := range Tick(ticks) {
		s.Release()
		s.SetTick(tick)
		for by := range ID(creators) {
			for range each {
				seen[w.Create(by, kindStone).ID] = true
			}
		}
	}
	if len(seen) != creators*ticks*each {
		t.Errorf("%d IDs for %d objects", len(seen), creators*ticks*each)
	}
}

func TestWindowPut(t *testing.T) {
	s, _ := flock(10)
	w := NewWindow(s)
	w.Restrict(func(o *Object) bool { return o.User == 3 })
	s.Edit(1).User, s.Edit(2).User = 3, 4
	for _, test := range []struct {
		name string
		o    Object
		want bool
	}{
		{"new and open", Object{ID: 100, User: 3}, true},
		{"new and closed", Object{ID: 101, User: 4}, false},
		{"in place of an open one", Object{ID: 1, User: 3, Kind: kindStone}, true},
		{"in place of a closed one", Object{ID: 2, User: 3}, false},
		{"closed, in place of an open one", Object{ID: 1, User: 4}, false},
	} {
		before := s.Hash()
		got := w.Put(test.o)
		if (got != nil) != test.want || got != nil && (*got != test.o || *s.Get(test.o.ID) != test.o) {
			t.Errorf("%s: put %+v", test.name, got)
		}
		if changed := s.Hash() != before; changed != test.want {
			t.Errorf("%s: changed the state: %v", test.name, changed)
		}
	}
	w.Restrict(nil)
	if w.Put(Object{ID: 2, User: 9}) == nil || s.Get(2).User != 9 {
		t.Error("closed after everything was opened")
	}
}

// acting are rules that do in an action what others do in a step.
type acting func(w *Window)

func (f acting) Act(w *Window, _ *Action)        { f(w) }
func (acting) Step(*Window)                      {}
func (acting) Extrapolate(*Object, Time)         {}
func (acting) Reach(*State, *Action, *Footprint) {}

func TestRandomBelongsToObjectTickAndPurpose(t *testing.T) {
	s, _ := flock(2)
	w := NewWindow(s)
	draw := func(id ID, purpose uint64) uint64 {
		r := w.Random(id, purpose)
		return r.Uint64()
	}
	first := draw(1, 0)
	others := []uint64{draw(2, 0), draw(1, 1)}
	w.Advance(stepping(func(*Window) {}))
	others = append(others, draw(1, 0))
	s.SetTick(0)
	if again := draw(1, 0); again != first {
		t.Errorf("%x, and %x after a roll-back", first, again)
	}
	w.Look(NewState(testSchema, 99))
	others = append(others, draw(1, 0))
	if slices.Contains(others, first) {
		t.Errorf("%x again among %x", first, others)
	}
}

func TestWorkIsCounted(t *testing.T) {
	s, _ := flock(100)
	w := NewWindow(s)
	rules := stepping(func(w *Window) {
		for range w.All() {
		}
		for range w.Open() {
		}
		w.Get(1)
		w.Edit(1)
		w.Remove(w.Create(1, kindStone).ID)
		w.Near(fixed.Vec{}, fixed.FromInt(5000))
	})
	w.Advance(rules)
	if got := w.TakeWork(); got != 100+100+4+100 {
		t.Errorf("a step costs %d", got)
	}
	w.Do(rules, &Action{Args: [MaxArgs]int64{42}})
	if got := w.TakeWork(); got != 42 {
		t.Errorf("an action of cost 42 costs %d", got)
	}
	if got := w.TakeWork(); got != 0 {
		t.Errorf("work %d is counted twice", got)
	}
}

func TestOnlyAdvancingTakesTime(t *testing.T) {
	w := NewWindow(NewState(testSchema, 0))
	w.Do(drifting{}, &Action{Verb: 1, Target: 5})
	if w.Tick() != 0 {
		t.Errorf("tick %d after an action", w.Tick())
	}
	w.Advance(drifting{})
	if w.Tick() != 1 {
		t.Errorf("tick %d after a step", w.Tick())
	}
}

func TestUsersEnterAndLeave(t *testing.T) {
	s := NewState(testSchema, 0)
	w := NewWindow(s)
	inhabited := stepping(nil)
	w.Do(inhabited, &Action{Verb: Enter, User: 7})
	if owned(s, 7) == 0 {
		t.Error("user 7 has not come")
	}
	w.Do(drifting{}, &Action{Verb: Leave, User: 7}) // a world that nobody leaves
	if owned(s, 7) == 0 {
		t.Error("user 7 has left a world that cannot be left")
	}
	w.Do(inhabited, &Action{Verb: Leave, User: 7})
	if owned(s, 7) != 0 {
		t.Error("user 7 has not gone")
	}
}
