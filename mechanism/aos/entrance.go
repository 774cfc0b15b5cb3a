package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// entrance is how a client gets in, and out again: it asks the registration server who serves what, if it joins a run under
// way, and is a member of all of those.
type entrance struct {
	client  *client
	asking  bool       // who serves what
	again   world.Time // when to ask again
	lookAt  world.Time // when to look whether servers are there
	entered bool       // all servers have let the client in, if not all of them may be there any more
}

// patienceAsk is after how long is asked again.
const patienceAsk = 250 * world.Millisecond

func (e *entrance) begin(n *client) {
	e.client, e.asking, e.entered = n, n.session.Late, !n.session.Late
	for i := range n.regions {
		x := &n.regions[i]
		x.presence = membership.NewPresence(n.session.Epoch, membership.Times{Repeat: patienceAsk, Patience: n.config.Timeout})
		if !e.asking {
			x.presence.Enter(0)
		}
	}
}

// all reports whether something is so with all servers.
func (e *entrance) all(is func(p *membership.Presence) bool) bool {
	for i := range e.client.regions {
		if !is(&e.client.regions[i].presence) {
			return false
		}
	}
	return true
}

func (e *entrance) ready() bool { return e.entered && !e.left() }

func (e *entrance) left() bool { return e.all((*membership.Presence).Left) }

// proceed says whom what is to be said.
func (e *entrance) proceed(now world.Time, out *mechanism.Outbox) {
	n := e.client
	if e.asking {
		if now >= e.again && !e.left() {
			e.again = now + patienceAsk
			n.links.Send(now, registryID, mechanism.Control, []byte{kindAsk}, link.Unreliable, out)
		}
		return
	}
	if now < e.lookAt && now < e.next() {
		return
	}
	e.lookAt = now + n.config.Timeout/looks
	for i := range n.regions {
		n.regions[i].keepUp(now, out)
	}
}

// looks is how often within the time-out a client looks whether its servers are there.
const looks = 12

// next is when something is to be said.
func (e *entrance) next() world.Time {
	next := world.Never
	for i := range e.client.regions {
		p := &e.client.regions[i].presence
		next = min(next, p.Due(), p.LostAt())
	}
	return next
}

// keepUp sees to it that the client is a member of the area's server, or leaves it.
func (x *region) keepUp(now world.Time, out *mechanism.Outbox) {
	n := x.client
	if !x.expects() {
		x.presence.Hear(now)
	}
	if x.presence.Lost(now) {
		x.join(now, out)
	}
	switch x.presence.Poll(now) {
	case membership.Join:
		n.buf = appendJoin(n.buf[:0], x.presence.Identity, n.place.User)
	case membership.Leave:
		n.buf = x.presence.Identity.Append(append(n.buf[:0], kindLeave))
	default:
		if now < x.hereAt() {
			return
		}
		n.buf = append(n.buf[:0], kindHere)
	}
	x.spoke = now
	n.links.Send(now, x.server, mechanism.Control, n.buf, link.Unreliable, out)
}

// expects reports whether the client has a reason to hear from the area's server, who is gone if it does not.
func (x *region) expects() bool {
	return x.replica != nil || x.feed.receiver != nil || x.home() || x.client.links.Busy(x.server)
}

// home reports whether the area's server answers for the user.
func (x *region) home() bool { return x.client.config.home(x.client.place.User) == x.area }

// hereAt is when the client says that it is there: to the server that answers for its user after a silence of its own, to
// those that it expects something of after theirs.
func (x *region) hereAt() world.Time {
	last := x.presence.Heard()
	if x.home() {
		last = min(last, x.spoke)
	}
	if !x.presence.Member() || !x.expects() {
		return world.Never
	}
	return max(last+x.client.config.Timeout/hereShare, x.spoke+x.client.config.Link.Timeout)
}

// join begins a life with the area's server, in which nothing is known of the area.
func (x *region) join(now world.Time, out *mechanism.Outbox) {
	x.forget(now, out)
	x.presence.Begin()
	x.presence.Ask(now)
}

// forget gives up what the client knows of the area, and what it has under way with its server.
func (x *region) forget(now world.Time, out *mechanism.Outbox) {
	n := x.client
	n.links.Meet(x.server, x.epoch)
	if x.replica != nil {
		x.cease(now, out)
	}
	x.feed.close(x)
	x.feed.number, x.fetch = 0, fetching{}
	for _, seq := range n.pending.of(x.area) {
		n.conclude(seq, false, out)
	}
}

// takeStanding takes what the client is to the area's server: a member, or gone.
func (x *region) takeStanding(now world.Time, kind byte, r *wire.Reader) (sound bool) {
	who, epoch := readStanding(r)
	if r.Done() != nil {
		return false
	}
	if who != x.presence.Identity && (kind == kindWelcome || who != membership.Identity{}) {
		return true // of an earlier life
	}
	if epoch > x.epoch {
		x.epoch = epoch
		x.client.links.Meet(x.server, epoch)
	}
	switch {
	case kind == kindGone:
		x.presence.Unknown()
	case x.presence.Enter(now):
		x.client.entrance.letIn(x)
	}
	return true
}

// letIn is called when an area's server has let the client in: it has to know what else the client simulates.
func (e *entrance) letIn(x *region) {
	e.entered = e.entered || e.all((*membership.Presence).Member)
	for i := range e.client.regions {
		if y := &e.client.regions[i]; y.replica != nil {
			e.client.also = append(e.client.also, also{x.area, i, y.last + 2})
		}
	}
}

// hear takes who serves which area.
func (e *entrance) hear(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	n := e.client
	serves := readAreas(r, len(n.regions))
	if r.Done() != nil {
		return false
	}
	if !e.asking || e.left() {
		return true
	}
	e.asking = false
	for i := range serves {
		n.regions[i].server = serves[i]
		n.regions[i].join(now, out)
	}
	e.proceed(now, out)
	return true
}

// leave says goodbye to all servers, and again until they have heard it.
func (e *entrance) leave(now world.Time, out *mechanism.Outbox) {
	for i := range e.client.regions {
		x := &e.client.regions[i]
		x.presence.Leave(now)
		x.forget(now, out)
	}
	e.proceed(now, out)
}

// comeBack joins once more, after leaving.
func (e *entrance) comeBack(now world.Time, out *mechanism.Outbox) {
	for i := range e.client.regions {
		e.client.regions[i].join(now, out)
	}
	e.proceed(now, out)
}

// pending are the user's actions of which it is not known what became of them, and where they were done.
type pending struct {
	seqs  []uint32
	areas []int
}

// pendingMax is how many there may be. What the user does beyond that is dropped.
const pendingMax = 256

func (p *pending) full() bool { return len(p.seqs) >= pendingMax }

func (p *pending) add(seq uint32, area int) {
	p.seqs, p.areas = append(p.seqs, seq), append(p.areas, area)
}

// take takes an action off, and reports whether it was there.
func (p *pending) take(seq uint32) bool {
	i := slices.Index(p.seqs, seq)
	if i < 0 {
		return false
	}
	p.seqs, p.areas = slices.Delete(p.seqs, i, i+1), slices.Delete(p.areas, i, i+1)
	return true
}

// of lists those that were done in an area.
func (p *pending) of(area int) (seqs []uint32) {
	for i, a := range p.areas {
		if a == area {
			seqs = append(seqs, p.seqs[i])
		}
	}
	return seqs
}
