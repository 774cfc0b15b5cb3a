package octree

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/assignment"
	"throng/mechanism/parts/input"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// placement is a server's part in who serves whom: it tells balancers where its clients look, has some of them looked at now and then,
// and sends away those who had better be elsewhere.
type placement struct {
	monitor  assignment.Monitor
	informed []bool // by balancer: it has been told everything
	came     []world.User
	turn     int // of the members: who is appraised next
	reported world.Time
	retiring bool       // it is to be emptied
	deadline world.Time // after which it stops, whoever is left
	leaving  []bool     // by server: it is to be emptied
	guests   []guest
	changes  []assignment.Change
}

func newPlacement(c *Config) placement {
	return placement{monitor: assignment.Monitor{Blocks: c.Placing.Blocks}, informed: make([]bool, c.Balancers), leaving: make([]bool, c.Servers)}
}

// placed is where a client looks, as balancers are told, and where it is being sent.
type placed struct {
	view  assignment.View
	since world.Time // when it came
	to    int        // the server that it is being sent to, or nowhere
	ready bool       // that knows what it sees
	due   world.Time // when to tell it, again
	until world.Time // when to give that up
}

func newPlaced(now world.Time) placed {
	return placed{view: assignment.Nowhere, since: now, to: nowhere}
}

// movesMax is how many clients are on their way to other servers at a time, and movesHurried how many where it is urgent.
const (
	movesMax     = 4
	movesHurried = 64
)

// place does what has to do with who serves whom.
func (n *server) place(now world.Time, out *mechanism.Outbox) {
	p := &n.placement
	if n.config.Balancers == 0 && len(p.guests) == 0 && !p.retiring {
		return
	}
	n.host(now, out)
	for _, m := range n.members.All() {
		n.send(now, m, out)
	}
	if now < p.reported+n.config.beat() {
		return
	}
	p.reported = now
	n.follow()
	n.report(now, out)
	n.appraise(now, out)
	if p.retiring {
		n.handAll(out)
	}
}

// follow has the monitor know where clients look.
func (n *server) follow() {
	for _, m := range n.members.All() {
		if v := n.viewOf(m.User); v != m.placed.view {
			n.placement.monitor.Move(m.placed.view, v)
			m.placed.view = v
		}
	}
}

// viewOf is where a user looks.
func (n *server) viewOf(u world.User) assignment.View {
	centres := n.field.Centres(u)
	if len(centres) == 0 {
		return assignment.Nowhere
	}
	box := fixed.Box{Min: centres[0], Max: centres[0]}
	for _, c := range centres[1:] {
		box = box.Union(fixed.Box{Min: c, Max: c})
	}
	return n.config.Placing.ViewOf(n.session.World.Schema().Bounds, box.Grow(n.field.Sight()))
}

// unplace has a client that is gone be nobody whom balancers count.
func (n *server) unplace(m *member) {
	n.placement.monitor.Leave(m.placed.view)
	m.placed.view = assignment.Nowhere
}

// report tells balancers what has changed, and those who know nothing everything.
func (n *server) report(now world.Time, out *mechanism.Outbox) {
	p := &n.placement
	r := report{clients: n.members.Len(), load: max(n.pace.Slowed()-100, 0), retiring: p.retiring}
	p.changes = p.monitor.Take(p.changes[:0])
	net := len(p.changes)
	p.changes = p.monitor.All(p.changes)
	for i := range p.informed {
		if !n.inTouch(n.config.balancerNode(i)) {
			p.informed[i] = false
			continue
		}
		r.anew = !p.informed[i]
		changes, came := p.changes[:net], p.came
		if r.anew {
			changes = p.changes[net:]
		}
		p.informed[i] = true
		for more := true; more; r.anew = false {
			r.changes, r.came = changes[:min(len(changes), blocksEach)], came[:min(len(came), cameEach)]
			changes, came = changes[len(r.changes):], came[len(r.came):]
			more = len(changes)+len(came) > 0
			n.buf = r.append(append(n.buf[:0], kindReport))
			n.tell(now, n.config.balancerNode(i), mechanism.Control, n.buf, out)
		}
	}
	p.came = p.came[:0]
}

// How many blocks and newcomers a report names at most: what a datagram holds for certain.
const (
	blocksEach = 128
	cameEach   = 64
)

// appraise asks a balancer about some of the clients, in turn, unless enough are on their way.
func (n *server) appraise(now world.Time, out *mechanism.Outbox) {
	p := &n.placement
	count, most := n.members.Len(), movesMax
	if count == 0 || n.config.Reassign == 0 && !p.retiring {
		return
	}
	some := 1 + int(int64(count)*int64(n.config.beat())/int64(max(n.config.Reassign, 1)))
	if p.retiring || n.pace.Slowed() > 100 {
		some, most = count, movesHurried
	}
	for _, m := range n.members.All() {
		if m.placed.to != nowhere {
			most--
		}
	}
	n.buf = append(n.buf[:0], kindAppraise)
	for ; some > 0 && most > 0 && count > 0; count-- {
		m := n.members.All()[p.turn%n.members.Len()]
		p.turn++
		if settled := now >= m.placed.since+n.config.Reassign || p.retiring; m.placed.to != nowhere || !settled || n.pending(m.User) {
			continue
		}
		n.buf = appendView(wire.AppendUint(n.buf, uint64(m.User)), m.placed.view)
		some--
		most--
	}
	if len(n.buf) == 1 {
		return
	}
	for i := range n.config.Balancers {
		if id := n.config.balancerNode(i); n.inTouch(id) {
			n.tell(now, id, mechanism.Control, n.buf, out)
			return
		}
	}
	n.scatter(now, out)
}

// scatter sends clients to other servers without a balancer's advice: if this one is to be emptied.
func (n *server) scatter(now world.Time, out *mechanism.Outbox) {
	for i, m := range n.members.All() {
		if to, ok := n.another(i); ok && n.placement.retiring && m.placed.to == nowhere && i < movesHurried {
			n.sendTo(now, m, to, out)
		}
	}
}

// another is a server that is there to stay; which one depends on a number.
func (n *server) another(number int) (server int, ok bool) {
	for k := range n.config.Servers {
		to := (n.number + 1 + number%n.config.Servers + k) % n.config.Servers
		if to != n.number && !n.placement.leaving[to] && n.inTouch(n.config.serverNode(to)) {
			return to, true
		}
	}
	return 0, false
}

// takeMove takes that a client of this server had better be with another.
func (n *server) takeMove(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	u, to := world.User(r.UintMax(1<<32-1)), int(r.UintMax(serversMax))
	if r.Done() != nil || to >= n.config.Servers {
		return false
	}
	if m := n.members.Of(u); m != nil && m.placed.to == nowhere && to != n.number {
		n.sendTo(now, m, to, out)
	}
	return true
}

// sendTo has a server get to know what a client sees, which is then to move there.
func (n *server) sendTo(now world.Time, m *member, to int, out *mechanism.Outbox) {
	id := n.config.serverNode(to)
	if !n.inTouch(id) {
		return
	}
	m.placed.to, m.placed.ready, m.placed.due, m.placed.until = to, false, now, now+2*n.config.Timeout
	owned := n.field.Owned(m.User)
	for more := true; more; {
		some := owned[:min(len(owned), bodiesMax)]
		owned = owned[len(some):]
		more = len(owned) > 0
		n.buf = append(wire.AppendUint(append(n.buf[:0], kindPrefetch), uint64(m.User)), 1)
		if more {
			n.buf[len(n.buf)-1] = 0
		}
		n.buf = wire.AppendUint(n.buf, uint64(m.budget.reach))
		for _, id := range some {
			if o := n.shown.Get(id); o != nil {
				n.buf = appendBody(n.buf, o)
			}
		}
		n.tell(now, id, mechanism.Control, n.buf, out)
	}
}

// bodiesMax is how many objects a message names whose surroundings are to be known.
const bodiesMax = 32

// takeReady takes that a server knows what a client sees.
func (n *server) takeReady(now world.Time, from int, r *wire.Reader) (sound bool) {
	u := world.User(r.UintMax(1<<32 - 1))
	if r.Done() != nil {
		return false
	}
	if m := n.members.Of(u); m != nil && m.placed.to == from {
		m.placed.ready, m.placed.due = true, now
	}
	return true
}

// send tells a client to move, if its next server is ready, until it has gone; or gives that up.
func (n *server) send(now world.Time, m *member, out *mechanism.Outbox) {
	p := &m.placed
	switch {
	case p.to == nowhere:
	case now >= p.until || !n.inTouch(n.config.serverNode(p.to)):
		p.to, p.since = nowhere, now
	case p.ready && now >= p.due:
		p.due = now + n.config.Resend
		n.buf = input.AppendPlace(n.buf[:0], input.KindMove, m.Identity.Tag(), n.config.serverNode(p.to))
		out.Send(m.Node, mechanism.Control, n.buf)
	}
}

// Leave has the server be emptied: its clients move to others, and others answer for what it does.
func (n *server) Leave(now world.Time, out *mechanism.Outbox) {
	n.placement.retiring, n.placement.deadline = true, now+4*n.config.Timeout+n.config.Absence/4
	n.placement.reported = -world.Never
	n.buf = append(n.buf[:0], kindLeaving)
	for i := range n.config.Servers {
		if i != n.number {
			n.tell(now, n.config.serverNode(i), mechanism.Control, n.buf, out)
		}
	}
	n.rest(out)
}

// Gone reports whether the server can stop: nobody needs it any more, there is nobody to take over, or time is up.
func (n *server) Gone() bool {
	if _, ok := n.another(0); !ok {
		return true
	}
	empty := n.members.Len() == 0 && n.own.Len() == 0 && len(n.writer.queue) == 0
	return n.placement.retiring && (empty || mechanism.TimeOf(n.tick, n.length) >= n.placement.deadline)
}

// handAll has others answer for what is nobody's, or whose user's client is not here.
func (n *server) handAll(out *mechanism.Outbox) {
	n.ids = n.ids[:0]
	for o := range n.replica.State.All() {
		if n.owns(o.ID) && n.members.Of(o.User) == nil {
			n.ids = append(n.ids, o.ID)
		}
	}
	n.writer.gather()
	for _, id := range n.ids {
		o := n.replica.State.Get(id)
		if to, ok := n.another(int(uint64(id) % uint64(n.config.Servers))); ok && o != nil && n.owns(id) {
			n.hand(o, to, out)
		}
	}
	n.absent = slices.DeleteFunc(n.absent, func(a absence) bool {
		n.mine.Set(a.user, others)
		return true
	})
}
