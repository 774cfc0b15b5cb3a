package relay

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// Ready implements mechanism.Arriving.
func (n *client) Ready() bool { return n.newcomer == nil && !n.presence.Left() }

// takeStanding takes that the server knows the client now, or does not. Until it is let in, what the server says was for a
// predecessor.
func (n *client) takeStanding(now world.Time, payload []byte) (sound bool) {
	r := wire.NewReader(payload)
	switch r.Byte() {
	case kindWelcome:
		number := readEpoch(&r)
		if sound = r.Done() == nil; sound && number == n.presence.Identity.Number() {
			n.presence.Enter(now)
		}
	case kindGone:
		if sound = r.Done() == nil; sound {
			n.presence.Unknown()
		}
		if n.presence.Lost(now) {
			n.beginAnew(now)
		}
	}
	return sound
}

// beginAnew joins, for the first time or once more, since the server does not know the client any longer.
func (n *client) beginAnew(now world.Time) {
	n.presence.Begin()
	n.presence.Ask(now)
	n.relink()
	n.lose()
}

// relink begins all links anew, in the client's present life.
func (n *client) relink() {
	n.link = link.New(n.config.Link, n.place.ID, n.presence.Identity.Number())
	n.link.ExpectSuccessors(star.IsServer)
}

// Leave says goodbye, and again until the server has heard it.
func (n *client) Leave(now world.Time, out *mechanism.Outbox) {
	n.presence.Leave(now)
	n.newcomer = nil
	n.speak(now, out)
	n.finish(now, out)
}

// Gone implements mechanism.Lingering.
func (n *client) Gone() bool { return n.presence.Gone() }

// lose makes the client one that has no world and asks for it.
func (n *client) lose() {
	n.newcomer = latejoin.NewNewcomer(n.place.ID, n.presence.Identity.Number(), []mechanism.NodeID{star.Server})
	n.backlog = n.backlog[:0]
}

// keep puts aside what cannot be carried out yet. If that gets too much the oldest is given up: a snapshot will have to be
// newer.
func (n *client) keep(payload []byte) {
	if len(n.backlog) == backlogMax {
		n.backlog = append(n.backlog[:0], n.backlog[1:]...)
	}
	n.backlog = append(n.backlog, append([]byte(nil), payload...))
}

// fetch asks for a snapshot, if it is time to.
func (n *client) fetch(now world.Time, out *mechanism.Outbox) {
	to, ask := n.newcomer.Poll(now, append(n.buf[:0], kindAsk))
	if n.buf = ask; to != 0 {
		n.link.Send(now, to, mechanism.Control, ask, link.Unreliable, out)
	}
}

// guideNewcomer answers a node that asks for a snapshot, through the server.
func (n *client) guideNewcomer(now world.Time, payload []byte, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(payload)
	newcomer := mechanism.NodeID(r.UintMax(1<<32 - 1))
	if r.Failed() {
		return false
	}
	write := n.appendSnapshot
	if !n.Ready() {
		write = nil
	}
	return n.guide.Answer(now, newcomer, r.Rest(), write, func(chunk []byte) {
		n.buf = append(wire.AppendUint(append(n.buf[:0], kindPart), uint64(newcomer)), chunk...)
		n.link.Send(now, star.Server, mechanism.Snapshot, n.buf, link.Unreliable, out)
	})
}

// appendSnapshot writes how the world is, and at what place in the order.
func (n *client) appendSnapshot(dst []byte) []byte {
	return n.replica.State().Append(wire.AppendUint(dst, n.heard.position))
}

// takeChunk takes a part of the snapshot, and with the last part the world.
func (n *client) takeChunk(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	if n.newcomer == nil {
		return true // there is one already
	}
	snapshot, sound := n.newcomer.Receive(now, m.From, m.Payload)
	if snapshot == nil {
		return sound
	}
	r := wire.NewReader(snapshot)
	position := r.Uint()
	state, err := latejoin.ReadState(&r, n.session.Start, star.Users(n.session.World))
	if err != nil || r.Done() != nil {
		return false
	}
	// What was said between the snapshot and the first message kept is lost; somebody will have a newer one.
	if len(n.backlog) > 0 && position+1 >= momentOf(n.backlog[0]).position {
		n.settleIn(now, moment{position, state.Tick()}, state, out)
	}
	return true
}

func momentOf(payload []byte) moment {
	r := wire.NewReader(payload)
	r.Byte()
	return readMoment(&r)
}

// settleIn makes a state the client's world and carries out what has been sent since.
func (n *client) settleIn(now world.Time, at moment, state *world.State, out *mechanism.Outbox) {
	n.replica.Restart(state)
	n.newcomer, n.heard = nil, at
	n.testify()
	kept := n.backlog
	n.backlog = nil
	for _, payload := range kept {
		n.take(now, payload, out)
	}
	if n.Ready() { // else there was a gap in what was kept
		n.link.Send(now, star.Server, mechanism.Control, []byte{kindKnows}, link.Ordered, out)
	}
}

// takeBegin takes that there is no world any more. The server repeats it as long as the client asks for one.
func (n *client) takeBegin(now world.Time, payload []byte, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(payload)
	number := readEpoch(&r)
	if r.Done() != nil {
		return false
	}
	if n.newcomer != nil && number == n.presence.Identity.Number() {
		n.restart(now, out)
	}
	return true
}

// restart begins the world again, since nobody is left who knows it.
func (n *client) restart(now world.Time, out *mechanism.Outbox) {
	at, state := moment{}, n.session.Start.Detach()
	if len(n.backlog) > 0 {
		first := momentOf(n.backlog[0])
		at = moment{first.position - min(first.position, 1), first.tick}
	}
	state.SetTick(at.tick)
	n.settleIn(now, at, state, out)
	out.Report(mechanism.Event{Name: mechanism.Restarted})
}
