package lineage

import (
	"bytes"
	"slices"

	"throng/world"
)

// treeMost bounds how many states a lineage keeps. A follower that falls further behind than this loses the others' work and
// does its own.
const treeMost = 256

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
		return &tree{}
	}
	for _, t := range p.trees {
		if t.name == name && t.schema == schema {
			return t
		}
	}
	t := &tree{name: name, schema: schema}
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

// drop gives back a node that nobody is at or behind, and with it those that only its followers could have reached.
func (t *tree) drop(n *node) {
	if n.followers > 0 || n.parent != nil {
		return
	}
	t.nodes = slices.DeleteFunc(t.nodes, func(m *node) bool { return m == n })
	n.state.Release()
	for _, c := range n.children {
		c.parent = nil
		t.drop(c)
	}
	*n = node{state: n.state, input: n.input[:0], children: n.children[:0]}
	t.spare = append(t.spare, n)
}

// bound cuts off the oldest states once there are too many: those who are still there go on by themselves.
func (t *tree) bound() {
	for len(t.nodes) > treeMost {
		i := slices.IndexFunc(t.nodes, func(n *node) bool { return n.parent == nil && len(n.children) > 0 })
		if i < 0 {
			return
		}
		old := t.nodes[i]
		for _, c := range old.children {
			c.parent = nil
			t.drop(c)
		}
		old.children = old.children[:0]
		t.drop(old)
	}
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
	if a.Seed() != b.Seed() {
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
	if from.followers == 1 && from.parent == nil && len(from.children) == 0 {
		from.start = nil
		return f.meet(t.run(from.state, input, do))
	}
	to := t.add(from.state)
	to.parent = from
	to.input = append(to.input[:0], input...)
	from.children = append(from.children, to)
	to.work = t.run(to.state, input, do)
	work := to.work
	f.arrive(to)
	t.bound()
	return f.meet(work)
}

func (t *tree) run(s *world.State, input []byte, do func(*world.Window, []byte)) world.Work {
	t.window.Look(s)
	t.window.Restrict(nil)
	do(t.window, input)
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
	f.tree.bound()
}

// Visit puts the replica, which may be a zero one, where another is. A replica that stays there keeps the state to look back
// at, without a copy.
func (f *Follower) Visit(other *Follower) {
	f.Close()
	f.tree, f.lone = other.tree, other.lone
	f.arrive(other.at)
}

// Close ends the replica. Only Visit takes it up again.
func (f *Follower) Close() { f.arrive(nil) }

// arrive puts the follower at a node and leaves the one that it was at.
func (f *Follower) arrive(n *node) {
	left := f.at
	if n != nil {
		n.followers++
	}
	f.at = n
	if left != nil {
		left.followers--
		f.tree.drop(left)
	}
}
