package worldtest

import (
	"strings"
	"testing"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

func TestMeadow(t *testing.T) { Run(t, meadow{}, Ticks(120), Seeds(1, 2)) }

// The meadow is no idle world: everything that the checks look at happens in it.
func TestMeadowIsAlive(t *testing.T) {
	frames, err := record(meadow{}, 1, 300, true)
	if err != nil {
		t.Fatal(err)
	}
	var verbs [3]int
	for _, f := range frames {
		for _, a := range f.actions {
			verbs[a.Verb]++
		}
	}
	last := frames[len(frames)-1].state
	if last.Len() == users || last.Get(1).Attr[eaten] == 0 || verbs[walk] == 0 || verbs[plant] == 0 || verbs[nudge] == 0 {
		t.Errorf("%d objects, %d flowers eaten, actions %v", last.Len(), last.Get(1).Attr[eaten], verbs)
	}
}

// inn is a meadow that users enter, with a flower in their hand, and leave.
type inn struct{ meadow }

func (inn) Enter(w *world.Window, u world.User) {
	if o := w.Create(world.ID(u), flower); o != nil {
		o.User, o.Attr[left] = u, flowers
	}
}

func (inn) Leave(w *world.Window, u world.User) {
	var gone []world.ID
	for o := range w.All() {
		if o.User == u && o.Kind == flower {
			gone = append(gone, o.ID)
		}
	}
	for _, id := range gone {
		w.Remove(id)
	}
}

func TestInhabitedWorld(t *testing.T) {
	Run(t, inn{}, Ticks(60))
	frames, err := record(inn{}, 1, 60, true)
	if err != nil {
		t.Fatal(err)
	}
	passed := map[world.VerbID]int{}
	for _, f := range frames {
		for _, a := range f.actions {
			passed[a.Verb]++
		}
	}
	if passed[world.Enter] == 0 || passed[world.Leave] == 0 {
		t.Errorf("%d users entered, %d left", passed[world.Enter], passed[world.Leave])
	}
}

func TestHashIsOfTheWholeGame(t *testing.T) {
	h := Hash(meadow{}, 1, 100)
	if h != Hash(meadow{}, 1, 100) {
		t.Error("two hashes of one game")
	}
	if h == Hash(meadow{}, 2, 100) || h == Hash(meadow{}, 1, 99) {
		t.Error("one hash of two games")
	}
	const want = 0xa06a8d5ef85852d9
	if h != want {
		t.Errorf("hash %#x, want %#x", h, uint64(want))
	}
}

// Worlds with one thing wrong, each.
type (
	unsound struct{ meadow }
	fickle  struct{ meadow }
	unlike  struct {
		meadow
		populated *int64
	}
	unordered   struct{ meadow }
	remembering struct {
		meadow
		steps *int64
	}
	hoarding    struct{ meadow }
	runaway     struct{ meadow }
	meddling    struct{ meadow }
	scribbling  struct{ meadow }
	understated struct{ meadow }
	nosy        struct{ meadow }
	hiding      struct{ meadow }
	fragile     struct{ meadow }
	helpless    struct{ meadow }
	hasty       struct{ meadow }
	posing      struct{ meadow }
	renaming    struct{ meadow }
	cheating    struct{ meadow }
	impatient   struct{ meadow }
	moody       struct {
		meadow
		mood *uint64
	}
	touching struct{ meadow }
	gaudy    struct{ meadow }
)

func (gaudy) Look() world.Look { return world.Look{Avatar: "goat"} }

func (unsound) Schema() *world.Schema { return unsoundSchema }

var unsoundSchema = &world.Schema{Name: "unsound"}

func (fickle) Schema() *world.Schema {
	s := *meadowSchema
	return &s
}

func (u unlike) Populate(s *world.State) {
	u.meadow.Populate(s)
	*u.populated++
	s.Edit(2).Attr[eaten] = *u.populated
}

// Step moves every sheep to where the one before it was, in the order of a map.
func (u unordered) Step(w *world.Window) {
	u.meadow.Step(w)
	all := map[world.ID]bool{1: true, 2: true, 3: true, 4: true}
	var before fixed.Vec
	for id := range all {
		if o := w.Edit(id); o != nil {
			o.Pos, before = before, o.Pos
		}
	}
}

// Step counts in the rules rather than in the state, and lets it show every now and then.
func (r remembering) Step(w *world.Window) {
	r.meadow.Step(w)
	*r.steps++
	if o := w.Edit(1); o != nil && w.Tick() >= 10 {
		o.Attr[eaten] = *r.steps % 300
	}
}

func (h hoarding) Step(w *world.Window) {
	h.meadow.Step(w)
	if o := w.Edit(3); o != nil && w.Tick() == 20 {
		o.Attr[7] = 5
	}
}

func (r runaway) Step(w *world.Window) {
	r.meadow.Step(w)
	if o := w.Edit(4); o != nil && w.Tick() == 30 {
		o.Pos.Y = 51 * fixed.One
	}
}

// Step ignores the window.
func (m meddling) Step(w *world.Window) {
	m.meadow.Step(w)
	if o := w.State().Edit(1); o != nil {
		o.Attr[eaten]++
	}
}

// Step writes through a pointer that is for reading.
func (s scribbling) Step(w *world.Window) {
	if o := w.Get(2); o != nil {
		o.Attr[eaten]++
	}
	s.meadow.Step(w)
}

func (scribbling) Player(world.User, random.Stream) world.Player {
	return playing(func(world.View, func(world.Action)) {})
}

// Reach forgets that a nudge moves its target.
func (understated) Reach(_ *world.State, a *world.Action, f *world.Footprint) {
	f.Write(world.ID(a.User))
	f.Read(a.Target)
}

// Act also reads what the footprint does not mention.
func (n nosy) Act(w *world.Window, a *world.Action) {
	n.meadow.Act(w, a)
	if own := w.Edit(world.ID(a.User)); own != nil && a.Verb == walk {
		for o := range w.All() {
			if o.Kind == flower {
				own.Attr[eaten] = 7
			}
		}
	}
}

// Reach names what is written but not read.
func (hiding) Reach(_ *world.State, a *world.Action, f *world.Footprint) {
	meadow{}.Reach(nil, a, f)
	f.Reads = f.Reads[:0]
}

// Act believes that its target exists.
func (f fragile) Act(w *world.Window, a *world.Action) {
	if a.Verb == nudge {
		w.Edit(a.Target).Vel = fixed.Vec{}
		return
	}
	f.meadow.Act(w, a)
}

// Step believes that all sheep exist.
func (h helpless) Step(w *world.Window) {
	h.meadow.Step(w)
	_ = w.Get(1).Pos
}

func (hasty) Extrapolate(o *world.Object, dt world.Time) { world.Drift(o, dt+meadowSchema.Tick) }

func (posing) Extrapolate(o *world.Object, _ world.Time) { o.ID++ }

func (renaming) Extrapolate(o *world.Object, dt world.Time) {
	if dt > 0 {
		o.User = 0
	}
}

func (c cheating) Player(u world.User, r random.Stream) world.Player {
	return playing(func(_ world.View, act func(world.Action)) {
		act(world.Action{Verb: walk, Args: [world.MaxArgs]int64{0, int64(pace) + 1}})
	})
}

func (m moody) Player(u world.User, r random.Stream) world.Player {
	return playing(func(v world.View, act func(world.Action)) {
		if *m.mood++; *m.mood%7 == 0 {
			act(world.Action{Verb: plant})
		}
	})
}

func (touching) Player(u world.User, r random.Stream) world.Player {
	return playing(func(v world.View, _ func(world.Action)) {
		if v.State.Tick() == 5 {
			v.State.Get(1).Attr[eaten]++
		}
	})
}

func (impatient) Player(u world.User, r random.Stream) world.Player {
	return early{func(_ world.View, act func(world.Action)) { act(world.Action{Verb: plant}) }}
}

// early is a player that acts at once although it is due only later.
type early struct{ playing }

func (early) Due() world.Tick { return 3 }

// playing is a player of one function.
type playing func(v world.View, act func(world.Action))

func (f playing) Play(v world.View, act func(world.Action)) { f(v, act) }

func TestBrokenWorldsAreCaught(t *testing.T) {
	for _, test := range []struct {
		name  string
		world world.World
		check string
		want  []string // parts of what is said
	}{
		{"unsound schema", unsound{}, "schema", []string{"world unsound: a tick must take time"}},
		{"a look of something else", gaudy{}, "schema", []string{`no kind "goat"`}},
		{"another schema at every call", fickle{}, "schema", []string{"different values"}},
		{"another start at every call", unlike{populated: new(int64)}, "populate",
			[]string{"populated a second time: object 2 (sheep of user 2): eaten is 2 flowers, want 1 flowers"}},
		{"map order", unordered{}, "game", []string{"tick ", "played a second time: object ", " (sheep of user ", " is ", ", want "}},
		{"memory of its own", remembering{steps: new(int64)}, "replay",
			[]string{"stepped again: object 1 (sheep of user 1): eaten is ", " flowers, want "}},
		{"undeclared slot", hoarding{}, "slots", []string{"tick 21: object 3 (sheep of user 3): undeclared attribute 7 is 5, want 0"}},
		{"undeclared slot", hoarding{}, "replay", []string{"encoded and decoded", "undeclared attribute 7 is 0, want 5"}},
		{"out of range", runaway{}, "ranges", []string{"tick 31: object 4 (sheep of user 4): y is 51, outside 0 to 50"}},
		{"closed object changed", meddling{}, "closed", []string{"changed, though closed: object 1 (sheep of user 1): eaten is "}},
		{"written for reading", scribbling{}, "closed", []string{"for reading: object 2 (sheep of user 2): eaten is "}},
		{"writes missing", understated{}, "footprints", []string{"not among its writes: object "}},
		{"reads missing", nosy{}, "footprints",
			[]string{"walk x=", "said to read [", "only its reads are known: object ", "eaten is 0 flowers, want 7 flowers"}},
		{"writes without reads", hiding{}, "footprints", []string{"is written but not read"}},
		{"missing target", fragile{}, "game", []string{"tick ", "nudge after=", "panic: "}},
		{"missing object", helpless{}, "absent", []string{"among 0 of ", "panic: "}},
		{"extrapolation by nothing", hasty{}, "extrapolate", []string{"by no time: object ", " is "}},
		{"extrapolation by nothing into another", posing{}, "extrapolate", []string{"by no time: object 2 (sheep of user 1) ought to be object 1"}},
		{"extrapolation into another", renaming{}, "extrapolate", []string{"(sheep of user 1) becomes object 1 (sheep)"}},
		{"forbidden action", cheating{}, "players", []string{"tick 0: action 1 of user 1, walk", "outside -134217728 to 134217728"}},
		{"moody player", moody{mood: new(uint64)}, "game", []string{"does something else in the same state: "}},
		{"impatient player", impatient{}, "players", []string{"tick 0: a player acts before it is due"}},
		{"player touches", touching{}, "players", []string{"tick 5: a player has changed what it sees: object 1 (sheep of user 1)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, c := range checks {
				if c.name != test.check {
					continue
				}
				err := c.run(test.world, 1, 100)
				if err == nil {
					t.Fatalf("check %s found nothing", c.name)
				}
				for _, part := range test.want {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%q is not in %q", part, err)
					}
				}
				return
			}
			t.Fatalf("there is no check %s", test.check)
		})
	}
}
