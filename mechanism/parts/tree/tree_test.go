package tree

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

const root mechanism.NodeID = 1

// Section 3.3.2: N = D^(L+1) − 2.
func TestCapacity(t *testing.T) {
	for _, c := range []struct {
		degree       int64
		levels, want int
	}{{2, 2, 6}, {4, 2, 62}, {4, 3, 254}, {1, 3, 0}, {0, 3, 0}, {1000, 20, 1 << 30}} {
		if got := Capacity(fixed.FromInt(c.degree), c.levels); got != c.want {
			t.Errorf("%d children on %d levels: room for %d, want %d", c.degree, c.levels, got, c.want)
		}
	}
	if got := Capacity(fixed.Ratio(5, 2), 2); got != 14 { // 15.625 − 2, rounded
		t.Errorf("room for %d", got)
	}
}

// Room is what a tree that is grown level by level holds; with two children each the source's formula says the same.
func TestRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		feeds, degree, levels := rapid.IntRange(1, 12).Draw(t, "root"), rapid.IntRange(0, 5).Draw(t, "degree"), rapid.IntRange(1, 3).Draw(t, "levels")
		tr := New(root, feeds)
		count := 0
		for id := root + 1; grow(tr, id, degree) && tr.Level(id) <= levels; id++ {
			count++
		}
		if got := Room(feeds, fixed.FromInt(int64(degree)), levels); got != count {
			t.Fatalf("room for %d, but %d found it", got, count)
		}
		if two := fixed.FromInt(2); Room(2, two, levels) != Capacity(two, levels) {
			t.Fatalf("two children each: room for %d, by the source's formula %d", Room(2, two, levels), Capacity(two, levels))
		}
	})
	if got := Room(1000, fixed.FromInt(1000), 20); got != 1<<30 {
		t.Errorf("room for %d", got)
	}
}

func anybody(mechanism.NodeID) bool { return true }

// grow adds a node under the first parent that is proposed.
func grow(t *Tree, id mechanism.NodeID, degree int) bool {
	t.Put(0, id, degree)
	parents := t.Parents(nil, id, 1, anybody)
	if len(parents) == 0 {
		return false
	}
	t.Hang(0, id, parents[0])
	return true
}

// Trees are filled level by level, so that they hold what their levels have room for before they grow deeper.
func TestTreesFillLevelByLevel(t *testing.T) {
	x := New(root, 4)
	for id := root + 1; id <= root+84; id++ {
		if !grow(x, id, 4) {
			t.Fatalf("no room for node %d", id)
		}
	}
	if depth, attached := x.Depth(); depth != 3 || attached != 84 {
		t.Errorf("%d nodes on %d levels, not 84 on 3", attached, depth)
	}
	if grow(x, 1000, 0); x.Level(1000) != 4 {
		t.Errorf("one more is on level %d", x.Level(1000))
	}
}

// Section 3.2.2: when a node leaves, its children reconnect and the trees below them stay as they are.
func TestWhatHangsOnAnOrphanStays(t *testing.T) {
	x := New(root, 1)
	for id := root + 1; id <= root+4; id++ {
		grow(x, id, 1)
	}
	x.Remove(2)
	if x.Level(3) != 0 || x.Level(5) != 0 || x.Parent(4) != 3 || x.Parent(5) != 4 {
		t.Error("the orphan's children have not stayed with it")
	}
	if got := x.Parents(nil, 3, 8, anybody); !slices.Equal(got, []mechanism.NodeID{root}) {
		t.Errorf("the orphan is offered %v", got)
	}
	x.Hang(0, 3, root)
	if x.Level(3) != 1 || x.Level(4) != 2 || x.Level(5) != 3 {
		t.Error("they have not come back with it")
	}
}

// Nobody is offered a parent that hangs on the one who asks.
func TestNoCircles(t *testing.T) {
	x := New(root, 1)
	for id := root + 1; id <= root+3; id++ {
		grow(x, id, 2)
	}
	if got := x.Parents(nil, 2, 8, anybody); len(got) != 0 {
		t.Errorf("the only child is offered %v", got)
	}
	x.Hang(0, 2, 4) // somebody claims so
	if x.Level(2) != 0 || x.Level(4) != 0 || len(x.Parents(nil, 3, 8, anybody)) != 1 {
		t.Error("a circle hangs on the root")
	}
}

// Who is not fit, such as one that nobody has heard of lately, is offered to nobody.
func TestOnlyTheFitAreOffered(t *testing.T) {
	x := New(root, 4)
	for id := root + 1; id <= root+3; id++ {
		grow(x, id, 1)
	}
	got := x.Parents(nil, 9, 8, func(id mechanism.NodeID) bool { return id != 3 })
	if slices.Contains(got, 3) || len(got) != 3 {
		t.Errorf("%v are offered", got)
	}
}

func TestClaims(t *testing.T) {
	x := New(root, 4)
	for id := root + 1; id <= root+4; id++ {
		grow(x, id, 2)
	}
	x.Claim(world.Second, 2, []mechanism.NodeID{3, 4, 99})
	if x.Parent(3) != 2 || x.Level(4) != 2 || x.Has(99) {
		t.Error("children are not where their parent says, or a stranger is known")
	}
	x.Claim(world.Second, 2, []mechanism.NodeID{4})
	if x.Parent(3) != 0 || x.Parent(4) != 2 {
		t.Error("a child that its parent no longer claims has not been set adrift")
	}
	var gone []mechanism.NodeID
	x.Expire(world.Second, func(id mechanism.NodeID) { gone = append(gone, id) })
	if !slices.Equal(gone, []mechanism.NodeID{5, 2}) || x.Parent(4) != 0 {
		t.Errorf("%v are forgotten", gone)
	}
}

// Whatever is reported, counts are right, nobody has more children than were hung on it, and every parent that is proposed has room,
// hangs on the root and not on the child.
func TestTreesStaySound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := New(root, 3)
		id := rapid.Custom(func(t *rapid.T) mechanism.NodeID { return mechanism.NodeID(rapid.IntRange(1, 12).Draw(t, "id")) })
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch a := id.Draw(t, "a"); rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				x.Put(0, a, rapid.IntRange(0, 3).Draw(t, "degree"))
			case 1:
				x.Hang(0, a, id.Draw(t, "b"))
			case 2:
				x.Remove(a)
			case 3:
				x.Claim(0, a, rapid.SliceOfN(id, 0, 3).Draw(t, "children"))
			case 4:
				for _, p := range x.Parents(nil, a, 5, anybody) {
					if n := x.get(p); n.children >= n.degree || x.below(p, a) || p != root && x.Level(p) == 0 {
						t.Fatalf("%d is proposed to %d", p, a)
					}
				}
			}
			for i := range x.nodes {
				n, children := &x.nodes[i], 0
				for j := range x.nodes {
					if x.nodes[j].parent == n.id {
						children++
					}
				}
				if n.children != children {
					t.Fatalf("node %d has %d children and counts %d", n.id, children, n.children)
				}
				if n.parent != 0 && x.get(n.parent) == nil {
					t.Fatalf("node %d hangs on %d, which is gone", n.id, n.parent)
				}
			}
		}
	})
}
