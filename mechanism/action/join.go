package action

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// A newcomer fetches the authoritative state, then tells the server which one it has, and is in when the server has told it
// what has changed since.

// joinAgain is how long a client waits before it asks again to be let in, or says goodbye again.
const joinAgain = 250 * world.Millisecond

// beginAnew gives up all that the client knows, since the server has lost it, or it the server.
func (n *client) beginAnew() {
	n.witness.Renounced()
	n.resident = n.resident || len(n.known.owned) > 0
	n.link.Forget(star.Server)
	n.fetch()
}

// fetch begins to fetch a world.
func (n *client) fetch() {
	n.presence.Begin()
	n.pending.clear()
	n.in, n.out, n.number = 0, 0, 0
	n.held, n.heldAll = n.held[:0], false
	n.newcomer = latejoin.NewNewcomer(n.place.ID, n.presence.Identity.Number(), []mechanism.NodeID{star.Server})
}

// ask asks for parts of the snapshot, if it is time to.
func (n *client) ask(now world.Time, out *mechanism.Outbox) {
	to, ask := n.newcomer.Poll(now, append(n.buf[:0], kindAsk))
	if n.buf = ask; to != 0 {
		n.say(now, ask, out)
	}
}

// takeChunk takes a part of the snapshot, and with the last part the world.
func (n *client) takeChunk(now world.Time, from mechanism.NodeID, chunk []byte) (sound bool) {
	if n.newcomer == nil {
		return true // there is one already
	}
	snapshot, sound := n.newcomer.Receive(now, from, chunk)
	if snapshot == nil {
		return sound
	}
	r := wire.NewReader(snapshot)
	position := r.UintMax(positionMax)
	state, err := latejoin.ReadState(&r, n.session.Start, star.Users(n.world))
	if err != nil || r.Done() != nil {
		return false
	}
	n.inhabit(state, position)
	for o := range state.All() {
		n.witness.Held(position, o.ID, o)
	}
	n.newcomer = nil
	n.presence.Ask(now)
	return true
}

// talk asks to be let in or says goodbye, if it is time to.
func (n *client) talk(now world.Time, out *mechanism.Outbox) {
	switch n.presence.Poll(now) {
	case membership.Join:
		n.buf = n.presence.Identity.Append(append(n.buf[:0], kindJoin))
		n.buf = wire.AppendUint(n.buf, n.stable.installed)
		n.say(now, n.buf, out)
	case membership.Leave:
		n.buf = n.presence.Identity.Append(append(n.buf[:0], kindLeave))
		n.say(now, n.buf, out)
	}
}

// enter is called when the server has let the client in. It may have heard of it as early as it first asked, and of nothing
// since.
func (n *client) enter(now world.Time) {
	n.presence.Enter(n.presence.Heard())
	n.lookAt = now
}

// takeGone takes that the server does not know the client, that what it has fetched is of no use, or that it has been heard to
// leave.
func (n *client) takeGone(now world.Time) {
	refused := n.presence.Joining()
	n.presence.Unknown()
	if refused || n.presence.Lost(now) {
		n.beginAnew()
	}
}
