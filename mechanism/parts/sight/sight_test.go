package sight

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// plain is a flat world in which nothing happens: users own things and see ten far.
type plain struct{ schema world.Schema }

const (
	thing world.KindID = iota // has a place
	score                     // has none
)

const side = 100 * fixed.One

func newPlain() *plain {
	box := fixed.Box{Max: fixed.Vec{X: side, Y: side}}
	return &plain{world.Schema{Name: "plain", Tick: world.Second, Bounds: box, Kinds: []world.Kind{
		thing: {Name: "thing", Variables: world.Placed(box, 1, 0)},
		score: {Name: "score", Variables: []world.Variable{{Name: "points", Slot: world.AttrSlot(0), Max: 100}}},
	}}}
}

func (p *plain) Schema() *world.Schema                               { return &p.schema }
func (p *plain) Users() world.User                                   { return 3 }
func (p *plain) Populate(*world.State)                               {}
func (p *plain) Player(world.User, random.Stream) world.Player       { return nil }
func (p *plain) Act(*world.Window, *world.Action)                    {}
func (p *plain) Step(*world.Window)                                  {}
func (p *plain) Extrapolate(*world.Object, world.Time)               {}
func (p *plain) Reach(*world.State, *world.Action, *world.Footprint) {}
func (p *plain) Limits() world.Limits                                { return world.Limits{Sight: 10 * fixed.One} }

// boundless is a plain without a limit to sight.
type boundless struct{ plain }

func (b *boundless) Limits() world.Limits { return world.Limits{Sight: side * 2} }

// foggy is a plain where nobody sees others' things with even IDs.
type foggy struct{ plain }

func (f *foggy) Sees(_ *world.State, _ world.User, o *world.Object) bool { return o.ID%2 == 1 }

// scene is a field with one user's set, and what its keeper was told.
type scene struct {
	state *world.State
	shown *world.State
	field *Field
	set   Set
	user  world.User
	reach fixed.F
	in    map[int32]world.ID // by handle
	next  int32
	log   []string
}

func newScene(w world.World, margin fixed.F) *scene {
	s := world.NewState(w.Schema(), 1)
	c := &scene{state: s, shown: s.Clone(), field: NewField(w, s, margin), user: 1, in: map[int32]world.ID{}}
	c.reach = c.field.Sight()
	return c
}

func (c *scene) Enter(id world.ID) int32 {
	c.next++
	c.in[c.next] = id
	c.log = append(c.log, fmt.Sprint("+", id))
	return c.next
}

func (c *scene) Leave(h int32) {
	c.log = append(c.log, fmt.Sprint("-", c.in[h]))
	delete(c.in, h)
}

func (c *scene) put(id world.ID, user world.User, x, y fixed.F) {
	c.state.Put(world.Object{ID: id, User: user, Pos: fixed.Vec{X: x, Y: y}})
}

// look looks and returns what the keeper was told.
func (c *scene) look() []string {
	for d := range world.Diff(c.shown, c.state) {
		c.field.Change(d)
	}
	c.shown.CopyFrom(c.state)
	c.field.Sync()
	c.log = nil
	c.field.Look(c.user, c.reach, &c.set, c)
	return c.log
}

func (c *scene) want(t *testing.T, want ...string) {
	t.Helper()
	if got := c.look(); !slices.Equal(got, want) {
		t.Errorf("the keeper was told %v, want %v", got, want)
	}
}

const m = fixed.One

func TestEdgeHasSlack(t *testing.T) {
	c := newScene(newPlain(), fixed.One/10)
	c.put(1, 1, 50*m, 50*m)
	c.put(2, 2, 60*m+1, 50*m)
	c.want(t, "+1")
	c.put(2, 2, 60*m, 50*m)
	c.want(t, "+2")
	for range 10 { // to and fro across the edge
		c.put(2, 2, 60*m+m/2, 50*m)
		c.want(t)
		c.put(2, 2, 59*m, 50*m)
		c.want(t)
	}
	c.put(2, 2, 61*m-m/100, 50*m)
	c.want(t)
	c.put(2, 2, 62*m, 50*m)
	c.want(t, "-2")
	c.put(2, 2, 60*m+m/2, 50*m)
	c.want(t)
	if !c.set.Has(1) || c.set.Has(2) || c.set.Len() != 1 {
		t.Error("the set does not know what is in it")
	}
}

func TestWhatIsGoneLeaves(t *testing.T) {
	c := newScene(newPlain(), fixed.One/10)
	c.put(1, 1, 50*m, 50*m)
	c.put(2, 0, 51*m, 50*m)
	c.want(t, "+1", "+2")
	c.state.Remove(2)
	c.want(t, "-2")
	c.state.Remove(1)
	c.want(t, "-1")
}

func TestOwnAndPlacelessAreAlwaysInSight(t *testing.T) {
	c := newScene(newPlain(), fixed.One/10)
	c.put(1, 1, 0, 0)
	c.put(2, 1, 90*m, 90*m) // a second one of the user's, far away
	c.put(3, 2, 91*m, 90*m) // next to that
	c.put(4, 2, 50*m, 50*m) // next to neither
	c.state.Put(world.Object{ID: 5, User: 2, Kind: score})
	c.want(t, "+1", "+2", "+3", "+5")
	c.put(2, 2, 90*m, 90*m) // it changes hands
	c.want(t, "-2", "-3")
	if got := c.field.Owned(1); len(got) != 1 || !c.set.HasAll(got) {
		t.Errorf("the user owns %v", got)
	}
}

func TestUserWithoutAnything(t *testing.T) {
	c := newScene(newPlain(), fixed.One/10)
	c.put(1, 2, 0, 0)
	c.state.Put(world.Object{ID: 5, Kind: score})
	c.want(t, "+5")
}

func TestVeilHides(t *testing.T) {
	c := newScene(&foggy{*newPlain()}, fixed.One/10)
	c.put(1, 2, 50*m, 50*m)
	c.put(2, 1, 51*m, 50*m) // even, but the user's own
	c.put(4, 2, 52*m, 50*m)
	c.want(t, "+1", "+2")
	c.put(1, 1, 50*m, 50*m)
	c.want(t)
	if !c.field.Veiled() || c.field.Everything() {
		t.Error("the field does not know that there is a veil")
	}
}

func TestEverything(t *testing.T) {
	c := newScene(&boundless{*newPlain()}, fixed.One/10)
	c.put(1, 1, 0, 0)
	c.put(2, 2, side, side)
	c.want(t, "+1", "+2")
	c.want(t)
	if work := c.field.TakeWork(); work != 2 {
		t.Errorf("%d objects looked at, want 2: the second time nothing had changed", work)
	}
	c.put(2, 2, 0, side)
	c.want(t)
	c.reach = 5 * m // now only what is near
	c.put(3, 2, 4*m, 0)
	c.want(t, "-2", "+3")
}

// The set is what a plain search finds, with the slack at the edge, whatever moves.
func TestAsNaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		margin := fixed.F(rapid.Int64Range(0, int64(fixed.One)).Draw(t, "margin"))
		c := newScene(newPlain(), margin)
		member := map[world.ID]bool{}
		for range 20 {
			for range rapid.IntRange(0, 6).Draw(t, "changes") {
				id := world.ID(rapid.IntRange(1, 15).Draw(t, "id"))
				if rapid.IntRange(0, 5).Draw(t, "gone") == 0 {
					c.state.Remove(id)
					continue
				}
				at := func(name string) fixed.F { return m.MulInt(rapid.Int64Range(0, 40).Draw(t, name)) }
				c.put(id, world.User(rapid.IntRange(0, 2).Draw(t, "user")), at("x"), at("y"))
			}
			c.look()
			next := map[world.ID]bool{}
			for o := range c.state.All() {
				for own := range c.state.All() {
					reach := 10 * m
					if member[o.ID] {
						reach += reach.Mul(margin)
					}
					if o.User == 1 || own.User == 1 && o.Pos.Within(own.Pos, reach) {
						next[o.ID] = true
					}
				}
			}
			member = next
			if len(c.in) != len(member) || c.set.Len() != len(member) {
				t.Fatalf("%d in the set, %d with the keeper, want %d", c.set.Len(), len(c.in), len(member))
			}
			for _, id := range c.in {
				if !member[id] || !c.set.Has(id) {
					t.Fatalf("object %d is in sight: %v, in the set: %v", id, member[id], c.set.Has(id))
				}
			}
		}
	})
}

// BenchmarkLook is keeping one user's set up to date among 5,000 objects of which so many are in sight.
func BenchmarkLook(b *testing.B) {
	for _, near := range []int64{10, 100, 1000} {
		b.Run(fmt.Sprint(near), func(b *testing.B) {
			c := newScene(newPlain(), fixed.One/10)
			r := random.New(1, "look")
			wide := (31416 * m / 100).MulInt(5000).DivInt(near).Sqrt()
			for id := world.ID(1); id <= 5000; id++ {
				c.put(id, world.User(id), r.Between(0, wide), r.Between(0, wide))
			}
			c.put(1, 1, wide/2, wide/2)
			c.look()
			b.ReportAllocs()
			for b.Loop() {
				c.field.Look(1, c.reach, &c.set, c)
			}
			b.ReportMetric(float64(c.set.Len()), "seen")
		})
	}
}
