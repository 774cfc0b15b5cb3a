package action

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// A newcomer fetches the authoritative state, then tells the server which one it has, and is in when the server has told it
// what has changed since.

// joinAgain is how long a newcomer waits before it asks again to be let in.
const joinAgain = 250 * world.Millisecond

// beginAnew gives up all that the client knows, since the server has lost it, or it the server.
func (n *client) beginAnew() {
	n.witness.Renounced()
	n.resident = n.resident || len(n.known.owned) > 0
	n.tag.life++
	n.link.Forget(star.Server)
	n.fetch()
}

// fetch begins to fetch a world.
func (n *client) fetch() {
	n.presence = fetching
	n.pending.clear()
	n.in, n.out, n.number = 0, 0, 0
	n.held, n.heldAll = n.held[:0], false
	n.newcomer = latejoin.NewNewcomer(n.place.ID, n.tag.epoch<<8|n.tag.life&255, []mechanism.NodeID{star.Server})
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
	if n.presence != fetching {
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
	n.presence, n.newcomer, n.dueAt, n.heard = entering, nil, now, now
	return true
}

// join asks to be let in, if it is time to.
func (n *client) join(now world.Time, out *mechanism.Outbox) {
	if now < n.dueAt {
		return
	}
	n.dueAt = now + joinAgain
	n.buf = n.tag.append(append(n.buf[:0], kindJoin))
	n.buf = wire.AppendUint(n.buf, n.stable.installed)
	n.say(now, n.buf, out)
}

// enter is called when the server has let the client in. It may have heard of it as early as it first asked.
func (n *client) enter(now world.Time) {
	n.presence = playing
	n.dueAt = now
}
