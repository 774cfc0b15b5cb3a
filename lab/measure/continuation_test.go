package measure

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// The world of these tests has carts on a line of 100, which gain speed by their push; users set the push of their cart.
var cartSchema = &world.Schema{
	Name: "carts", Tick: world.Second, Bounds: fixed.Box{Max: fixed.Vec{X: 100}},
	Kinds: []world.Kind{
		{Name: "cart", Variables: []world.Variable{
			{Name: "x", Slot: world.SlotX, Max: 100, Weight: 4},
			{Name: "vx", Slot: world.SlotVX, Max: 10, Weight: 3},
			{Name: "push", Slot: world.AttrSlot(0), Max: 10, Weight: 1, Smooth: true},
		}},
		{Name: "stone", Variables: []world.Variable{{Name: "x", Slot: world.SlotX, Max: 100, Weight: 2}}},
	},
	Verbs: []world.Verb{{Name: "push", Args: []world.Variable{{Name: "push", Max: 10}}}},
}

type carts struct{}

func (carts) Schema() *world.Schema                               { return cartSchema }
func (carts) Users() world.User                                   { return 3 }
func (carts) Populate(*world.State)                               {}
func (carts) Extrapolate(*world.Object, world.Time)               {}
func (carts) Player(world.User, random.Stream) world.Player       { return nil }
func (carts) Reach(*world.State, *world.Action, *world.Footprint) {}
func (carts) Act(w *world.Window, a *world.Action) {
	if o := w.Edit(world.ID(a.User)); o != nil {
		o.Attr[0] = a.Args[0]
	}
}
func (carts) Step(w *world.Window) {
	for o := range w.Open() {
		o.Vel.X += fixed.F(o.Attr[0])
		o.Pos.X += o.Vel.X
	}
}

func cart(id world.ID, x, vx, push int64) world.Object {
	return world.Object{ID: id, User: world.User(id), Pos: fixed.Vec{X: fixed.F(x)}, Vel: fixed.Vec{X: fixed.F(vx)}, Attr: [world.MaxAttributes]int64{push}}
}

func stone(id world.ID, x int64) world.Object {
	return world.Object{ID: id, Kind: 1, Pos: fixed.Vec{X: fixed.F(x)}}
}

// scene is what somebody sees.
func scene(objects ...world.Object) *world.State {
	s := world.NewState(cartSchema, 1)
	for _, o := range objects {
		s.Put(o)
	}
	return s
}

func push(u world.User, push int64) *world.Action {
	return &world.Action{User: u, Args: [world.MaxArgs]int64{push}}
}

func follower() *continuations {
	start := world.NewState(cartSchema, 1)
	return &continuations{rules: carts{}, scales: newScales(cartSchema),
		window: world.NewWindow(start), tries: [2]*world.State{start, start.Clone()}}
}

// some is a node that holds some objects.
type some struct {
	mechanism.Node
	held map[world.ID]bool
}

func (s some) Holds(id world.ID) bool { return s.held[id] }

// squares is the gap by the weights of one cart (4 of 7, or of 8 with its push) for changes by so many hundredths, tenths and
// tenths.
func squares(x, vx, push float64) gap {
	all := 4*x*x/1e4 + 3*vx*vx/100
	return gap{all / 7, (all + push*push/100) / 8}
}

func TestWhatAViewWouldShowByItself(t *testing.T) {
	for name, c := range map[string]struct {
		from, to    *world.State
		own, others []*world.Action
		want        gap
	}{
		"it goes on":                        {from: scene(cart(1, 20, 2, 1)), to: scene(cart(1, 23, 3, 1))},
		"it stands still":                   {from: scene(cart(1, 20, 2, 1)), to: scene(cart(1, 20, 2, 1)), want: squares(3, 1, 0)},
		"it catches up":                     {from: scene(cart(1, 20, 2, 0)), to: scene(cart(1, 26, 2, 0)), want: squares(4, 0, 0)},
		"somebody acts, then a tick passes": {from: scene(cart(1, 20, 2, 0)), to: scene(cart(1, 23, 3, 1)), others: []*world.Action{push(1, 1)}},
		"a tick passes, then somebody acts": {from: scene(cart(1, 20, 2, 0)), to: scene(cart(1, 22, 2, 1)), others: []*world.Action{push(1, 1)}},
		"the user acts after the tick and another before it": {
			from: scene(cart(2, 20, 2, 0), cart(3, 20, 2, 0)), to: scene(cart(2, 22, 2, 1), cart(3, 23, 3, 1)),
			own: []*world.Action{push(2, 1)}, others: []*world.Action{push(3, 1)}},
		"both act in a turn": {
			from: scene(cart(2, 20, 2, 0), cart(3, 20, 2, 0)), to: scene(cart(2, 23, 3, 1), cart(3, 23, 3, 1)),
			own: []*world.Action{push(2, 1)}, others: []*world.Action{push(3, 1)}},
		"an action that comes two ticks late moves the cart to where it should have been": {
			from: scene(cart(1, 20, 2, 0)), to: scene(cart(1, 28, 5, 1)), others: []*world.Action{push(1, 1)}, want: squares(5, 2, 0)},
		"an action that nobody told of":       {from: scene(cart(1, 20, 2, 0)), to: scene(cart(1, 23, 3, 1)), want: squares(1, 1, 1)},
		"an action that was told of too soon": {from: scene(cart(1, 20, 2, 0)), to: scene(cart(1, 22, 2, 0)), others: []*world.Action{push(1, 1)}, want: squares(0, 0, 1)},
		"what comes and goes is no jump":      {from: scene(cart(1, 20, 2, 0), stone(9, 3)), to: scene(cart(1, 22, 2, 0), stone(8, 3))},
		"what becomes something else is none": {from: scene(cart(1, 20, 2, 0)), to: scene(stone(1, 50))},
		"the weight of all that is shown counts": {
			from: scene(cart(1, 20, 2, 0), stone(8, 3), stone(9, 3)), to: scene(cart(1, 22, 2, 0), stone(8, 13), stone(9, 3)),
			want: gap{2 * 0.01 / 11, 2 * 0.01 / 12}},
	} {
		f := follower()
		h := &sim.Host{Place: mechanism.Place{ID: 2, User: 2}}
		if g := f.follow(h, c.from); g != (gap{}) {
			t.Errorf("%s: the first look finds %v", name, g)
		}
		for _, a := range append(c.own, c.others...) {
			f.applied(h, a)
		}
		if g := f.follow(h, c.to); !(math.Abs(g.jump-c.want.jump) <= 1e-15 && math.Abs(g.change-c.want.change) <= 1e-15) {
			t.Errorf("%s: %v, want %v", name, g, c.want)
		}
		// Whatever was found, the next frame begins with what is shown.
		if g := f.follow(h, c.to); c.to.Get(1) != nil && c.to.Get(1).Kind == 0 && len(c.own) == 0 {
			o := c.to.Get(1)
			v := float64(int64(o.Vel.X) + o.Attr[0])
			if want := squares(v, float64(o.Attr[0]), 0).jump * 7 / f.scalesOf(c.to); !(math.Abs(g.jump-want) <= 1e-15) {
				t.Errorf("%s: standing still afterwards is %v, want %v", name, g.jump, want)
			}
		}
	}
}

func (c *continuations) scalesOf(s *world.State) float64 {
	jumps, _ := c.scales.of(s, nil)
	return jumps
}

func TestOnlyWhatIsHeldBeforeAndAfterJumps(t *testing.T) {
	f := follower()
	held := map[world.ID]bool{1: true}
	h := &sim.Host{Place: mechanism.Place{ID: 1, User: 1}, Node: &some{held: held}}
	f.follow(h, scene(cart(1, 20, 0, 0), stone(8, 3), stone(9, 3)))
	if g := f.follow(h, scene(cart(1, 20, 0, 0), stone(8, 13), stone(9, 3))); g != (gap{}) {
		t.Errorf("what is not held jumps: %v", g)
	}
	held[8] = true
	if g := f.follow(h, scene(cart(1, 20, 0, 0), stone(8, 23), stone(9, 3))); g != (gap{}) {
		t.Errorf("what was not held before jumps: %v", g)
	}
	if g := f.follow(h, scene(cart(1, 20, 0, 0), stone(8, 33), stone(9, 43))); !(math.Abs(g.jump-2*0.01/9) <= 1e-15) {
		t.Errorf("of 9 that are held, 2 jump by a tenth: %v", g)
	}
	delete(held, 8)
	if g := f.follow(h, scene(cart(1, 20, 0, 0), stone(8, 53), stone(9, 43))); g != (gap{}) {
		t.Errorf("what is no longer held jumps: %v", g)
	}
}

// newcomer is a node that may not be ready.
type newcomer struct {
	mechanism.Node
	ready *bool
}

func (n newcomer) Ready() bool { return *n.ready }

func TestWhoComesLateBeginsAnew(t *testing.T) {
	f := follower()
	ready := false
	h := &sim.Host{Place: mechanism.Place{ID: 1, User: 1}, Node: newcomer{ready: &ready}}
	f.follow(h, scene(stone(9, 3)))
	f.follow(h, scene(stone(9, 13)))
	ready = true
	if g := f.follow(h, scene(stone(9, 23))); g != (gap{}) {
		t.Errorf("what is shown first is a jump of %v", g)
	}
	if g := f.follow(h, scene(stone(9, 33))); g == (gap{}) {
		t.Error("what is shown then is none")
	}
	h.Node = half{} // somebody else takes the place
	if g := f.follow(h, scene(stone(9, 43))); g != (gap{}) {
		t.Errorf("another's view is a jump of %v", g)
	}
}

// What is found does not depend on whether hosts with equal views share them.
func TestSharedViewsAreFollowedLikeCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.IntRange(1, 6).Draw(t, "hosts")
		shared, alone := follower(), follower()
		view := make([]*world.State, hosts)
		for i := range view {
			view[i] = scene(cart(1, 20, 2, 0), cart(2, 30, 1, 1), cart(3, 5, 0, 0))
		}
		for range rapid.IntRange(1, 8).Draw(t, "ticks") {
			scenes := make([]*world.State, 2)
			for i := range scenes {
				scenes[i] = scene(cart(1, rapid.Int64Range(20, 23).Draw(t, "x"), 2, 0), cart(2, 30, 1, rapid.Int64Range(0, 1).Draw(t, "push")), cart(3, 5, 0, 0))
			}
			for i := range hosts {
				h := &sim.Host{Place: mechanism.Place{ID: mechanism.NodeID(i + 1), User: world.User(i + 1)}}
				if rapid.IntRange(0, 3).Draw(t, "acts") == 0 {
					a := push(world.User(rapid.IntRange(1, 3).Draw(t, "who")), rapid.Int64Range(0, 2).Draw(t, "push"))
					shared.applied(h, a)
					alone.applied(h, a)
				}
				view := rapid.SampledFrom(scenes).Draw(t, "view")
				one, other := shared.follow(h, view), alone.follow(h, view.Detach())
				// Where another host has explained the same view by an action that this one was not told of, it is explained.
				if one != other && one != (gap{}) {
					t.Fatalf("host %d: %v shared, %v alone", i+1, one, other)
				}
			}
			shared.forget()
			alone.forget()
		}
		held := 0
		for i := range shared.frames {
			held = max(held, shared.frames[i].last.holders)
		}
		if held > hosts {
			t.Fatalf("%d hosts hold a snapshot %d times", hosts, held)
		}
	})
}
