package zonal

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/tree"
	"throng/world"
	"throng/world/wire"
)

// relay is what a node has to do with its neighbours in the tree: it feeds its children, and passes on whatever comes along.
type relay struct {
	config   *Config
	children []*child // in the order of their coming
	degree   int      // how many it can feed
	path     []mechanism.NodeID
	filter   bool

	plan []byte // what is known of the parts of the tree's zone, as a sign; empty if it has them all

	dirty   []*pipe // with something in them
	flushAt world.Time
	changed bool // the children are others than the hybrid node was last told
	buf     []byte
}

// pipe is what waits to be sent to somebody.
type pipe struct {
	to    mechanism.NodeID
	buf   []byte
	items int
	sent  world.Time // when something last went
	sign  world.Time // when a sign of life last went

	out, passed, in int64 // bytes sent so far, those among them that others had written, and bytes received
}

// child is somebody whom the node feeds.
type child struct {
	pipe
	number uint64 // of the bond
	degree int
	leaf   bool
	heard  world.Time
	gaze   gaze
}

// push puts a piece into a pipe. It goes when the time to gather is over, or the datagram is full.
func (r *relay) push(now world.Time, p *pipe, piece []byte, items int, out *mechanism.Outbox) {
	if len(p.buf) > 0 && len(p.buf)+len(piece)+3 > datagram {
		r.empty(now, p, out)
	}
	if len(p.buf) == 0 {
		p.buf = append(p.buf, kindPieces)
		if len(r.dirty) == 0 {
			r.flushAt = now + r.config.Gather
		}
		if !slices.Contains(r.dirty, p) {
			r.dirty = append(r.dirty, p)
		}
	}
	p.buf = wire.AppendBytes(p.buf, piece)
	p.items += items
}

// forward puts a letter into a pipe: the node's own, or one that came from somebody.
func (r *relay) forward(now world.Time, p *pipe, l *letter, from mechanism.NodeID, out *mechanism.Outbox) {
	if from != 0 {
		p.passed += int64(len(l.raw))
	}
	r.push(now, p, l.raw, len(l.objects)+len(l.removed), out)
}

// empty sends what is in a pipe.
func (r *relay) empty(now world.Time, p *pipe, out *mechanism.Outbox) {
	if len(p.buf) > 0 {
		out.Send(p.to, mechanism.Update, p.buf)
		out.Count(mechanism.Update, p.items)
		out.Charge(1)
		p.sent = now
		p.out += int64(len(p.buf))
	}
	p.buf, p.items = p.buf[:0], 0
}

// flush sends what has waited long enough.
func (r *relay) flush(now world.Time, out *mechanism.Outbox) {
	if len(r.dirty) == 0 || now < r.flushAt {
		return
	}
	for _, p := range r.dirty {
		r.empty(now, p, out)
	}
	clear(r.dirty)
	r.dirty = r.dirty[:0]
}

// due is when flush is to be called next.
func (r *relay) due() world.Time {
	if len(r.dirty) == 0 {
		return world.Never
	}
	return r.flushAt
}

// find returns the child at a node, or nil.
func (r *relay) find(id mechanism.NodeID) *child {
	for _, c := range r.children {
		if c.to == id {
			return c
		}
	}
	return nil
}

// room is how many more children the node feeds at present, also of those that turn to it in need.
func (r *relay) room(needed bool) bool {
	if needed {
		return r.degree > 0 && len(r.children) < r.degree+r.degree/2+1
	}
	return len(r.children) < r.degree
}

// adopt makes somebody a child, or hears again from one that is. It reports whether it is a child now.
func (r *relay) adopt(now world.Time, from mechanism.NodeID, a *attach) bool {
	c := r.find(from)
	switch {
	case slices.Contains(r.path, from) || len(r.path)+1 >= tree.LevelMax:
		return false // or the two would go round in a circle
	case c != nil && a.number < c.number:
		return false
	case c == nil && !r.room(a.activate):
		return false
	case c == nil:
		c = &child{pipe: pipe{to: from}}
		c.gaze.all = true // until it says what it sees
		r.children = append(r.children, c)
		r.changed = true
	}
	r.changed = r.changed || c.degree != a.degree
	c.number, c.degree, c.leaf, c.heard = a.number, a.degree, a.leaf, now
	return true
}

// release forgets a child.
func (r *relay) release(c *child) {
	c.buf, c.items = c.buf[:0], 0
	r.children = slices.DeleteFunc(r.children, func(x *child) bool { return x == c })
	r.changed = true
}

// abandon gives up the children that have missed too many signs of life.
func (r *relay) abandon(now world.Time, gone func(mechanism.NodeID)) {
	for i := len(r.children) - 1; i >= 0; i-- {
		if c := r.children[i]; now-c.heard > r.config.patience(missedByParent) {
			r.release(c)
			gone(c.to)
		}
	}
}

// pass passes a letter on to all children whom it concerns, but not back to where it came from. A child that has children of its own
// gets everything.
func (r *relay) pass(now world.Time, l *letter, from mechanism.NodeID, s *scene, out *mechanism.Outbox) {
	for _, c := range r.children {
		if c.to == from || c.to == l.origin || r.filter && c.leaf && !l.concerns(&c.gaze, s.land.margin, s.placeless) {
			continue
		}
		r.forward(now, &c.pipe, l, from, out)
	}
}

// signs sends signs of life to the children: where nothing else has gone for a while, and of the way from the root now and then in any
// case, and at once if it has changed.
func (r *relay) signs(now world.Time, atOnce bool, out *mechanism.Outbox) {
	for _, c := range r.children {
		if !atOnce && !c.owes(now, r.config.KeepAlive) {
			continue
		}
		r.buf = appendNodes(wire.AppendUint(append(r.buf[:0], signDown), c.number), r.path)
		r.push(now, &c.pipe, r.buf, 0, out)
		if len(r.plan) > 0 {
			r.push(now, &c.pipe, r.plan, 0, out)
		}
		c.sign, c.sent = now, now
	}
}

// seldom is how many keep-alives may pass without a sign of life where there is enough else.
const seldom = 4

// owes reports whether a sign of life is due.
func (p *pipe) owes(now, every world.Time) bool {
	return now-p.sent >= every || now-p.sign >= seldom*every
}
