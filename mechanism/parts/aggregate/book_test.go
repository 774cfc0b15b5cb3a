package aggregate

import (
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism"
	"throng/mechanism/parts/octree"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
	"throng/world/wire"
)

var bounds = fixed.Box{Max: fixed.Vec{X: 1000 * fixed.One, Y: 1000 * fixed.One}}

func somewhere(t *rapid.T) fixed.Vec {
	at := func() fixed.F { return fixed.F(rapid.Int64Range(0, 1000*int64(fixed.One)).Draw(t, "at")) }
	return fixed.Vec{X: at(), Y: at()}
}

// Whoever is in sight and not near is in one cloud, nobody is in two, and no cloud has anybody in it who is not there.
func TestEverybodyFarIsInOneCloud(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBook(bounds, 8)
		objects := make([]world.Object, rapid.IntRange(0, 60).Draw(t, "objects"))
		for i := range objects {
			o := world.Object{ID: world.ID(i + 1), Kind: world.KindID(i % 2), Pos: somewhere(t)}
			b.Change(world.Change{New: &o})
			moved := o
			moved.Pos = somewhere(t)
			b.Change(world.Change{Old: &o, New: &moved})
			objects[i] = moved
		}
		for len(objects) > 0 && rapid.Bool().Draw(t, "leaves") {
			b.Change(world.Change{Old: &objects[0]})
			objects = objects[1:]
		}
		b.Renew(world.Second)
		near := fixed.F(rapid.Int64Range(0, 300).Draw(t, "near")) * fixed.One
		e := Eye{Centres: []fixed.Vec{somewhere(t), somewhere(t)}, Near: near, Sight: near + 200*fixed.One}
		clouds := b.Look(nil, e, 1000)
		for i := range clouds {
			box, n := b.space.Box(clouds[i].Code), 0
			for _, o := range objects {
				if o.Kind == clouds[i].Kind && box.Contains(o.Pos) {
					n++
				}
			}
			if n != clouds[i].Count || n == 0 {
				t.Fatalf("a cloud of %d has %d in it", clouds[i].Count, n)
			}
		}
		for _, o := range objects {
			in := 0
			for _, c := range clouds {
				if c.Kind == o.Kind && b.space.Box(c.Code).Contains(o.Pos) {
					in++
				}
			}
			far, seen := true, false
			for _, c := range e.Centres {
				far = far && !o.Pos.Within(c, e.Near)
				seen = seen || o.Pos.Within(c, e.Sight)
			}
			if in > 1 || far && seen && in == 0 {
				t.Fatalf("an object at %v, far %t, in sight %t, is in %d clouds", o.Pos, far, seen, in)
			}
		}
	})
}

// A look finds no more than there is room for, and what is nearer is shown in smaller nodes.
func TestLooksAreBounded(t *testing.T) {
	b, r := NewBook(bounds, 9), random.New(1, "places")
	for i := range 5000 {
		o := world.Object{ID: world.ID(i + 1), Pos: fixed.Vec{X: fixed.F(r.Below(1000)) * fixed.One, Y: fixed.F(r.Below(1000)) * fixed.One}}
		b.Change(world.Change{New: &o})
	}
	b.Renew(world.Second)
	e := Eye{Centres: []fixed.Vec{{X: 500 * fixed.One, Y: 500 * fixed.One}}, Near: 50 * fixed.One, Sight: 2000 * fixed.One}
	for _, most := range []int{1000, 100, 30} {
		clouds := b.Look(nil, e, most)
		if len(clouds) > most || len(clouds) < most/8 {
			t.Errorf("%d clouds where there is room for %d", len(clouds), most)
		}
	}
	clouds := b.Look(nil, e, 200)
	sum, nearest, farthest := 0, uint8(0), uint8(99)
	for _, c := range clouds {
		sum += c.Count
		if d := b.space.Box(c.Code).DistTo(e.Centres[0]); d < 60*fixed.One {
			nearest = max(nearest, c.Code.Depth)
		} else if d > 400*fixed.One {
			farthest = min(farthest, c.Code.Depth)
		}
	}
	if nearest <= farthest || sum < 4900 {
		t.Errorf("near clouds have depth %d, far ones %d; all have %d members", nearest, farthest, sum)
	}
}

func TestMotion(t *testing.T) {
	b := NewBook(bounds, 0)
	for i := range 4 {
		o := world.Object{ID: world.ID(i + 1), Pos: fixed.Vec{X: 10 * fixed.One}}
		b.Change(world.Change{New: &o})
		b.Renew(0)
		moved := o
		moved.Pos.X += 8 * fixed.One
		b.Change(world.Change{Old: &o, New: &moved})
	}
	b.Renew(500 * world.Millisecond)
	if c := b.Look(nil, Eye{Centres: []fixed.Vec{{}}, Sight: 2000 * fixed.One}, 9); len(c) != 1 || c[0].Count != 4 || c[0].Motion != (fixed.Vec{X: 4 * fixed.One}) {
		t.Errorf("%+v", c) // one of the four has moved by 8 in half a second; the others before
	}
}

func TestRoundTrip(t *testing.T) {
	schema := &world.Schema{Kinds: make([]world.Kind, 3)}
	space := octree.Enclose(bounds)
	c := Cloud{Code: octree.At(space.Place(fixed.Vec{X: 700 * fixed.One, Y: 30 * fixed.One}), 7), Kind: 2, Count: 4711, Motion: fixed.Vec{X: -fixed.One, Y: fixed.One / 16}}
	msg := Append(nil, c)
	r := wire.NewReader(msg)
	want := mechanism.Cloud{Box: space.Box(c.Code), Kind: 2, Count: 4711, Motion: c.Motion}
	if got := Read(&r, space, schema); got != want || r.Done() != nil || len(msg) > CloudMax {
		t.Errorf("%+v arrived as %+v", want, got)
	}
}

func FuzzRead(f *testing.F) {
	schema := &world.Schema{Kinds: make([]world.Kind, 3)}
	f.Add(Append(nil, Cloud{Count: 1}))
	f.Fuzz(func(t *testing.T, msg []byte) {
		r := wire.NewReader(msg)
		if c := Read(&r, octree.Enclose(bounds), schema); !r.Failed() && (c.Count < 0 || int(c.Kind) > 2) {
			t.Errorf("%+v", c)
		}
	})
}

// What a thousand walkers cost who all take a step, and what somebody's look at them does: go test -run '^$' -bench . ./mechanism/parts/aggregate
func BenchmarkBook(b *testing.B) {
	book, r := NewBook(bounds, 8), random.New(1, "places")
	objects := make([]world.Object, 1000)
	for i := range objects {
		objects[i] = world.Object{ID: world.ID(i + 1), Pos: fixed.Vec{X: fixed.F(r.Below(1000)) * fixed.One, Y: fixed.F(r.Below(1000)) * fixed.One}}
		book.Change(world.Change{New: &objects[i]})
	}
	b.Run("steps=1000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range objects {
				was := objects[i]
				objects[i].Pos.X ^= fixed.One
				book.Change(world.Change{Old: &was, New: &objects[i]})
			}
			book.Renew(world.Second)
		}
	})
	b.Run("look", func(b *testing.B) {
		b.ReportAllocs()
		var clouds []Cloud
		e := Eye{Centres: []fixed.Vec{{X: 500 * fixed.One, Y: 500 * fixed.One}}, Near: 50 * fixed.One, Sight: 2000 * fixed.One}
		for b.Loop() {
			clouds = book.Look(clouds[:0], e, 100)
		}
	})
}
