package lockstep

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// A server that takes another's place knows no world, but its clients do. Whoever speaks to it is told so, and says how far its
// own world has come; of the world that most know the server fetches a snapshot, and goes on from there (latejoin.Recovery).
// Only where nobody knows one does the world begin again.

// awaitWorld does, while the server knows no world, what is due about that.
func (n *server) awaitWorld(now world.Time, out *mechanism.Outbox) {
	to, ask := n.recovery.Poll(now, append(n.message[:0], kindAsk, 0))
	if n.message = ask; to != 0 {
		n.link.Send(now, to, mechanism.Control, ask, link.Unreliable, out)
	}
	if n.recovery.Lost() {
		state := n.session.Start.Detach()
		state.SetTick(n.pace.First(n.pace.Of(mechanism.TickAt(now, n.pace.Tick))))
		n.goOnFrom(now, state)
		out.Report(mechanism.Event{Name: mechanism.Restarted})
	}
}

// hear takes what a client says to a server that knows no world: whatever it is, unless it is about that, it has to be said again.
func (n *server) hear(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(m.Payload)
	switch r.Byte() {
	case kindClaim:
		c := readClaim(&r)
		tick := world.Tick(c.At)
		if r.Done() != nil || !n.pace.Begins(tick) || tick > mechanism.TickAt(now, n.pace.Tick) {
			return false
		}
		n.recovery.Claim(now, m.From, c)
	case kindChunk:
		return n.receiveWorld(now, m.From, r.Rest())
	default:
		n.recovery.Hear(now)
		n.message = wire.AppendUint(append(n.message[:0], kindBereft), uint64(n.session.Epoch))
		n.link.Send(now, m.From, mechanism.Control, n.message, link.Unreliable, out)
	}
	return true
}

// receiveWorld takes a part of the world that is fetched from clients, and with the last part the world. Its users are in it;
// whose clients do not come back leave it as if they had just fallen silent.
func (n *server) receiveWorld(now world.Time, from mechanism.NodeID, chunk []byte) (sound bool) {
	snapshot, sound := n.recovery.Receive(now, from, chunk)
	if snapshot == nil {
		return sound
	}
	r := wire.NewReader(snapshot)
	state, err := latejoin.ReadState(&r, n.session.Start, star.Users(n.world))
	if chosen := n.recovery.Chosen(); err != nil || r.Done() != nil || uint64(state.Tick()) != chosen.At || state.Hash() != chosen.Hash {
		return false
	}
	n.goOnFrom(now, state)
	for o := range state.All() {
		if o.User != 0 && n.members.Of(o.User) == nil {
			n.members.admit(membership.Member{Node: star.NodeOf(o.User), User: o.User, Heard: now}, turn.Number(n.config.Delay))
		}
	}
	return true
}

// goOnFrom begins with a state, whose tick is the first of a turn. A world that comes late is not behind.
func (n *server) goOnFrom(now world.Time, state *world.State) {
	n.recovery = nil
	n.restart(state)
	n.slip = mechanism.TimeOf(mechanism.TickAt(now, n.pace.Tick)-state.Tick(), n.pace.Tick)
	n.begin(now, n.pace.Of(state.Tick()))
}

// receiveBereft says to a server that knows no world how far the client's has come. To be as far as all others, it first carries
// out all that it knows.
func (n *client) receiveBereft(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	epoch := uint32(r.UintMax(uint32Max))
	if r.Done() != nil {
		return false
	}
	if n.phase != absent {
		if epoch <= n.under {
			return true // it is from before that server knew a world again
		}
		for n.phase == playing && !n.missing() {
			n.tell(n.step(), false, out)
		}
		n.fetch()
	}
	if n.holds {
		c := latejoin.Claim{At: uint64(n.tick()), Hash: n.follower.State().Hash()}
		n.say(now, mechanism.Control, appendClaim(n.buf[:0], c), link.Unreliable, out)
	}
	return true
}

// receiveAsk sends the server a part of the client's world.
func (n *client) receiveAsk(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	r.Byte() // whatever its tick is
	write := n.follower.State().Append
	if !n.holds || n.phase != absent {
		write = nil
	}
	return n.guide.Answer(now, star.Server, r.Rest(), write, func(chunk []byte) {
		n.say(now, mechanism.Snapshot, append(append(n.buf[:0], kindChunk), chunk...), link.Unreliable, out)
	})
}
