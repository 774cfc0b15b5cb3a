package tree

import (
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// Tree is what a root knows. The root itself is always there.
type Tree struct {
	root    mechanism.NodeID
	nodes   []node // in the order of their IDs
	turn    int    // who comes first among equals, next time
	choices []choice
}

type node struct {
	id       mechanism.NodeID
	parent   mechanism.NodeID // or zero for one that is adrift
	degree   int              // how many children it can feed
	children int
	heard    world.Time // when it was last spoken of
}

// LevelMax is how deep a tree may be. What seems to be deeper goes round in a circle.
const LevelMax = 24

// New returns a tree that consists of a root which can feed so many children.
func New(root mechanism.NodeID, degree int) *Tree {
	return &Tree{root: root, nodes: []node{{id: root, degree: degree, heard: world.Never}}}
}

// Room is how many nodes find room on some levels below a root that feeds so many, where each of them can feed so many on average.
func Room(root int, degree fixed.F, levels int) int {
	const most = 1 << 30
	level, sum := fixed.FromInt(int64(min(root, most))), fixed.F(0)
	for range levels {
		if sum += level; sum > fixed.FromInt(most) {
			return most
		}
		level = min(level.Mul(degree), fixed.FromInt(most))
	}
	return int(sum.Round())
}

// Capacity is the source's formula for that, N = D^(L+1) − 2. It is exact where all have two children.
func Capacity(degree fixed.F, levels int) int {
	most := fixed.One
	for range levels + 1 {
		if most = most.Mul(degree); most > fixed.FromInt(1<<30) {
			return 1 << 30
		}
	}
	return int(max(most.Round()-2, 0))
}

func (t *Tree) find(id mechanism.NodeID) (at int, ok bool) {
	return slices.BinarySearchFunc(t.nodes, id, func(n node, id mechanism.NodeID) int { return int(n.id) - int(id) })
}

func (t *Tree) get(id mechanism.NodeID) *node {
	if at, ok := t.find(id); ok {
		return &t.nodes[at]
	}
	return nil
}

// Len is how many nodes there are besides the root, those included that are adrift.
func (t *Tree) Len() int { return len(t.nodes) - 1 }

// Has reports whether the root knows of a node.
func (t *Tree) Has(id mechanism.NodeID) bool { return t.get(id) != nil }

// Each calls f for every node but the root, in the order of their IDs.
func (t *Tree) Each(f func(mechanism.NodeID)) {
	for i := range t.nodes {
		if id := t.nodes[i].id; id != t.root {
			f(id)
		}
	}
}

// Parent is a node's parent, or zero.
func (t *Tree) Parent(id mechanism.NodeID) mechanism.NodeID {
	if n := t.get(id); n != nil {
		return n.parent
	}
	return 0
}

// Degree is the mean out-degree of all nodes, the root's apart.
func (t *Tree) Degree() fixed.F {
	if t.Len() == 0 {
		return 0
	}
	sum := 0
	for i := range t.nodes {
		if t.nodes[i].id != t.root {
			sum += t.nodes[i].degree
		}
	}
	return fixed.Ratio(int64(sum), int64(t.Len()))
}

// Put takes note of a node and how many children it can feed.
func (t *Tree) Put(now world.Time, id mechanism.NodeID, degree int) {
	at, ok := t.find(id)
	if !ok {
		t.nodes = slices.Insert(t.nodes, at, node{id: id})
	}
	if id != t.root {
		t.nodes[at].heard = now
	}
	t.nodes[at].degree = degree
}

// Hang makes one node the child of another, with all that hangs on it. Zero sets it adrift.
func (t *Tree) Hang(now world.Time, id, parent mechanism.NodeID) {
	n := t.get(id)
	if n == nil || id == t.root || id == parent {
		return
	}
	n.heard = now
	if n.parent == parent {
		return
	}
	if p := t.get(n.parent); p != nil {
		p.children--
	}
	n.parent = parent
	if p := t.get(parent); p != nil {
		p.children++
	} else {
		n.parent = 0
	}
}

// Claim takes a parent's word for who its children are: those, and no others. A child that the tree does not know is not made known by
// it.
func (t *Tree) Claim(now world.Time, parent mechanism.NodeID, children []mechanism.NodeID) {
	for i := range t.nodes {
		if n := &t.nodes[i]; n.parent == parent && !slices.Contains(children, n.id) {
			t.Hang(now, n.id, 0)
		}
	}
	for _, c := range children {
		t.Hang(now, c, parent)
	}
}

// Remove forgets a node, which is gone. Its children are adrift.
func (t *Tree) Remove(id mechanism.NodeID) {
	at, ok := t.find(id)
	if !ok || id == t.root {
		return
	}
	if p := t.get(t.nodes[at].parent); p != nil {
		p.children--
	}
	t.nodes = slices.Delete(t.nodes, at, at+1)
	for i := range t.nodes {
		if t.nodes[i].parent == id {
			t.nodes[i].parent = 0
		}
	}
}

// Expire forgets the nodes of which nobody has spoken since a time, and calls gone for each.
func (t *Tree) Expire(since world.Time, gone func(mechanism.NodeID)) {
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if n := &t.nodes[i]; n.heard < since {
			id := n.id
			t.Remove(id)
			gone(id)
		}
	}
}

// Level is how far below the root a node is: one for its children. It is zero for one that is adrift, or hangs on one that is.
func (t *Tree) Level(id mechanism.NodeID) int {
	for level := range LevelMax {
		if id == t.root {
			return level
		}
		n := t.get(id)
		if n == nil || n.parent == 0 {
			break
		}
		id = n.parent
	}
	return 0
}

// Depth is the lowest level on which there is somebody, and Attached how many nodes hang on the root.
func (t *Tree) Depth() (depth, attached int) {
	for i := range t.nodes {
		if level := t.Level(t.nodes[i].id); level > 0 {
			depth = max(depth, level)
			attached++
		}
	}
	return depth, attached
}

// below reports whether a node hangs on another, or is it.
func (t *Tree) below(id, top mechanism.NodeID) bool {
	for range LevelMax {
		if id == top {
			return true
		}
		n := t.get(id)
		if n == nil || n.parent == 0 {
			return false
		}
		id = n.parent
	}
	return true // it goes round in a circle, on which nobody should hang anything
}

type choice struct {
	id    mechanism.NodeID
	level int
}

// Parents appends to dst up to most nodes that could feed one more child, for a node that looks for a parent: the nearest to the
// root, and of those on the same level not always the same ones. What hangs on the node itself is no choice, nor is who is not fit.
func (t *Tree) Parents(dst []mechanism.NodeID, child mechanism.NodeID, most int, fit func(mechanism.NodeID) bool) []mechanism.NodeID {
	t.choices = t.choices[:0]
	t.turn++
	for i := range t.nodes {
		n := &t.nodes[(i+t.turn)%len(t.nodes)]
		if n.children >= n.degree || n.id == child || !fit(n.id) {
			continue
		}
		if level := t.Level(n.id); (level > 0 || n.id == t.root) && !t.below(n.id, child) {
			t.choices = append(t.choices, choice{n.id, level})
		}
	}
	slices.SortStableFunc(t.choices, func(a, b choice) int { return a.level - b.level })
	for i := range t.choices[:min(most, len(t.choices))] {
		dst = append(dst, t.choices[i].id)
	}
	return dst
}

// Bytes is the memory that the tree holds.
func (t *Tree) Bytes() int { return 40*cap(t.nodes) + 16*cap(t.choices) }
