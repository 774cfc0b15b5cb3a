package world

import "iter"

// Change is how one object differs between two states: Old is nil where it was added, New where it was removed.
type Change struct {
	Old, New *Object
}

// Diff lists the objects in which two states differ, in the order of their IDs. Where the states descend from one
// another, pages that they share are passed over unread, so that the cost is in proportion to what changed (plus a
// comparison per page: about 8 µs for 100,000 objects). Neither state may change on the way.
func Diff(from, to *State) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		a, b := cursor{s: from}, cursor{s: to}
		related := from.pool == to.pool
		for {
			if related && a.in == 0 && b.in == 0 {
				skipShared(&a, &b)
			}
			old, new := a.object(), b.object()
			var c Change
			switch {
			case old == nil && new == nil:
				return
			case new == nil || old != nil && old.ID < new.ID:
				c.Old = old
				a.next()
			case old == nil || new.ID < old.ID:
				c.New = new
				b.next()
			default:
				a.next()
				b.next()
				if *old == *new {
					continue
				}
				c = Change{old, new}
			}
			if !yield(c) {
				return
			}
		}
	}
}

// cursor is a place in a state's sequence of objects.
type cursor struct {
	s      *State
	at, in int
}

func (c *cursor) object() *Object {
	if c.at == len(c.s.pages) {
		return nil
	}
	return c.s.object(c.at, c.in)
}

func (c *cursor) next() {
	c.in++
	if c.in == int(c.s.pages[c.at].n) {
		c.at, c.in = c.at+1, 0
	}
}

// skipShared moves two cursors of one pool, both at the start of a page, past all pages that both states hold.
func skipShared(a, b *cursor) {
	p, q := a.s.pages[a.at:], b.s.pages[b.at:]
	n := 0
	for n < len(p) && n < len(q) && p[n].page == q[n].page {
		n++
	}
	a.at += n
	b.at += n
}

// Common runs through the objects that both states have, in the order of their IDs.
func Common(a, b *State) iter.Seq2[*Object, *Object] {
	return func(yield func(*Object, *Object) bool) {
		x, y := cursor{s: a}, cursor{s: b}
		p, q := x.object(), y.object()
		for p != nil && q != nil {
			switch {
			case p.ID < q.ID:
				x.next()
				p = x.object()
			case q.ID < p.ID:
				y.next()
				q = y.object()
			default:
				if !yield(p, q) {
					return
				}
				x.next()
				y.next()
				p, q = x.object(), y.object()
			}
		}
	}
}
