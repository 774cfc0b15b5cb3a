package octree

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/world/fixed"
	"throng/world/random"
)

// coordinate draws numbers that differ in many places, or in few.
func coordinate() *rapid.Generator[uint64] {
	return rapid.Custom(func(t *rapid.T) uint64 {
		n := rapid.Uint64Max(axisMax).Draw(t, "n")
		return n >> rapid.IntRange(0, AxisBits).Draw(t, "shift")
	})
}

func point() *rapid.Generator[Point] {
	return rapid.Custom(func(t *rapid.T) Point {
		return Point{coordinate().Draw(t, "x"), coordinate().Draw(t, "y"), coordinate().Draw(t, "z")}
	})
}

func code() *rapid.Generator[Code] {
	return rapid.Custom(func(t *rapid.T) Code {
		return At(point().Draw(t, "point"), uint8(rapid.IntRange(0, AxisBits).Draw(t, "depth")))
	})
}

func volume() *rapid.Generator[Volume] {
	return rapid.Custom(func(t *rapid.T) Volume {
		a, b := point().Draw(t, "a"), point().Draw(t, "b")
		return Volume{Point{min(a.X, b.X), min(a.Y, b.Y), min(a.Z, b.Z)}, Point{max(a.X, b.X), max(a.Y, b.Y), max(a.Z, b.Z)}}
	})
}

func limits() *rapid.Generator[Limits] {
	return rapid.Custom(func(t *rapid.T) Limits {
		return Limits{uint8(rapid.IntRange(0, 4).Draw(t, "splits")), uint8(rapid.IntRange(0, AxisBits).Draw(t, "depth"))}
	})
}

// inside reports whether a point lies in a node.
func inside(c Code, p Point) bool { return At(p, c.Depth) == c }

func meet(a, b Volume) bool {
	return a.Low.X <= b.High.X && b.Low.X <= a.High.X && a.Low.Y <= b.High.Y && b.Low.Y <= a.High.Y && a.Low.Z <= b.High.Z && b.Low.Z <= a.High.Z
}

func volumeOf(c Code) Volume { return Volume{c.Low, c.High()} }

// morton interleaves the bits of a code's corner, as the order is defined.
func morton(c Code) *big.Int {
	n := new(big.Int)
	for bit := AxisBits - 1; bit >= 0; bit-- {
		for _, axis := range []uint64{c.Low.Z, c.Low.Y, c.Low.X} {
			n.Lsh(n, 1)
			n.Or(n, big.NewInt(int64(axis>>bit&1)))
		}
	}
	return n
}

func TestCodesFollowTheMortonCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := code().Draw(t, "a"), code().Draw(t, "b")
		want := morton(a).Cmp(morton(b))
		if want == 0 {
			want = int(a.Depth) - int(b.Depth)
		}
		if got := Compare(a, b); got < 0 != (want < 0) || got > 0 != (want > 0) {
			t.Fatalf("%v against %v: %d, want %d", a, b, got, want)
		}
	})
}

func TestCodesNest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := code().Draw(t, "a"), code().Draw(t, "b")
		if a.Covers(b) != (a.Depth <= b.Depth && inside(a, b.Low)) {
			t.Fatalf("%v covers %v: %v", a, b, a.Covers(b))
		}
		c := Common(a, b)
		if !c.Covers(a) || !c.Covers(b) {
			t.Fatalf("%v does not cover %v and %v", c, a, b)
		}
		if c.Depth < min(a.Depth, b.Depth) {
			if deeper := At(a.Low, c.Depth+1); deeper.Covers(b) {
				t.Fatalf("%v covers both, too", deeper)
			}
		}
		if p := a.Parent(); a.Depth > 0 && (p.Depth != a.Depth-1 || !p.Covers(a)) {
			t.Fatalf("%v is no parent of %v", p, a)
		}
	})
}

func TestAFitCoversAndNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, l := volume().Draw(t, "volume"), limits().Draw(t, "limits")
		nodes := Fit(nil, v, l)
		if !slices.IsSortedFunc(nodes, Compare) {
			t.Fatal("not in order")
		}
		for i, c := range nodes {
			if c.Depth > l.Depth || !meet(volumeOf(c), v) {
				t.Fatalf("%v is too deep, or away from the volume", c)
			}
			if i > 0 && nodes[i-1].Covers(c) {
				t.Fatalf("%v covers %v", nodes[i-1], c)
			}
		}
		for range 20 {
			p := Point{
				rapid.Uint64Range(v.Low.X, v.High.X).Draw(t, "x"),
				rapid.Uint64Range(v.Low.Y, v.High.Y).Draw(t, "y"),
				rapid.Uint64Range(v.Low.Z, v.High.Z).Draw(t, "z"),
			}
			if !slices.ContainsFunc(nodes, func(c Code) bool { return inside(c, p) }) {
				t.Fatalf("%v is not covered by %v", p, nodes)
			}
		}
	})
}

// Whatever two boxes are fitted with, if they meet, a node of one covers a node of the other.
func TestBoxesThatMeetShareANode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := volume().Draw(t, "a"), volume().Draw(t, "b")
		if !meet(a, b) {
			return
		}
		as, bs := Fit(nil, a, limits().Draw(t, "for a")), Fit(nil, b, limits().Draw(t, "for b"))
		for _, c := range as {
			if slices.ContainsFunc(bs, func(d Code) bool { return c.Covers(d) || d.Covers(c) }) {
				return
			}
		}
		t.Fatalf("%v and %v meet, but not %v and %v", a, b, as, bs)
	})
}

func TestNoSplitIsTheEnclosingNode(t *testing.T) {
	v := Volume{Point{1<<61 - 1, 0, 0}, Point{1 << 61, 1, 1}} // small, and across the highest border
	if got := Fit(nil, v, Limits{0, AxisBits}); !slices.Equal(got, []Code{{}}) {
		t.Errorf("got %v, want the root", got)
	}
	want := []Code{At(v.Low, 61), At(v.High, 61)}
	if got := Fit(nil, v, Limits{1, AxisBits}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDiffAddsBeforeItRemoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := limits().Draw(t, "limits")
		from, to := Fit(nil, volume().Draw(t, "from"), l), Fit(nil, volume().Draw(t, "to"), l)
		now := map[Code]bool{}
		for _, c := range from {
			now[c] = true
		}
		removing := false
		Diff(from, to, func(c Code) {
			if removing || now[c] {
				t.Fatalf("%v is added late, or twice", c)
			}
			now[c] = true
		}, func(c Code) {
			removing = true
			if !now[c] {
				t.Fatalf("%v is removed and was not there", c)
			}
			delete(now, c)
		})
		if len(now) != len(to) {
			t.Fatalf("%d are left of %d", len(now), len(to))
		}
	})
}

func TestSpaceKeepsWhatMeets(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) fixed.F {
		return fixed.F(rapid.Int64().Draw(t, "n") >> rapid.IntRange(1, 62).Draw(t, "shift"))
	})
	box := rapid.Custom(func(t *rapid.T) fixed.Box {
		draw := func() fixed.Vec {
			return fixed.Vec{X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Z: number.Draw(t, "z")}
		}
		a, b := draw(), draw()
		return fixed.Box{Min: a, Max: a}.Union(fixed.Box{Min: b, Max: b})
	})
	rapid.Check(t, func(t *rapid.T) {
		s := Enclose(box.Draw(t, "world"))
		a, b := box.Draw(t, "a"), box.Draw(t, "b")
		if a.Intersects(b) && !meet(s.Volume(a), s.Volume(b)) {
			t.Fatalf("%v and %v meet, but not %v and %v", a, b, s.Volume(a), s.Volume(b))
		}
		v := s.Volume(a)
		if v.Low.X > v.High.X || v.High.X > axisMax {
			t.Fatalf("%v is no volume", v)
		}
	})
}

func TestSpaceByHand(t *testing.T) {
	one := fixed.One
	s := Enclose(fixed.Box{Min: fixed.Vec{X: -8 * one, Y: 0, Z: 0}, Max: fixed.Vec{X: 8*one - 1, Y: 4 * one, Z: 0}})
	if s.Bits != 24+4 {
		t.Fatalf("16 units take %d bits", s.Bits)
	}
	right := At(s.Place(fixed.Vec{X: 0, Y: 0, Z: 0}), 1)
	want := fixed.Box{Min: fixed.Vec{}, Max: fixed.Vec{X: 8*one - 1, Y: 8*one - 1, Z: 8*one - 1}}
	if got := s.Box(right); got != want {
		t.Errorf("the upper half is %v, want %v", got, want)
	}
}

// A model of the tree: entries by node.
type model map[Code]map[int]bool

func TestTreeHasWhatWasPutIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tree Tree[int]
		m := model{}
		codes := rapid.SliceOfN(code(), 1, 12).Draw(t, "codes")
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			c, e := rapid.SampledFrom(codes).Draw(t, "code"), rapid.IntRange(0, 3).Draw(t, "entry")
			if rapid.Bool().Draw(t, "add") {
				if tree.Add(c, e) == m[c][e] {
					t.Fatalf("adding %d to %v", e, c)
				}
				if m[c] == nil {
					m[c] = map[int]bool{}
				}
				m[c][e] = true
			} else {
				if tree.Remove(c, e) != m[c][e] {
					t.Fatalf("removing %d from %v", e, c)
				}
				delete(m[c], e)
			}
			check(t, &tree, m, codes)
		}
	})
}

func check(t *rapid.T, tree *Tree[int], m model, views []Code) {
	count, nodes := 0, 0
	for _, entries := range m {
		count += len(entries)
		if len(entries) > 0 {
			nodes++
		}
	}
	if tree.Len() != count || tree.Nodes() > max(1, 2*nodes) {
		t.Fatalf("%d entries in %d nodes, want %d in at most %d", tree.Len(), tree.Nodes(), count, 2*nodes)
	}
	for _, v := range views {
		watched(t, tree, m, []Code{v}, v.Depth+(AxisBits-v.Depth)/2)
	}
}

// watched compares what is found with all that is there.
func watched(t *rapid.T, tree *Tree[int], m model, views []Code, deepest uint8) {
	type hit struct {
		c Code
		e int
	}
	found := map[hit]bool{}
	tree.Watch(views, deepest, func(c Code, e int) {
		if found[hit{c, e}] {
			t.Fatalf("%d in %v is found twice", e, c)
		}
		found[hit{c, e}] = true
	})
	for c, entries := range m {
		want := slices.ContainsFunc(views, func(v Code) bool {
			return c.Covers(v) || v.Covers(c) && c.Depth <= max(deepest, v.Depth)
		})
		for e := range entries {
			if found[hit{c, e}] != want {
				t.Fatalf("watching %v to depth %d finds %d in %v: %v", views, deepest, e, c, !want)
			}
		}
	}
}

// The heart of it: whatever moves how fast, whoever watches a volume hears of all that is in it, at every moment of a move.
func TestNothingInSightIsMissed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tree Tree[int]
		l := limits().Draw(t, "limits")
		l.Splits = min(l.Splits, 3)
		bodies := make([]Volume, 6)
		sets := make([][]Code, len(bodies))
		for range rapid.IntRange(1, 20).Draw(t, "moves") {
			e := rapid.IntRange(0, len(bodies)-1).Draw(t, "who")
			was, known := bodies[e], sets[e] != nil
			now := volume().Draw(t, "body")
			view := volume().Draw(t, "view")
			look := func(moving bool) {
				sees := map[int]bool{}
				tree.Watch(Fit(nil, view, l), AxisBits, func(_ Code, e int) { sees[e] = true })
				for other, body := range bodies {
					switch {
					case sets[other] == nil || other == e && moving && !known:
					case other == e && moving && !(meet(was, view) && meet(now, view)):
					case meet(body, view) && !sees[other]:
						t.Fatalf("%v is in %v and not seen", body, view)
					}
				}
			}
			to := Fit(nil, now, l)
			tree.Move(e, sets[e], to, func(Code) { look(true) }, func(Code) { look(true) })
			bodies[e], sets[e] = now, to
			look(false)
		}
	})
}

func TestSteadyMovesAllocateNothing(t *testing.T) {
	var tree Tree[int]
	r := random.New(1, "moves")
	boxes := randomVolumes(&r, 64, 1<<40)
	l := Limits{3, AxisBits}
	var from, to []Code
	none := func(Code) {}
	round := func() {
		for _, v := range boxes {
			to = Fit(to[:0], v, l)
			tree.Move(1, from, to, none, none)
			from, to = to, from
		}
	}
	round()
	if n := testing.AllocsPerRun(10, round); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
}

// randomVolumes are boxes between two points that are at most a side apart on each axis.
func randomVolumes(r *random.Stream, n int, side uint64) []Volume {
	volumes := make([]Volume, n)
	for i := range volumes {
		axis := func() (low, high uint64) {
			a := r.Below(axisMax)
			b := a - min(a, side/2) + r.Below(side)
			return min(a, b), min(max(a, b), axisMax)
		}
		v := &volumes[i]
		v.Low.X, v.High.X = axis()
		v.Low.Y, v.High.Y = axis()
		v.Low.Z, v.High.Z = axis()
	}
	return volumes
}
