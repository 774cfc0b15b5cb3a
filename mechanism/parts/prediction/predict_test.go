package prediction

import (
	"testing"

	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// desk is a user's own part of a view, with a server beside it: the same rules on the same world, in the hands of the test.
type desk struct {
	t       *testing.T
	world   world.World
	server  *world.State
	window  *world.Window
	view    *world.State
	self    *Self
	pending []Pending
	seq     uint32
	held    map[world.ID]bool
}

const user world.User = 1

func newDesk(t *testing.T, smooth bool) *desk {
	w := mechanismtest.Marbles(3)
	d := &desk{t: t, world: w, server: world.NewState(w.Schema(), 1), held: map[world.ID]bool{}}
	w.Populate(d.server)
	d.window = world.NewWindow(d.server)
	d.view = world.NewState(w.Schema(), 1)
	for o := range d.server.All() {
		d.held[o.ID] = true
		d.view.Put(*o)
	}
	d.self = NewSelf(w, user, d.view, knownIf(func(id world.ID) bool { return d.held[id] }), smooth)
	return d
}

// act has the user do something at a tick of the user's clock.
func (d *desk) act(now world.Tick, a world.Action) Pending {
	d.seq++
	a.User, a.Seq = user, d.seq
	p := Pending{a, now}
	d.pending = append(d.pending, p)
	d.self.Act(&p.Action, now)
	return p
}

// run lets the server reach a tick, carrying out actions when it gets there.
func (d *desk) run(to world.Tick, at map[world.Tick][]Pending) {
	for d.server.Tick() < to {
		d.window.Advance(d.world)
		for i := range at[d.server.Tick()] {
			d.window.Do(d.world, &at[d.server.Tick()][i].Action)
		}
	}
}

// confirm has the server tell how the user's things are now, and of an action that it carried out at a tick.
func (d *desk) confirm(now world.Tick, seq uint32, done world.Tick) world.Tick {
	for o := range d.server.All() {
		if o.User == user {
			d.self.Tell(o)
		}
	}
	replayed := d.self.Confirm(Answer{Tick: d.server.Tick(), Seq: seq, Done: done}, d.pending, now)
	for len(d.pending) > 0 && d.pending[0].Seq <= seq {
		d.pending = d.pending[1:]
	}
	return replayed
}

// mine is the user's marble in the view.
func (d *desk) mine() world.Object { return *d.view.Get(world.ID(user)) }

// ahead is the user's marble as it will be on the server at a tick, if nobody does anything.
func (d *desk) ahead(tick world.Tick) world.Object {
	s := d.server.Clone()
	w := world.NewWindow(s)
	for s.Tick() < tick {
		w.Advance(d.world)
	}
	return *s.Get(world.ID(user))
}

func push(x fixed.F) world.Action {
	return world.Action{Verb: mechanismtest.Push, Args: [world.MaxArgs]int64{int64(x), 0}}
}

func TestActionShowsAtOnce(t *testing.T) {
	d := newDesk(t, false)
	d.confirm(0, 0, 0)
	d.act(0, push(20*fixed.One))
	if got := d.mine().Vel.X; got != 20*fixed.One {
		t.Errorf("the marble has the speed %v right after the push", got)
	}
	before := d.mine().Pos.X
	d.self.Advance(1)
	if d.mine().Pos.X <= before || d.view.Tick() != 1 {
		t.Errorf("a tick later it is at %v, the view at tick %d", d.mine().Pos.X, d.view.Tick())
	}
}

// The first answer tells how long actions take. From then on the view is as far ahead of the server, and as long as nothing
// interferes it is right: nothing is computed anew, and what the view shows is what the server comes to.
func TestRightPredictionIsLeftAlone(t *testing.T) {
	d := newDesk(t, false)
	const delay = 3 // ticks from the user to the server and back again
	d.confirm(0, 0, 0)
	orders := map[world.Tick][]Pending{}
	type report struct {
		seq  uint32
		done world.Tick
	}
	last := report{}
	settled := false
	for now := world.Tick(1); now < 60; now++ {
		d.self.Advance(now)
		if now%7 == 1 {
			p := d.act(now, push(10*fixed.One))
			orders[now+delay] = append(orders[now+delay], p)
		}
		d.run(now-delay, orders)
		if list := orders[now-delay]; len(list) > 0 {
			last = report{list[0].Seq, now - delay}
		}
		replayed := d.confirm(now, last.seq, last.done)
		if settled && replayed > 0 {
			t.Fatalf("at tick %d the view was computed anew for %d ticks", now, replayed)
		}
		if last.seq > 0 && !settled {
			settled = true
			if d.self.lead.ticks != delay {
				t.Fatalf("actions are taken to need %d ticks, want %d", d.self.lead.ticks, delay)
			}
		}
		if settled && len(d.pending) == 0 {
			if got, want := d.mine(), d.ahead(now+delay); got != want {
				t.Fatalf("at tick %d the view shows\n%+v, the server will come to\n%+v", now, got, want)
			}
		}
	}
	if !settled {
		t.Error("nothing was ever answered")
	}
}

// When the server says otherwise, what it says counts, and what it has not heard of is done again on top of it.
func TestWrongPredictionIsReconciled(t *testing.T) {
	d := newDesk(t, false)
	d.confirm(0, 0, 0)
	d.act(0, push(20*fixed.One))
	second := d.act(0, push(-5*fixed.One))
	// On the server somebody pushed the marble as well.
	other := push(40 * fixed.One)
	other.User, other.Target = 2, world.ID(user)
	d.window.Do(d.world, &other)
	d.window.Do(d.world, &d.pending[0].Action)
	d.confirm(0, 1, 0)
	if got := d.mine().Vel.X; got != 55*fixed.One {
		t.Errorf("the speed is %v after 40 and 20 on the server and -5 on the way there", got)
	}
	if len(d.pending) != 1 || d.pending[0].Seq != second.Seq {
		t.Errorf("pending: %+v", d.pending)
	}
}

// Reconciled smoothly, the marble is shown where it was and goes to where it is; what is computed does not depend on that.
func TestSmoothCorrection(t *testing.T) {
	snap, smooth := newDesk(t, false), newDesk(t, true)
	var shown []fixed.F
	for _, d := range []*desk{snap, smooth} {
		d.confirm(0, 0, 0)
		before := d.mine().Pos.X
		d.server.Edit(world.ID(user)).Pos.X += 8 * fixed.One
		d.confirm(0, 0, 0)
		shown = append(shown, d.mine().Pos.X-before)
	}
	if shown[0] != 8*fixed.One || shown[1] != 0 {
		t.Fatalf("moved by %v at once when snapping and by %v when smooth", shown[0], shown[1])
	}
	for now := world.Tick(1); now < 40; now++ {
		snap.self.Advance(now)
		smooth.self.Advance(now)
		gap := snap.mine().Pos.X - smooth.mine().Pos.X
		if want := 8 * fixed.One >> now; gap < want-1 || gap > want+1 {
			t.Fatalf("%d ticks later they are %v apart, want %v", now, gap, want)
		}
	}
	if snap.mine() != smooth.mine() {
		t.Error("they never meet")
	}
}

// What an action makes appears at once. It is the server's if that made the same, and goes if not.
func TestMadeThings(t *testing.T) {
	d := newDesk(t, false)
	d.confirm(0, 0, 0)
	p := d.act(0, world.Action{Verb: mechanismtest.Drop})
	pebbles := func() (n int) {
		for o := range d.view.All() {
			if o.Kind == mechanismtest.Pebble {
				n++
			}
		}
		return n
	}
	if pebbles() != 1 {
		t.Fatal("no pebble to be seen")
	}
	d.window.Do(d.world, &p.Action)
	if n := d.confirm(0, 1, 0); n != 0 || pebbles() != 1 {
		t.Errorf("%d pebbles when the server agrees, after %d ticks anew", pebbles(), n)
	}
	d.act(0, world.Action{Verb: mechanismtest.Drop})
	if pebbles() != 2 {
		t.Fatal("no second pebble")
	}
	d.confirm(0, 2, 0) // but the server did not do it
	if pebbles() != 1 {
		t.Errorf("%d pebbles when the server does not agree", pebbles())
	}
}

// Rules may make things that are not the user's. Those are left for the server to tell of.
func TestOthersThingsAreNotMade(t *testing.T) {
	d := newDesk(t, false)
	gift := &giving{d.world}
	d.self = NewSelf(gift, user, d.view, knownIf(func(id world.ID) bool { return d.held[id] }), false)
	d.confirm(0, 0, 0)
	before := d.view.Len()
	d.act(0, world.Action{Verb: mechanismtest.Drop})
	if d.view.Len() != before {
		t.Errorf("%d objects in the view, want %d", d.view.Len(), before)
	}
}

// giving is a world in which what users drop is nobody's.
type giving struct{ world.World }

func (g *giving) Act(w *world.Window, a *world.Action) {
	if o := w.Create(world.ID(a.User), mechanismtest.Pebble); o != nil {
		o.Attr[mechanismtest.PebbleLeft] = 5
	}
}

func TestShowsOnlyWhatIsTheUsers(t *testing.T) {
	d := newDesk(t, false)
	own := push(fixed.One)
	own.User = user
	others := own
	others.Target = 2
	count := world.Action{User: user, Verb: mechanismtest.Count, Args: [world.MaxArgs]int64{1}}
	for _, c := range []struct {
		name string
		a    *world.Action
		want bool
	}{{"a push of the own marble", &own, true}, {"a push of another", &others, false}, {"counting", &count, false}} {
		if got := d.self.Shows(c.a); got != c.want {
			t.Errorf("%s shows at once: %v", c.name, got)
		}
	}
}

func TestUntold(t *testing.T) {
	d := newDesk(t, false)
	d.confirm(0, 0, 0)
	d.self.Untell(world.ID(user))
	d.self.Untell(99)
	d.self.Confirm(Answer{Tick: 1}, nil, 1)
	if d.view.Get(world.ID(user)) != nil {
		t.Error("the user's marble is still there")
	}
	if d.view.Len() != 4 {
		t.Errorf("%d objects are left, want those of others", d.view.Len())
	}
}

func TestLeadFollowsOnlyWhatLasts(t *testing.T) {
	var l lead
	for _, c := range []struct{ observed, want world.Tick }{
		{5, 5},                                 // the first is believed
		{9, 5}, {5, 5}, {9, 5}, {9, 5}, {9, 5}, // a late one now and then is jitter
		{8, 8},                         // four on end are not; the least of them counts
		{2, 8}, {2, 8}, {7, 8}, {1, 7}, // and so for early ones
		{7, 7},
	} {
		l.observe(c.observed)
		if l.ticks != c.want {
			t.Fatalf("after %d it is %d, want %d", c.observed, l.ticks, c.want)
		}
	}
}

func TestHistory(t *testing.T) {
	var h history
	h.add(1, 0, 10)
	h.add(1, 1, 11)
	h.add(2, 1, 12)
	if h.confirm(1, 1, 99) {
		t.Error("what was otherwise is confirmed")
	}
	for range 2 {
		if !h.confirm(1, 1, 11) {
			t.Error("what was so is not confirmed, or only once")
		}
	}
	if h.confirm(1, 0, 10) {
		t.Error("what is over is confirmed")
	}
	if h.confirm(3, 1, 12) {
		t.Error("what never was is confirmed")
	}
	for i := range world.Tick(5 * historyMax) {
		h.add(10+i, 1, uint64(i))
	}
	if len(h.moments) > 2*historyMax || !h.confirm(9+5*historyMax, 1, 5*historyMax-1) {
		t.Errorf("%d moments are kept, want the last %d at least", len(h.moments), historyMax/2)
	}
}

// BenchmarkAdvance is a tick in a view with so many objects, one of which is the user's.
func BenchmarkAdvance(b *testing.B) {
	for name, users := range map[string]world.User{"10": 8, "100": 98, "1000": 998} {
		b.Run(name, func(b *testing.B) {
			w := mechanismtest.Marbles(users)
			view := world.NewState(w.Schema(), 1)
			w.Populate(view)
			s := NewSelf(w, user, view, knownIf(func(world.ID) bool { return true }), true)
			s.Tell(view.Get(world.ID(user)))
			now := world.Tick(0)
			b.ReportAllocs()
			for b.Loop() {
				now++
				s.Advance(now)
			}
		})
	}
}

// knownIf is what a function says is known.
type knownIf func(world.ID) bool

func (f knownIf) Holds(id world.ID) bool { return f(id) }
