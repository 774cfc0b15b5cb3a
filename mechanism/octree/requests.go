package octree

import (
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// asked is a request of this server's that has not been answered.
type asked struct {
	request
	due   world.Time // when to ask again
	until world.Time // when it is given up
}

// The events of requests that were dealt with, for certain: Object is what they were about, Seq their number.
const (
	changed   = "changed"   // it is as was asked for
	overtaken = "overtaken" // another was first, or there is no such object
)

// requestsMax is how many requests of a server may wait for an answer.
const requestsMax = 1 << 12

// request asks whoever answers for an object to change it, and returns the request's number.
func (n *server) request(now world.Time, id world.ID, changes []change, out *mechanism.Outbox) uint32 {
	n.requestNumber = max(n.requestNumber+1, uint32(max(now, 0)/world.Millisecond)) // later than any that a predecessor has used
	q := asked{request: request{object: id, origin: n.number, number: n.requestNumber, changes: slices.Clone(changes)}, until: now + n.config.memory()/2}
	if len(n.requests) == requestsMax {
		out.Report(mechanism.Event{Name: overtaken, Object: id, Seq: q.number})
		return q.number
	}
	q.due = now + n.config.Lease/2
	n.requests = append(n.requests, q)
	n.direct(now, &q.request, out)
	return q.number
}

// direct carries a request out, if the object is this server's, or passes it on to the one whose it is; where that is not known, it
// will be asked again.
func (n *server) direct(now world.Time, q *request, out *mechanism.Outbox) {
	x, ok := n.copies.Get(q.object)
	switch {
	case n.owns(q.object):
		n.comply(q)
	case ok && x.holder != n.number && q.hops < hopsMax && n.inTouch(n.config.serverNode(x.holder)):
		q.hops++
		n.buf = q.append(n.buf[:0])
		n.tell(now, n.config.serverNode(x.holder), mechanism.Command, n.buf, out)
	}
}

// comply carries a request out, unless that has been done, or another was first. Either way it is remembered with the object, and who asked is told once it is stored.
func (n *server) comply(q *request) {
	done, known := n.writer.outcomeOf(q)
	if o := n.replica.State.Get(q.object); !known {
		won := false
		if o != nil {
			var x world.Object
			if x, won = q.apply(o, n.session.World.Schema()); won {
				n.replica.State.Put(x)
				n.replica.Window.Look(n.replica.State)
			}
		}
		done = q.outcome(won)
	}
	n.writer.acted(done, q.origin)
	n.work++
}

// takeRequest takes a request that another server makes or has passed on.
func (n *server) takeRequest(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	q := readRequest(r)
	if r.Done() != nil || q.origin >= n.config.Servers || q.object == 0 {
		return false
	}
	n.direct(now, &q, out)
	return true
}

// answered takes what has come of a request, for certain.
func (n *server) answered(id world.ID, number uint32, won bool, out *mechanism.Outbox) {
	i := slices.IndexFunc(n.requests, func(q asked) bool { return q.number == number && q.object == id })
	if i < 0 {
		return // it was before
	}
	n.requests = slices.Delete(n.requests, i, i+1)
	name := overtaken
	if won {
		name = changed
	}
	out.Report(mechanism.Event{Name: name, Object: id, Seq: number})
}

// insist makes requests again that were not answered, while it is still remembered whether they were carried out. After that, who
// made them is told nothing.
func (n *server) insist(now world.Time, out *mechanism.Outbox) {
	n.requests = slices.DeleteFunc(n.requests, func(q asked) bool { return now >= q.until })
	for i := range n.requests {
		if q := &n.requests[i]; now >= q.due {
			q.due = now + n.config.Lease/2
			q.hops = 0
			again := q.request
			n.direct(now, &again, out)
		}
	}
}

// lend has the rules change objects of other servers, for the action at hand: what it says it may change and this server knows.
func (n *server) lend() {
	n.lent = n.lent[:0]
	for _, id := range n.reach.Writes {
		if o := n.replica.State.Get(id); o != nil && !n.open(o) {
			n.lent = append(n.lent, *o)
		}
	}
	n.lending = len(n.lent) > 0
}

// collect puts objects of other servers back as they were, and asks those servers to change them as the rules did.
func (n *server) collect(now world.Time, out *mechanism.Outbox) {
	if !n.lending {
		return
	}
	n.lending = false
	schema := n.session.World.Schema()
	for i := range n.lent {
		was := &n.lent[i]
		n.changes = n.changes[:0]
		if o := n.replica.State.Get(was.ID); o != nil && o.Kind == was.Kind {
			n.changes = between(n.changes, schema, was, o)
		}
		n.replica.State.Put(*was)
		if len(n.changes) > 0 {
			n.request(now, was.ID, n.changes, out)
		}
	}
	n.replica.Window.Look(n.replica.State)
}
