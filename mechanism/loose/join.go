package loose

import (
	"errors"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/world"
	"throng/world/wire"
)

// A newcomer is first without a world (newcomer is set), then on its way to the present (only cover is), and then ready. Nobody
// has to be told of it: its updates are those of its place, and later than its predecessor's.

// ageMax is how old a snapshot may be when all of it has come.
const ageMax = world.Minute

// Messages from and to newcomers begin as an update of a tick that never comes would, and then say what they are.
var joinMark = wire.AppendUint(nil, stampMax+1)

// What they may be; see package latejoin.
const (
	joinAsk byte = iota
	joinChunk
)

// Ready reports whether the host takes part.
func (n *node) Ready() bool { return n.cover == nil }

// arrive goes on with joining.
func (n *node) arrive(now world.Time, out *mechanism.Outbox) {
	present := mechanism.TickAt(now, n.schema.Tick)
	switch {
	case n.newcomer == nil:
	case n.newcomer.Lost():
		n.replica.State.SetTick(present)
		n.newcomer = nil
		out.Report(mechanism.Event{Name: mechanism.Restarted})
	default:
		n.fetch(now, out)
		return
	}
	for range latejoin.TicksMax {
		if n.tick() >= present {
			n.cover.Release()
			n.cover = nil
			for i := range n.heard { // nobody could be heard before
				n.heard[i] = now
			}
			return
		}
		n.replica.Advance()
	}
	out.Charge(n.replica.Window.TakeWork())
	out.WakeAt(now)
}

// fetch asks for a snapshot, if it is time to.
func (n *node) fetch(now world.Time, out *mechanism.Outbox) {
	to, ask := n.newcomer.Poll(now, n.joinMessage(joinAsk))
	if n.buf = ask; to != 0 {
		out.Send(to, mechanism.Control, ask)
	}
	out.WakeAt(n.newcomer.Next())
}

func (n *node) joinMessage(kind byte) []byte { return append(append(n.buf[:0], joinMark...), kind) }

// receiveJoin takes what follows the mark of a message from or to a newcomer.
func (n *node) receiveJoin(now world.Time, from mechanism.NodeID, message []byte, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(message)
	switch r.Byte() {
	case joinAsk:
		return n.guideNewcomer(now, from, r.Rest(), out)
	case joinChunk:
		return n.receiveChunk(now, from, r.Rest(), out)
	}
	return false
}

// guideNewcomer answers a host that asks for a snapshot.
func (n *node) guideNewcomer(now world.Time, to mechanism.NodeID, ask []byte, out *mechanism.Outbox) (sound bool) {
	write := n.appendSnapshot
	if !n.Ready() {
		write = nil
	}
	return n.guide.Answer(now, to, ask, write, func(chunk []byte) {
		n.buf = append(n.joinMessage(joinChunk), chunk...)
		out.Send(to, mechanism.Snapshot, n.buf)
	})
}

// receiveChunk takes a part of the snapshot, and with the last part the world.
func (n *node) receiveChunk(now world.Time, from mechanism.NodeID, chunk []byte, out *mechanism.Outbox) (sound bool) {
	if n.newcomer == nil {
		return true // there is one already
	}
	snapshot, sound := n.newcomer.Receive(now, from, chunk)
	if snapshot != nil {
		if n.settleIn(now, snapshot) == nil {
			out.WakeAt(now)
			return true
		}
		sound = false
	}
	n.fetch(now, out)
	return sound
}

// appendSnapshot writes all that another host needs to know: the view as it is, and of each object that is there or has been
// when the newest update for it was sent. The objects of the latter list are named by the distances between their IDs; a zero
// ends it.
func (n *node) appendSnapshot(dst []byte) []byte {
	dst = n.replica.State.Append(dst)
	var last world.ID
	for i := range n.ledger.entries {
		e := &n.ledger.entries[i]
		dst = wire.AppendUint(dst, uint64(e.id-last))
		dst = wire.AppendUint(dst, uint64(e.heard+1)<<1|flag(e.told))
		last = e.id
	}
	return wire.AppendUint(dst, 0)
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// settleIn takes over the world from a snapshot. After an error nothing has changed.
func (n *node) settleIn(now world.Time, snapshot []byte) error {
	r := wire.NewReader(snapshot)
	state, err := latejoin.ReadState(&r, n.replica.State, n.replica.World.Users())
	if err != nil {
		return err
	}
	latest := mechanism.TickAt(now+skewMax, n.schema.Tick)
	if state.Tick() > latest || state.Tick() < mechanism.TickAt(now-ageMax, n.schema.Tick) {
		return errors.New("a snapshot of another time")
	}
	var entries []entry
	for id := world.ReadID(&r, 0); id != 0; id = world.ReadID(&r, id) {
		heard := r.UintMax(uint64(latest+1)<<1 | 1)
		entries = append(entries, entry{id: id, heard: world.Tick(heard>>1) - 1, since: state.Tick(), told: heard&1 != 0})
	}
	if err := r.Done(); err != nil {
		return err
	}
	n.newcomer = nil
	n.ledger.entries = entries
	n.replica.Restore(state)
	n.replica.State.SetDice(uint64(n.id))
	return nil
}
