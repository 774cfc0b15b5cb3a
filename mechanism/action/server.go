package action

import (
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// server puts entries into an order and sees to it that everybody is told of those that matter to them. It carries none of
// them out: how the world is it knows from the clients' completions.
type server struct {
	config   *Config
	session  *mechanism.Session
	world    world.World
	state    *world.State // the authoritative state: as after the last position that is installed
	order    order
	members  members
	protocol protocol
	link     *link.Layer
	guide    latejoin.Guide
	geometry geometry
	tidyAt   world.Time
	waiters  []*member // whose entries wait for a place
	partings []parting
	vacated  world.Set // what those had who have just left the world
	witness  mechanism.Witness

	closure closure
	letter  letter
	values  []world.Object
	looked  world.Set
	auditor auditor
	reached world.Footprint // what an action may touch
	action  world.Action    // that action; here, since rules are handed a pointer to it
	buf     []byte
	work    world.Work
}

var (
	_ mechanism.Ordered = (*server)(nil)
	_ mechanism.Sized   = (*server)(nil)
)

func newServer(c *Config, s *mechanism.Session) *server {
	n := &server{
		config:   c,
		session:  s,
		world:    s.World,
		state:    s.Start.Detach(),
		order:    newOrder(s.Start.Detach()),
		link:     link.New(c.Link, star.Server, s.Epoch),
		geometry: newGeometry(s.World),
		witness:  nobody{},
	}
	n.auditor.scene = newScene(s.World, s.Start.Seed())
	n.auditor.share = uint64(c.Audit.MulInt(1 << 32).Floor())
	n.link.Expect(func(id mechanism.NodeID) bool { return n.members.At(id) != nil })
	n.members.Members = membership.NewMembers[*member](star.Seats(s.World), c.Patience)
	n.protocol = newProtocol(n)
	if !s.Late { // else it begins again, and those who were there find out in time
		for _, p := range s.Places {
			if p.User != 0 {
				n.members.add(newMember(p.ID, p.User))
			}
		}
		n.findPlaces()
	}
	return n
}

// Testify implements mechanism.Ordered.
func (n *server) Testify(w mechanism.Witness) { n.witness = w }

// Wake does what has come due: repeats, pushes, and looking for those who have gone.
func (n *server) Wake(now world.Time, out *mechanism.Outbox) {
	if n.session.Late && n.tidyAt == 0 { // at its start
		out.Report(mechanism.Event{Name: mechanism.Restarted})
	}
	n.link.Wake(now, n, out)
	if now >= n.tidyAt {
		n.tidyAt = now + n.config.Look
		n.guide.Tidy(now)
		n.shunIdle(now)
		n.dismissSilent(now, out)
		n.install(now, out) // what nobody else has said anything of
		n.releaseAll(now, out)
		n.order.discard(n.protocol.keep())
	}
	n.protocol.push(now, out)
	n.finish(out)
}

// Receive takes a client's message.
func (n *server) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if star.UserOf(n.world, m.From) == 0 {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		return
	}
	n.auditor.stir(now, m.From)
	n.link.Receive(now, m, n, out)
	n.finish(out)
}

// finish ends a call: it charges, and asks to be woken for what comes due.
func (n *server) finish(out *mechanism.Outbox) {
	out.Charge(n.work + n.auditor.scene.window.TakeWork())
	n.work = 0
	out.WakeAt(min(n.protocol.next(), n.tidyAt, n.link.Next()))
}

// Deliver implements link.Handler.
func (n *server) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	sound := false
	r := wire.NewReader(m.Payload)
	switch r.Byte() {
	case kindSubmit:
		sound = n.takeSubmission(now, m.From, &r, out)
	case kindComplete:
		sound = n.takeCompletions(now, m.From, &r, out)
	case kindLook:
		sound = n.takeLook(now, m.From, &r, out)
	case kindJoin:
		sound = n.takeJoin(now, m.From, &r, out)
	case kindLeave:
		sound = n.takeLeave(now, m.From, &r, out)
	case kindAsk:
		sound = n.takeAsk(now, m.From, &r, out)
	}
	if !sound {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
	return sound
}

// takeSubmission gives an entry its place in the order, if it may have one.
func (n *server) takeSubmission(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	life, serial := r.Byte(), r.Byte()
	e := n.order.slot()
	readEntry(r, n.world.Schema(), &e.Entry)
	e.place = n.geometry.read(r, n.config.Culling)
	if r.Done() != nil || e.Action.User != star.UserOf(n.world, from) {
		return false
	}
	m := n.members.At(from)
	if m == nil || byte(m.Identity.Life) != life || !n.inTurn(now, m, serial, out) {
		return true
	}
	m.number++
	e.number, e.owner = m.number, m.slot
	v := dropped
	if n.permits(now, m, e) {
		v = n.judge(m, e)
	}
	if v != dropped {
		m.declare(e)
	}
	switch v {
	case placed:
		n.place(now, m, e, out)
	case waits:
		m.hold(e)
		if len(m.waiting) == 1 {
			n.waiters = append(n.waiters, m)
		}
	case dropped:
		n.drop(now, m, e.number, out)
		if e.Steps == 0 {
			out.Report(mechanism.Event{Name: mechanism.Dropped, User: e.Action.User, Seq: e.Action.Seq})
		}
	}
	return true
}

// inTurn takes note of a numbered message, and reports whether it is the one after the last. Where one is missing, the
// client has lost its thread, and must begin anew.
func (n *server) inTurn(now world.Time, m *member, serial byte, out *mechanism.Outbox) bool {
	if m.shunned {
		return false
	}
	if serial != m.in {
		m.shunned = true
		n.refuse(now, m.Node, m.Identity, out)
		return false
	}
	m.in++
	m.Heard = now
	return true
}

// judge says what becomes of an entry in the slot. Those of one client keep their order.
func (n *server) judge(m *member, e *entry) verdict {
	n.order.link(e)
	v := placed
	if !n.protocol.admits(e) {
		v = dropped
		if n.config.Beyond == Delay {
			v = waits
		}
	} else if len(m.waiting) > 0 {
		v = waits
	}
	if v == waits && len(m.waiting) == waitingMax || m.open >= openMax {
		v = dropped
	}
	return v
}

// place puts the entry in the slot into the order.
func (n *server) place(now world.Time, m *member, e *entry, out *mechanism.Outbox) {
	e.from, e.at = m.slot, now
	m.open++
	position := n.order.append(e)
	n.witness.Placed(position, &e.Entry)
	n.work++
	n.protocol.placed(now, m, position, out)
}

// drop tells a client that its entry has no place in the order.
func (n *server) drop(now world.Time, m *member, number uint32, out *mechanism.Outbox) {
	w := n.write(m)
	w.buf = wire.AppendUint(append(w.buf, newsDropped), uint64(number))
	w.flush(now, out)
}

// takeLook brings a client up to date about what its user sees.
func (n *server) takeLook(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	who, moment := membership.ReadIdentity(r), r.Uint()
	all := r.UintMax(1) == 1
	var ids world.Set
	if !all {
		n.looked = readIDs(r, n.looked[:0], r.UintMax(readsMax))
		ids = n.looked
	}
	if r.Done() != nil {
		return false
	}
	m := n.members.At(from)
	if m == nil || who.After(m.Identity) {
		n.refuse(now, from, who, out)
		return true
	}
	if m.Identity != who || m.shunned {
		return true // of an earlier life, or of one that is to end
	}
	m.Heard = now
	if now >= m.lookAt {
		m.lookAt = now + n.config.Look/4
		ids = ids[:min(len(ids), n.state.Len()+goneMax)] // nobody can have heard of more
		n.protocol.looked(now, m, ids, all, out)
	}
	n.buf = wire.AppendUint(who.Append(append(n.buf[:0], kindHere)), moment)
	n.link.Send(now, from, mechanism.Control, n.buf, link.Unreliable, out)
	return true
}

// refuse tells a client that it is unknown.
func (n *server) refuse(now world.Time, to mechanism.NodeID, who membership.Identity, out *mechanism.Outbox) {
	n.buf = who.Append(append(n.buf[:0], kindGone))
	n.link.Send(now, to, mechanism.Control, n.buf, link.Unreliable, out)
}

// Bytes implements mechanism.Sized.
func (n *server) Bytes() int {
	sum := n.state.Size() + n.order.bytes() + n.link.Bytes() + n.guide.Bytes()
	for _, m := range n.members.slots {
		if m != nil {
			sum += int(unsafe.Sizeof(*m)) + cap(m.pushes)*8
		}
	}
	return sum
}

// nobody is told what nobody wants to know.
type nobody struct{}

func (nobody) Placed(uint64, *mechanism.Entry)      {}
func (nobody) Voided(uint64)                        {}
func (nobody) Settled(uint64)                       {}
func (nobody) Renounced()                           {}
func (nobody) Held(uint64, world.ID, *world.Object) {}
