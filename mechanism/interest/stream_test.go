package interest

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/memo"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// narrator is a server's store of one area, whose objects a test moves, with its stream.
type narrator struct {
	store
	teller *teller
	random random.Stream
}

func newNarrator(w world.World, start *world.State) *narrator {
	land := area.NewMap(w, area.Config{Columns: 1, Rows: 1}, false)
	n := &narrator{store: newStore(land, 0, start.Clone(), area.Delta, false), random: random.New(1, "narrator")}
	n.teller = newTeller(n.state)
	for o := range n.state.All() {
		n.teller.touch(o.ID)
	}
	return n
}

// stir moves some objects, removes some and brings some back.
func (n *narrator) stir(w *nomads) {
	for range 1 + n.random.Below(5) {
		u := 1 + world.User(n.random.Below(uint64(w.users)))
		o := w.nomad(u, int(n.random.Below(uint64(w.each))), &n.random)
		if n.random.Below(4) == 0 {
			n.state.Remove(o.ID)
		} else {
			n.state.Put(o)
		}
		n.teller.touch(o.ID)
	}
}

// TestChroniclesShareOneState feeds the same stream to clients who share their work and to one who does not: all show the
// same, and those who share show one and the same state.
func TestChroniclesShareOneState(t *testing.T) {
	w := newNomads(4, 5)
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	n := newNarrator(w, start)
	session := &mechanism.Session{World: w, Start: start, Shared: memo.NewPool()}
	alone := newChronicle(&mechanism.Session{World: w, Start: start}, n.land)
	shared := [2]*chronicle{newChronicle(session, n.land), newChronicle(session, n.land)}
	contacts := make([]contact, 1)
	for tick := world.Tick(1); tick <= 200; tick++ {
		n.stir(w)
		var messages [][]byte
		n.teller.tell(&n.store, tick, nil, 300, func(msg []byte, _ int) { messages = append(messages, append([]byte(nil), msg...)) })
		turn := func(c *chronicle) *world.State {
			for _, msg := range messages {
				if !c.scroll.sound(msg[1:]) {
					t.Fatal("a message makes no sense")
				}
				c.hear(&contacts[0], msg[1:])
			}
			return c.turn(tick, contacts)
		}
		a, b, c := turn(alone), turn(shared[0]), turn(shared[1])
		if b != c {
			t.Fatalf("tick %d: two who have heard the same show different states", tick)
		}
		if a.Hash() != b.Hash() {
			t.Fatalf("tick %d: who shares shows something else", tick)
		}
		for o := range n.state.All() {
			want := *o
			w.Schema().Round(&want)
			if got := a.Get(o.ID); got == nil || *got != want {
				t.Fatalf("tick %d: object %d is shown as %+v, want %+v", tick, o.ID, got, want)
			}
		}
		if a.Len() != n.state.Len() || a.Tick() != tick {
			t.Fatalf("tick %d: %d objects are shown at tick %d, want %d", tick, a.Len(), a.Tick(), n.state.Len())
		}
	}
}

// TestOvertakenWordsDoNoHarm hands an object from one area to the next and back; what a server last said of it comes after
// what the other said later.
func TestOvertakenWordsDoNoHarm(t *testing.T) {
	w := newNomads(1, 1)
	c := newChronicle(&mechanism.Session{World: w, Start: world.NewState(w.Schema(), 1)}, area.NewMap(w, area.Config{Columns: 2, Rows: 1}, false))
	contacts := make([]contact, 2)
	left, right := world.Object{ID: 5, User: 1, Pos: at(90, 50)}, world.Object{ID: 5, User: 1, Pos: at(110, 50)}
	moved := left
	moved.Pos.X += 5 * fixed.One
	var m message
	say := func(from int, write func()) {
		m.start(0, nil, 1000, func(msg []byte, _ int) { c.hear(&contacts[from], msg[1:]) })
		write()
		m.finish()
	}
	come := func(o *world.Object, since world.Tick) func() { return func() { m.come(o, since, w.Schema()) } }
	leave := func(since world.Tick) func() { return func() { m.leave(5, since) } }
	for i, step := range []struct {
		from int
		said func()
		want *world.Object
	}{
		{0, come(&left, 0), &left},
		{1, come(&right, 7), &right},
		{0, func() { m.change(&left, &moved, w.Schema()) }, &right}, // said before it was handed over
		{0, leave(0), &right},
		{1, leave(7), nil}, // it goes back, and is between the two
		{0, come(&moved, 9), &moved},
		{1, come(&right, 7), &moved}, // the other's words, all of them late
		{1, leave(7), &moved},
		{0, leave(9), nil},
	} {
		say(step.from, step.said)
		s := c.turn(world.Tick(i+1), contacts)
		got := s.Get(5)
		if (got == nil) != (step.want == nil) || got != nil && *got != *step.want {
			t.Errorf("after word %d it is shown as %+v, want %+v", i+1, got, step.want)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	var m memory
	for id := world.ID(1); id <= 10*memoryMax; id++ {
		m.late(&coming{since: 5, object: world.Object{ID: id}})
	}
	if n := m.young.Len() + m.old.Len(); n > 2*memoryMax {
		t.Errorf("%d objects are remembered", n)
	}
	if !m.late(&coming{since: 4, object: world.Object{ID: 10 * memoryMax}}) || m.late(&coming{since: 4, object: world.Object{ID: 1}}) {
		t.Error("what was heard last counts, what was heard long ago does not")
	}
}

func FuzzStream(f *testing.F) {
	w := newNomads(2, 3)
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	n := newNarrator(w, start)
	for tick := range world.Tick(3) {
		n.teller.tell(&n.store, tick, nil, 1000, func(msg []byte, _ int) { f.Add(append([]byte(nil), msg[1:]...)) })
		n.stir(w)
	}
	n.teller.account(nil, 1000, func(msg []byte, _ int) { f.Add(append([]byte(nil), msg[1:]...)) })
	x := newScroll(w.Schema(), n.land)
	f.Fuzz(func(t *testing.T, msg []byte) {
		sound := x.sound(msg)
		s := start.Clone()
		if whole := x.unroll(s, 0, msg); whole && !sound {
			t.Error("a message that makes no sense was taken to its end")
		}
		if s.Get(0) != nil {
			t.Error("there is an object without an ID")
		}
		s.Hash()
	})
}
