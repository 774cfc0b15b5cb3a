package memo

import (
	"bytes"
	"slices"

	"throng/world"
)

// A lineage keeps some states that no follower is in, for those who may still come that way. A follower that falls further
// behind loses the others' work, and not just once: from then on it is in states like theirs by a way that they do not come.
// Too few idle states therefore cost more with every step, too many memory.
const (
	idleLeast = 256       // kept in any case,
	idleBytes = 256 << 20 // and beyond that up to one per follower, as long as all states together take no more than this
)

// usualInput is how long inputs may be that take no memory once a lineage has had as many states as it will have.
const usualInput = 256

// Pool holds the lineages of one run. A nil pool shares nothing. It is for one goroutine, like the states in it.
type Pool struct {
	trees []*tree
}

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{} }

// Follow starts a replica at a state. Followers of the same start (the same pointer) under the same name begin in the same
// place; names tell apart those that treat what they are given differently, such as different parts of a world.
func (p *Pool) Follow(name uint64, start *world.State) *Follower {
	t := p.tree(name, start.Schema())
	f := &Follower{tree: t}
	for _, n := range t.nodes {
		if n.start == start {
			f.arrive(n)
			return f
		}
	}
	root := t.add(start)
	root.start = start
	f.arrive(root)
	return f
}

// tree returns the lineage of a name. States of different worlds have nothing to share, whatever their name.
func (p *Pool) tree(name uint64, schema *world.Schema) *tree {
	if p == nil {
		return &tree{} // which keeps nothing for others
	}
	for _, t := range p.trees {
		if t.name == name && t.schema == schema {
			return t
		}
	}
	t := &tree{name: name, schema: schema, keeps: true}
	p.trees = append(p.trees, t)
	return t
}

// tree is one lineage: the states that its followers are in, and the ways between them.
type tree struct {
	name   uint64
	schema *world.Schema
	nodes  []*node
	spare  []*node
	window *world.Window

	keeps          bool // whether it keeps idle nodes
	followers      int
	idle           int   // how many nodes are idle
	oldest, newest *node // of them: who has been idle for longest
}

// node is one state, and how it was reached.
type node struct {
	state     *world.State
	start     *world.State // where it began, if it is a beginning
	parent    *node        // nil where nobody is behind
	children  []*node
	input     []byte // the step from the parent
	work      world.Work
	followers int
	place     int // in the tree's list

	idle         bool // nobody is in it
	older, newer *node
}

// add returns a new node with a copy of s.
func (t *tree) add(s *world.State) *node {
	n := t.take()
	switch {
	case n.state != nil:
		n.state.CopyFrom(s)
	case t.window != nil:
		n.state = t.window.State().Clone() // to share its memory
		n.state.CopyFrom(s)
	default:
		n.state = s.Detach()
		t.window = world.NewWindow(n.state)
	}
	n.place = len(t.nodes)
	t.nodes = append(t.nodes, n)
	return n
}

func (t *tree) take() *node {
	last := len(t.spare) - 1
	if last < 0 {
		return &node{input: make([]byte, 0, usualInput), children: make([]*node, 0, 1)}
	}
	n := t.spare[last]
	t.spare = t.spare[:last]
	return n
}

// left is called when the last follower has left a node. Others may still come to it if there is somebody behind.
func (t *tree) left(n *node) {
	if n.parent == nil {
		t.drop(n)
		return
	}
	n.idle, n.older = true, t.newest
	if t.newest != nil {
		t.newest.newer = n
	} else {
		t.oldest = n
	}
	t.newest = n
	for t.idle++; t.crowded(); {
		t.drop(t.oldest)
	}
}

// crowded reports whether there are more idle nodes than are kept.
func (t *tree) crowded() bool {
	switch {
	case !t.keeps:
		return t.idle > 0
	case t.idle <= idleLeast:
		return false
	}
	return t.idle > t.followers || t.window.State().Bytes() > idleBytes
}

// wake takes a node off the list of those that nobody is in.
func (t *tree) wake(n *node) {
	if !n.idle {
		return
	}
	if n.older != nil {
		n.older.newer = n.newer
	} else {
		t.oldest = n.newer
	}
	if n.newer != nil {
		n.newer.older = n.older
	} else {
		t.newest = n.older
	}
	n.idle, n.older, n.newer = false, nil, nil
	t.idle--
}

// drop gives back a node that nobody is in, and with it those that could be reached only through it.
func (t *tree) drop(n *node) {
	t.wake(n)
	n.orphan()
	last := len(t.nodes) - 1
	t.nodes[n.place] = t.nodes[last]
	t.nodes[n.place].place = n.place
	t.nodes = t.nodes[:last]
	n.state.Release()
	for _, c := range n.children {
		c.parent = nil
		if c.idle {
			t.drop(c)
		}
	}
	clear(n.children)
	*n = node{state: n.state, input: n.input[:0], children: n.children[:0]}
	t.spare = append(t.spare, n)
}

// orphan takes a node out of its parent's children.
func (n *node) orphan() {
	if n.parent == nil {
		return
	}
	siblings := n.parent.children
	last := len(siblings) - 1
	siblings[slices.Index(siblings, n)] = siblings[last]
	siblings[last] = nil
	n.parent.children = siblings[:last]
	n.parent = nil
}

// equal finds a node other than not in the given state.
func (t *tree) equal(s *world.State, not *node) *node {
	for _, n := range t.nodes {
		if n != not && n.state.Tick() == s.Tick() && n.state.Len() == s.Len() && n.state.Hash() == s.Hash() && same(n.state, s) {
			return n
		}
	}
	return nil
}

func same(a, b *world.State) bool {
	if a.Seed() != b.Seed() || a.Dice() != b.Dice() {
		return false
	}
	for range world.Diff(a, b) {
		return false
	}
	return true
}

// Follower is one replica.
type Follower struct {
	tree *tree
	at   *node
	lone bool // whether it went on from a state of its own: it looks out for others in the same state
}

// State is the state that the replica is in: for reading, until the follower's next step.
func (f *Follower) State() *world.State { return f.at.state }

// Bytes is the memory that the replica takes, or would take if it were alone.
func (f *Follower) Bytes() int { return f.at.state.Size() }

// Step moves the replica on and returns the work that it took. It calls do with a window, open everywhere, on a state equal
// to the replica's; do changes it in a way that depends on that state and on the input alone. Where another follower has
// gone the same way from the same place, its result is taken over instead.
func (f *Follower) Step(input []byte, do func(w *world.Window, input []byte)) world.Work {
	t, from := f.tree, f.at
	for _, c := range from.children {
		if bytes.Equal(c.input, input) {
			work := c.work
			f.arrive(c)
			return work
		}
	}
	if from.followers == 1 && len(from.children) == 0 && (from.parent == nil || !t.keeps) {
		from.start = nil
		from.orphan() // what was the way here is so no more
		return f.meet(t.run(from.state, input, do))
	}
	to := t.add(from.state)
	to.parent = from
	to.input = append(to.input[:0], input...)
	from.children = append(from.children, to)
	to.work = t.run(to.state, input, do)
	work := to.work
	f.arrive(to)
	return f.meet(work)
}

func (t *tree) run(s *world.State, input []byte, do func(*world.Window, []byte)) world.Work {
	t.window.Look(s)
	do(t.window, input)
	t.window.Restrict(nil) // what do closed is open for the next; and no function stays behind, which could not be saved
	return t.window.TakeWork()
}

// meet joins others whose state a follower that went its own way has come to share.
func (f *Follower) meet(work world.Work) world.Work {
	if f.lone && len(f.tree.nodes) > 1 {
		f.join(f.tree.equal(f.at.state, f.at))
	}
	return work
}

func (f *Follower) join(n *node) {
	if n != nil {
		f.arrive(n)
		f.lone = false
	}
}

// Restart has the replica go on from a copy of s, as after a repair.
func (f *Follower) Restart(s *world.State) {
	if n := f.tree.equal(s, nil); n != nil {
		f.join(n)
		return
	}
	f.arrive(f.tree.add(s))
	f.lone = true
}

// Visit puts the replica, which may be a zero one, where another is. A replica that stays there keeps the state to look back
// at, without a copy.
func (f *Follower) Visit(other *Follower) {
	if f.tree != other.tree {
		f.Close()
		f.tree = other.tree
	}
	f.lone = other.lone
	f.arrive(other.at)
}

// Close ends the replica. Only Visit takes it up again.
func (f *Follower) Close() { f.arrive(nil) }

// arrive puts the follower at a node and leaves the one that it was at.
func (f *Follower) arrive(n *node) {
	t, from := f.tree, f.at
	if n != nil {
		t.wake(n)
		n.followers++
		t.followers++
	}
	f.at = n
	if from == nil {
		return
	}
	t.followers--
	if from.followers--; from.followers == 0 {
		t.left(from)
	}
}
