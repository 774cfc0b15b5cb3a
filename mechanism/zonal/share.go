package zonal

import (
	"throng/mechanism"
	"throng/mechanism/parts/balance"
	"throng/world"
	"throng/world/wire"
)

// share has the zone share what is too much for it with its neighbours.
func (n *hybrid) share(epoch uint32) {
	if n.rests {
		return
	}
	around := len(n.land.Neighbours(n.zone))
	n.load = balance.Load{Parts: make([]int, around), Taken: make([]int, around)}
	if !n.config.Balance || around == 0 || around > 8 {
		return
	}
	n.notify = n.tellSide
	n.numbers = firstNumber(epoch)
	n.balance = balance.New(balance.Config{
		Undo: n.config.Undo, Hold: holdFor * n.config.KeepAlive, Repeat: n.config.KeepAlive, Foresee: n.config.Foresee,
	}, around, n.numbers)
	n.plan = n.outline()
}

// holdFor is for how many keep-alives all must have fitted into the zone before it takes its parts back.
const holdFor = 4

// locate notes where a letter's writer is.
func (n *hybrid) locate(l *letter) {
	if len(l.gaze.centres) > 0 {
		n.where.set(l.origin, l.gaze.centres[0])
	}
}

// weigh finds out how many are in the tree, and says whether those are more than its levels have room for. If so, neighbours are to
// take some.
func (n *hybrid) weigh(now world.Time, out *mechanism.Outbox) {
	l := &n.load
	l.Own, l.Room = n.tree.Len(), n.config.room(n.tree.Degree())
	if over := l.Own > l.Room; over != n.full {
		n.full = over
		if over {
			out.Report(mechanism.Event{Name: mechanism.Overloaded, Value: int64(l.Own)})
		}
	}
	if n.balance == nil {
		return
	}
	n.count()
	n.out = out
	n.balance.Step(now, l, n.notify)
	n.out = nil
	n.replan(now, out)
}

// count counts those in the tree by where they are.
func (n *hybrid) count() {
	clear(n.load.Parts)
	clear(n.load.Taken)
	n.tree.Each(func(id mechanism.NodeID) {
		at, known := n.where.get(id)
		if !known {
			return
		}
		if zone := n.land.Of(at); zone == n.zone {
			if part := n.land.Part(zone, at); part >= 0 {
				n.load.Parts[part]++
			}
		} else if side := n.facing(n.zone, zone); side >= 0 && n.land.Part(zone, at) == n.facing(zone, n.zone) {
			n.load.Taken[side]++
		}
	})
}

// tellSide tells a neighbour's hybrid node.
func (n *hybrid) tellSide(side int, note balance.Note) {
	n.buf = note.Append(append(n.buf[:0], kindShare))
	n.tell(hybridOf(n.land.Neighbours(n.zone)[side].Zone), n.out)
}

// receiveShare takes what a neighbour's hybrid node says.
func (n *hybrid) receiveShare(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	note := balance.Read(r)
	if r.Done() != nil {
		return false
	}
	if n.balance == nil || !n.isHybrid(from) {
		return true
	}
	if side := n.facing(n.zone, int(from)-1); side >= 0 {
		n.out = out
		n.balance.Hear(now, side, note, &n.load, n.notify)
		n.out = nil
		n.replan(now, out)
	}
	return true
}

// replan has everybody in the zone, and all who look in, know who has which of its parts, if that has changed.
func (n *hybrid) replan(now world.Time, out *mechanism.Outbox) {
	if !n.balance.Changed() {
		return
	}
	n.numbers++
	n.plan = n.outline()
	n.signs(now, true, out)
	for _, x := range n.order {
		n.push(now, &x.pipe, n.plan, 0, out)
	}
	given := 0
	for side := range n.load.Parts {
		if n.balance.Given(side) {
			given++
		}
	}
	out.Report(mechanism.Event{Name: mechanism.Shared, Seq: uint32(given), Value: int64(n.load.Own)})
}

// outline is who has which parts of the zone, as it is told along the tree.
func (n *hybrid) outline() []byte {
	p := plan{number: n.numbers}
	for side := range n.load.Parts {
		if n.balance.Given(side) {
			p.given |= 1 << side
		}
	}
	return p.append(n.plan[:0], n.zone)
}
