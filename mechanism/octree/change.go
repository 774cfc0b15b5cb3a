package octree

import (
	"throng/world"
	"throng/world/wire"
)

// change is what a request wants to be so of one number of an object.
type change struct {
	slot  world.Slot
	how   how
	was   int64 // what it must be now, if it is to be set
	value int64
}

// how is how a number is to change.
type how uint8

const (
	set       how = iota // to a value, if it is unchanged
	include              // members, as bits, are to be in the set that it is
	exclude              // or not to be
	increment            // by a value
	hows
)

// apply changes an object, and reports whether it did: what has changed in the meantime is not set.
func (c *change) apply(o *world.Object) bool {
	now := o.Get(c.slot)
	switch c.how {
	case set:
		if now != c.was {
			return false
		}
		o.Set(c.slot, c.value)
	case include:
		o.Set(c.slot, now|c.value)
	case exclude:
		o.Set(c.slot, now&^c.value)
	case increment:
		o.Set(c.slot, now+c.value)
	}
	return true
}

// request wants an object to be changed that any server may answer for: all of it, or nothing. The first of those that contradict
// each other wins; whoever loses is told so when it is certain, and may look how the object is now and try again.
type request struct {
	object  world.ID
	origin  int    // the server that asks
	number  uint32 // tells its requests apart
	hops    uint8
	changes []change
}

// changesMax is how many numbers a request changes, at most.
const changesMax = 32

// apply carries a request out on an object, or leaves it as it is and reports so.
func (q *request) apply(o *world.Object, s *world.Schema) (x world.Object, won bool) {
	x = *o
	for i := range q.changes {
		c := &q.changes[i]
		if !declared(s, o.Kind, c.slot) || !c.apply(&x) {
			return *o, false
		}
	}
	if s.CheckObject(&x) != nil {
		return *o, false
	}
	return x, true
}

// declared reports whether objects of a kind have a number in a slot.
func declared(s *world.Schema, kind world.KindID, slot world.Slot) bool {
	vars := s.Kinds[kind].Variables
	for i := range vars {
		if vars[i].Slot == slot {
			return true
		}
	}
	return false
}

// between appends the changes that make one object of another of the same kind. What is measured is changed by as much, so that what others
// do to it at the same time is not lost; of the rest, such as who holds a fork, the first who says so decides.
func between(dst []change, s *world.Schema, from, to *world.Object) []change {
	vars := s.Kinds[from.Kind].Variables
	for i := range vars {
		was, now := from.Get(vars[i].Slot), to.Get(vars[i].Slot)
		switch {
		case was == now:
		case vars[i].Type == world.Fixed:
			dst = append(dst, change{slot: vars[i].Slot, how: increment, value: now - was})
		default:
			dst = append(dst, change{slot: vars[i].Slot, how: set, was: was, value: now})
		}
	}
	return dst
}

func appendChange(dst []byte, c change) []byte {
	dst = append(dst, byte(c.slot), byte(c.how))
	return wire.AppendInt(wire.AppendInt(dst, c.was), c.value)
}

func (q *request) append(dst []byte) []byte {
	dst = wire.AppendUint(append(dst, kindRequest, q.hops), uint64(q.origin))
	dst = wire.AppendUint(wire.AppendUint(dst, uint64(q.object)), uint64(q.number))
	return wire.AppendList(dst, q.changes, appendChange)
}

func readRequest(r *wire.Reader) request {
	q := request{hops: r.Byte(), origin: int(r.UintMax(serversMax)), object: world.ID(r.Uint()), number: uint32(r.UintMax(1<<32 - 1))}
	for range r.Each() {
		c := change{slot: world.Slot(r.Byte()), how: how(r.UintMax(uint64(hows - 1)))}
		c.was, c.value = r.Int(), r.Int()
		if q.changes = append(q.changes, c); len(q.changes) > changesMax {
			r.Fail()
		}
	}
	return q
}

// What came of a request is remembered with the object like users' actions: by somebody who is no user.
const (
	requesterBit = 1 << 31
	lostBit      = 1
)

// outcome is what is remembered of a request that was dealt with.
func (q *request) outcome(won bool) act {
	u := world.User(requesterBit | q.origin<<1)
	if !won {
		u |= lostBit
	}
	return act{u, q.number, q.object}
}

// requested reports whether it is a request that an act is the outcome of, and which way it went.
func requested(u world.User) (is, won bool) { return u&requesterBit != 0, u&lostBit == 0 }
