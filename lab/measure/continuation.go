package measure

import (
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// continuations follow what views would show next if nothing came from others: a copy of each view, in which the actions are
// carried out that have just taken effect and one tick passes by the world's rules. What a view then really shows is compared
// with it, and the copy is brought into line for the next frame.
//
// Copies live in memory of their own: sharing that of nodes would show in what nodes are said to hold. Views that are one and
// the same, as those of replicas that share their steps are, are followed once.
type continuations struct {
	rules  world.World
	still  bool // time changes nothing by itself
	scales scales
	frames []frame // by host
	window *world.Window
	tries  [2]*world.State // explanations: the best so far, and the next
	done   []followed      // in this frame
	spare  []*snapshot
	put    []world.Object // what the copy lacks,
	remove []world.ID     // and what it has too much
}

// frame is how a host's view was when it was last looked at.
type frame struct {
	node   mechanism.Node // whose view it was: a place may change hands
	last   *snapshot      // nil before the first look
	unheld world.Set      // what was in the view but did not count
	own    []world.Action // what has taken effect since, of the host's user
	others []world.Action // and of others
	order  order          // which was right the last time
}

// snapshot is a copy of one view or of several that are the same.
type snapshot struct {
	state   *world.State
	holders int
}

// followed is what was found out about a view in this frame.
type followed struct {
	last *snapshot
	view *world.State
	next *snapshot
	idle bool // no action took effect
	gap  gap
}

// gap is how far a view is from its continuation: squares by weight, as a share of the weight of all that it shows.
type gap struct {
	jump   float64 // by the weights of sudden changes
	change float64 // by the weights that divergence has
}

// order is when actions take effect that do so between two looks at a view: before the tick passes or after it. Mechanisms
// differ in that; what explains the view best is taken to be so.
type order uint8

const (
	ownAfter  order = iota // others' before, the user's own after: where things happen as soon as they are known
	allBefore              // as in turns
	allAfter
	orders
)

func newContinuations(r *sim.Run) *continuations {
	c := &continuations{rules: r.Setup().World, scales: newScales(r.Start().Schema())}
	_, c.still = c.rules.(world.Still)
	first := r.Start().Detach()
	c.window = world.NewWindow(first)
	c.tries = [2]*world.State{first, first.Clone()}
	return c
}

// frame is the frame of a host, who may have come after the run began.
func (c *continuations) frame(h *sim.Host) *frame {
	for int(h.Place.ID) > len(c.frames) {
		c.frames = append(c.frames, frame{})
	}
	return &c.frames[h.Place.ID-1]
}

// applied notes that an action has taken effect in a host's view.
func (c *continuations) applied(h *sim.Host, a *world.Action) {
	f := c.frame(h)
	if a.User == h.Place.User {
		f.own = append(f.own, *a)
	} else {
		f.others = append(f.others, *a)
	}
}

// follow takes a look at a host's view and returns how far it is from its continuation. Of one that is seen for the first time
// that cannot be said.
func (c *continuations) follow(h *sim.Host, view *world.State) gap {
	f := c.frame(h)
	part, _ := h.Node.(mechanism.Holder)
	var found gap
	switch {
	case absent(h.Node):
		c.release(f.last)
		f.last = nil
	case f.last == nil || f.node != h.Node:
		c.follows(f, c.copyOf(view))
		f.node = h.Node
	default:
		found = c.compare(f, view, part)
	}
	f.own, f.others = f.own[:0], f.others[:0]
	f.noteHeld(part, view)
	return found
}

// forget is called when all views of a moment have been looked at.
func (c *continuations) forget() { c.done = c.done[:0] }

// absent reports whether a node has yet to join, so that it shows nothing of use.
func absent(n mechanism.Node) bool {
	a, ok := n.(mechanism.Arriving)
	return ok && !a.Ready()
}

func (f *frame) noteHeld(part mechanism.Holder, view *world.State) {
	f.unheld = f.unheld[:0]
	if part == nil {
		return
	}
	for o := range view.All() {
		if !part.Holds(o.ID) {
			f.unheld = append(f.unheld, o.ID)
		}
	}
}

// compare finds out how far a view is from its continuation and begins the next frame with it.
func (c *continuations) compare(f *frame, view *world.State, part mechanism.Holder) gap {
	idle := len(f.own)+len(f.others) == 0
	var next *snapshot
	if part == nil {
		for i := range c.done {
			d := &c.done[i]
			if d.view != view {
				continue
			}
			next = d.next
			if d.last == f.last && (d.gap == gap{} || idle && d.idle) {
				c.follows(f, next)
				return d.gap
			}
		}
	}
	found, nearest := c.explain(f, view, part)
	if next == nil {
		next = c.copyOf(nearest)
		c.align(next.state, view)
	}
	if part == nil {
		c.done = append(c.done, followed{f.last, view, next, idle, found})
	}
	c.follows(f, next)
	return found
}

// follows has the next frame of a view begin with a copy of it.
func (c *continuations) follows(f *frame, next *snapshot) {
	next.holders++
	c.release(f.last)
	f.last = next
}

// explain returns the gap between a view and the nearest of its continuations, and that continuation.
func (c *continuations) explain(f *frame, view *world.State, part mechanism.Holder) (gap, *world.State) {
	var best gap
	for i := range orders {
		o := (f.order + i) % orders
		if i > 0 && (c.still || o == allBefore && len(f.own) == 0 || o == allAfter && len(f.others) == 0 || len(f.own)+len(f.others) == 0) {
			continue // as another one
		}
		c.run(f, o)
		g := c.gap(f, c.tries[1], view, part)
		if i == 0 || g.change < best.change {
			best, f.order = g, o
			c.tries[0], c.tries[1] = c.tries[1], c.tries[0]
		}
		if best.change == 0 {
			break
		}
	}
	return best, c.tries[0]
}

// run lets a frame pass as it would by itself.
func (c *continuations) run(f *frame, o order) {
	c.tries[1].CopyFrom(f.last.state)
	c.window.Look(c.tries[1])
	if o != allAfter {
		c.do(f.others)
	}
	if o == allBefore {
		c.do(f.own)
	}
	if !c.still {
		c.window.Advance(c.rules)
	}
	if o == allAfter {
		c.do(f.others)
	}
	if o != allBefore {
		c.do(f.own)
	}
	c.window.TakeWork()
}

func (c *continuations) do(actions []world.Action) {
	for i := range actions {
		c.window.Do(c.rules, &actions[i])
	}
}

// gap compares a view with a continuation, in what the host held before and holds now. An object that appears or goes is no jump
// of a variable.
func (c *continuations) gap(f *frame, expected, view *world.State, part mechanism.Holder) gap {
	var g gap
	for x := range world.Diff(expected, view) {
		if x.Old == nil || x.New == nil || x.Old.Kind != x.New.Kind ||
			f.last.state.Get(x.New.ID) == nil || f.unheld.Has(x.New.ID) || !holds(part, x.New.ID) {
			continue
		}
		for _, sc := range c.scales.kinds[x.New.Kind] {
			d := float64(x.New.Get(sc.slot)-x.Old.Get(sc.slot)) * sc.unit
			g.jump += float64(sc.jump * d * d)
			g.change += float64(sc.weight * d * d)
		}
	}
	if g == (gap{}) {
		return g
	}
	jumps, weights := c.scales.of(view, part)
	if jumps > 0 {
		g.jump /= jumps
	}
	g.change /= weights
	return g
}

// align brings a copy into line with a view.
func (c *continuations) align(s, view *world.State) {
	c.put, c.remove = c.put[:0], c.remove[:0]
	for x := range world.Diff(s, view) {
		if x.New == nil {
			c.remove = append(c.remove, x.Old.ID)
		} else {
			c.put = append(c.put, *x.New)
		}
	}
	for _, id := range c.remove {
		s.Remove(id)
	}
	for i := range c.put {
		s.Put(c.put[i])
	}
	s.SetTick(view.Tick())
}

// copyOf returns a snapshot that nobody holds yet.
func (c *continuations) copyOf(s *world.State) *snapshot {
	var free *snapshot
	if n := len(c.spare); n > 0 {
		free, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		free = &snapshot{state: c.tries[0].Clone()}
	}
	free.state.CopyFrom(s)
	free.holders = 0
	return free
}

func (c *continuations) release(s *snapshot) {
	if s == nil {
		return
	}
	if s.holders--; s.holders == 0 {
		s.state.Release()
		c.spare = append(c.spare, s)
	}
}
