package area

import (
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

func TestServers(t *testing.T) {
	s := Servers{First: 3, Count: 4}
	for id := mechanism.NodeID(1); id < 10; id++ {
		area, ok := s.Area(id)
		if ok != (id >= 3 && id < 7) || ok && s.Of(area) != id {
			t.Errorf("node %d serves %d, %v", id, area, ok)
		}
	}
}

// box is 1000 by 400, and not at the origin.
var box = fixed.Box{Min: at(-100, 50), Max: at(900, 450)}

func at(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }

// somewhere draws a place in or around the box, often just on a border.
func somewhere(r *random.Stream) fixed.Vec {
	p := fixed.Vec{X: fixed.F(r.Below(uint64(1400*fixed.One))) - 300*fixed.One, Y: fixed.F(r.Below(uint64(800*fixed.One))) - 150*fixed.One}
	if r.Below(4) == 0 {
		p.X = box.Min.X + fixed.FromInt(200*int64(r.Below(6)))
	}
	if r.Below(4) == 0 {
		p.Y = box.Min.Y + fixed.FromInt(200*int64(r.Below(3)))
	}
	return p
}

func TestGridAgainstNaive(t *testing.T) {
	g := NewGrid(box, 5, 2)
	r := random.New(1, "grid")
	for range 20_000 {
		p, w := somewhere(&r), fixed.F(r.Below(uint64(500*fixed.One)))
		inside := box.Clamp(p)
		own, least := -1, fixed.Max
		var near []int
		for i := range g.Len() {
			b := g.Box(i)
			if inside.Within(b.Clamp(inside), w) {
				near = append(near, i)
			}
			if d := b.DistTo(inside); d <= least { // of two that share an edge, the later one
				own, least = i, d
			}
		}
		if got := g.Of(p); got != own {
			t.Fatalf("%v belongs to area %d, not %d", p, own, got)
		}
		if got := g.Near(nil, p, w); !slices.Equal(got, near) {
			t.Fatalf("within %v of %v are %v, not %v", w, p, near, got)
		}
		for i := range g.Len() {
			if g.Within(i, p, w) != slices.Contains(near, i) {
				t.Fatalf("area %d within %v of %v: %v", i, w, p, g.Within(i, p, w))
			}
		}
	}
}

func TestBoxesCoverTheBounds(t *testing.T) {
	for _, test := range []struct{ columns, rows int }{{1, 1}, {3, 1}, {7, 5}, {64, 64}} {
		g := NewGrid(box, test.columns, test.rows)
		all := g.Box(0)
		for i := range g.Len() {
			b := g.Box(i)
			all = all.Union(b)
			if g.Of(b.Min) != i {
				t.Errorf("%v: the least corner of area %d belongs to %d", test, i, g.Of(b.Min))
			}
		}
		if all != box {
			t.Errorf("%v: the areas cover %v", test, all)
		}
	}
}

func TestNeighbours(t *testing.T) {
	g := NewGrid(box, 5, 2)
	for _, test := range []struct {
		area int
		w    fixed.F
		want []int
	}{
		{0, 0, []int{1, 5, 6}},
		{2, 10 * fixed.One, []int{1, 3, 6, 7, 8}},
		{2, 200 * fixed.One, []int{0, 1, 3, 4, 5, 6, 7, 8, 9}},
		{0, 199 * fixed.One, []int{1, 5, 6}},
		{9, g.Everywhere(), []int{0, 1, 2, 3, 4, 5, 6, 7, 8}},
	} {
		if got := g.Neighbours(nil, test.area, test.w); !slices.Equal(got, test.want) {
			t.Errorf("within %v of area %d are %v, want %v", test.w, test.area, got, test.want)
		}
	}
}

// boundless is a world that does not say how far it reaches.
type boundless struct{ world.World }

func TestMap(t *testing.T) {
	w := mechanismtest.Marbles(3) // sees 30, effects reach 4
	c := Config{Columns: 2, Rows: 1}
	if m := NewMap(w, c, true); m.Reach != 30*fixed.One {
		t.Errorf("with sight, reach is %v", m.Reach)
	}
	m := NewMap(w, c, false)
	if m.Reach != 4*fixed.One {
		t.Errorf("without sight, reach is %v", m.Reach)
	}
	if m := NewMap(boundless{w}, c, false); m.Reach != m.Everywhere() || !m.Concerns(1, &world.Object{}) {
		t.Errorf("a world without limits reaches %v", m.Reach)
	}
	for _, test := range []struct {
		x    int64
		kind world.KindID
		want []int
	}{
		{10, mechanismtest.Marble, []int{0}},
		{46, mechanismtest.Marble, []int{0, 1}},
		{50, mechanismtest.Marble, []int{0, 1}},
		{55, mechanismtest.Marble, []int{1}},
		{0, mechanismtest.Tally, []int{0, 1}},
	} {
		o := world.Object{Kind: test.kind, Pos: at(test.x, 0)}
		if got := m.Concerned(nil, &o); !slices.Equal(got, test.want) {
			t.Errorf("at %d, %v are concerned, want %v", test.x, got, test.want)
		}
	}
	// Where what has no place can be affected from anywhere, its area, the first, knows everything.
	m = NewMap(w, c, false).Survey()
	far := world.Object{Kind: mechanismtest.Marble, Pos: at(90, 0)}
	inner := m.Inner(1)
	if got := m.Concerned(nil, &far); !slices.Equal(got, []int{0, 1}) || m.Inside(&inner, &far) {
		t.Errorf("%v are concerned by what is far away", got)
	}
}
