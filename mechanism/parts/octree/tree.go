package octree

import (
	"slices"
	"unsafe"
)

// Tree is the nodes of an octree in which something is: entries of any kind that is small and has no pointers, such as IDs.
// An entry may be in many nodes, and is in each at most once.
type Tree[E comparable] struct {
	nodes []node
	items []item[E]
	spare int32 // the first node that is free, by link
	blank int32 // the first item that is free, by next
	count int
}

// node is a node with entries, or one at which branches part. Those between are left out.
type node struct {
	code     Code
	link     int32 // the node above; of one that is free, the next one that is
	first    int32 // of its entries
	children [8]int32
}

// item is an entry of a node. Numbers of nodes and items count from one; zero is none.
type item[E comparable] struct {
	entry E
	next  int32
}

// Len is how many entries there are, each counted once for every node that it is in.
func (t *Tree[E]) Len() int { return t.count }

// Nodes is how many nodes there are.
func (t *Tree[E]) Nodes() int {
	n := len(t.nodes)
	for i := t.spare; i != 0; i = t.nodes[i-1].link {
		n--
	}
	return n
}

// Bytes is the memory that the tree holds.
func (t *Tree[E]) Bytes() int {
	return cap(t.nodes)*int(unsafe.Sizeof(node{})) + cap(t.items)*int(unsafe.Sizeof(item[E]{}))
}

// Add puts an entry into a node. It reports whether it was not there.
func (t *Tree[E]) Add(c Code, e E) bool {
	n := t.reach(c)
	for i := t.nodes[n-1].first; i != 0; i = t.items[i-1].next {
		if t.items[i-1].entry == e {
			return false
		}
	}
	i := t.blank
	if i == 0 {
		t.items = append(t.items, item[E]{})
		i = int32(len(t.items))
	} else {
		t.blank = t.items[i-1].next
	}
	t.items[i-1] = item[E]{e, t.nodes[n-1].first}
	t.nodes[n-1].first = i
	t.count++
	return true
}

// Remove takes an entry out of a node. It reports whether it was there.
func (t *Tree[E]) Remove(c Code, e E) bool {
	n := t.find(c)
	if n == 0 {
		return false
	}
	for at := &t.nodes[n-1].first; *at != 0; at = &t.items[*at-1].next {
		i := *at
		if t.items[i-1].entry != e {
			continue
		}
		*at = t.items[i-1].next
		t.items[i-1] = item[E]{next: t.blank}
		t.blank = i
		t.count--
		t.prune(n)
		return true
	}
	return false
}

// Move takes an entry from the nodes of one fit to those of another, additions first, and calls added and removed for each.
func (t *Tree[E]) Move(e E, from, to []Code, added, removed func(Code)) {
	Diff(from, to, func(c Code) {
		t.Add(c, e)
		added(c)
	}, func(c Code) {
		t.Remove(c, e)
		removed(c)
	})
}

// root is the first node, which is there from the first entry on.
const root = 1

// find returns a node, or zero.
func (t *Tree[E]) find(c Code) int32 {
	if len(t.nodes) == 0 {
		return 0
	}
	for n := int32(root); n != 0; n = t.nodes[n-1].children[t.nodes[n-1].code.branch(c.Low)] {
		switch at := &t.nodes[n-1].code; {
		case *at == c:
			return n
		case at.Depth >= c.Depth || !at.Covers(c):
			return 0
		}
	}
	return 0
}

// reach returns a node, which is made if it is not there.
func (t *Tree[E]) reach(c Code) int32 {
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, node{})
	}
	n := int32(root)
	for t.nodes[n-1].code != c {
		branch := t.nodes[n-1].code.branch(c.Low)
		next := t.nodes[n-1].children[branch]
		switch {
		case next == 0:
			return t.hang(n, c)
		case t.nodes[next-1].code.Covers(c):
			n = next
		default:
			// The branch to next passes c's, or parts from it further down.
			fork := t.hang(n, Common(t.nodes[next-1].code, c))
			t.attach(fork, next)
			n = fork
		}
	}
	return n
}

// hang makes a node below another one.
func (t *Tree[E]) hang(above int32, c Code) int32 {
	n := t.spare
	if n == 0 {
		t.nodes = append(t.nodes, node{})
		n = int32(len(t.nodes))
	} else {
		t.spare = t.nodes[n-1].link
	}
	t.nodes[n-1] = node{code: c}
	t.attach(above, n)
	return n
}

// attach puts a node below another one.
func (t *Tree[E]) attach(above, n int32) {
	a := &t.nodes[above-1]
	a.children[a.code.branch(t.nodes[n-1].code.Low)] = n
	t.nodes[n-1].link = above
}

// prune takes a node out if it has neither entries nor branches that part there, and the one above it if that has become such
// a node.
func (t *Tree[E]) prune(n int32) {
	for n != root && t.nodes[n-1].first == 0 {
		above := t.nodes[n-1].link
		only, branches := t.only(n)
		if branches > 1 {
			return
		}
		a := &t.nodes[above-1]
		a.children[a.code.branch(t.nodes[n-1].code.Low)] = 0
		if branches == 1 {
			t.attach(above, only)
		}
		t.nodes[n-1] = node{link: t.spare}
		t.spare = n
		n = above
	}
}

// only returns a child of a node, the only one if there is one, and how many there are.
func (t *Tree[E]) only(n int32) (child int32, branches int) {
	for _, c := range t.nodes[n-1].children {
		if c != 0 {
			child = c
			branches++
		}
	}
	return child, branches
}

// Watch calls found for every node with entries that somebody who watches a volume has to hear of, and for each of its
// entries: the nodes of the volume's fit, those below them down to the selection depth, and all of their ancestors, each
// once. An entry that is in several nodes is found several times. Views are in the order of Compare and none covers another;
// deepest is the selection depth (see SelectionDepth).
func (t *Tree[E]) Watch(views []Code, deepest uint8, found func(Code, E)) {
	if len(views) > 0 && len(t.nodes) > 0 {
		t.watch(root, views, deepest, found)
	}
}

// watch visits a node that covers, or is covered by, some of the views.
func (t *Tree[E]) watch(n int32, views []Code, deepest uint8, found func(Code, E)) {
	at := &t.nodes[n-1]
	whole := views[0].Covers(at.code)
	if whole && at.code.Depth > max(deepest, views[0].Depth) {
		return
	}
	for i := at.first; i != 0; i = t.items[i-1].next {
		found(at.code, t.items[i-1].entry)
	}
	for _, child := range at.children {
		switch {
		case child == 0:
		case whole:
			t.watch(child, views, deepest, found)
		default:
			if some := meeting(views, t.nodes[child-1].code); len(some) > 0 {
				t.watch(child, some, deepest, found)
			}
		}
	}
}

// meeting returns those of some codes, in order and apart from each other, that cover a code or are covered by it.
func meeting(views []Code, c Code) []Code {
	first, _ := slices.BinarySearchFunc(views, c, Compare)
	if first > 0 && views[first-1].Covers(c) {
		return views[first-1 : first]
	}
	last := first
	for last < len(views) && c.Covers(views[last]) {
		last++
	}
	return views[first:last]
}

// SelectionDepth is how deep somebody looks into the tree who watches some nodes with a fidelity: that many levels below the
// shallowest of them. What is marked in deeper nodes only is too small to be perceived from so far.
func SelectionDepth(views []Code, fidelity uint8) uint8 {
	depth := uint8(AxisBits)
	for _, v := range views {
		depth = min(depth, v.Depth)
	}
	fidelity = min(fidelity, AxisBits-depth)
	return depth + fidelity
}
