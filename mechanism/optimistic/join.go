package optimistic

import (
	"errors"
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/wire"
)

// A newcomer is first without a world (newcomer is set), then on its way to the present (only cover is), and then ready.

// Ready implements mechanism.Arriving.
func (n *node) Ready() bool { return n.cover == nil }

// fetch asks for a snapshot, if it is time to.
func (n *node) fetch(now world.Time, out *mechanism.Outbox) {
	to, ask := n.newcomer.Poll(now, append(n.buf[:0], controlAsk))
	if n.buf = ask; to != 0 {
		n.link.Send(now, to, mechanism.Control, ask, link.Unreliable, out)
	}
}

// guideNewcomer answers a node that asks for a snapshot.
func (n *node) guideNewcomer(now world.Time, to mechanism.NodeID, ask []byte, out *mechanism.Outbox) (sound bool) {
	write := n.appendSnapshot
	if !n.Ready() {
		write = nil
	}
	return n.guide.Answer(now, to, ask, write, func(chunk []byte) {
		n.link.Send(now, to, mechanism.Snapshot, chunk, link.Unreliable, out)
	})
}

// takeChunk takes a part of the snapshot, and with the last part the world.
func (n *node) takeChunk(now world.Time, m mechanism.Message) (sound bool) {
	if n.newcomer == nil {
		return true // there is one already
	}
	snapshot, sound := n.newcomer.Receive(now, m.From, m.Payload)
	if snapshot == nil {
		return sound
	}
	return n.settleIn(now, snapshot) == nil
}

// appendSnapshot writes all that another node needs to be like this one: the oldest checkpoint, and what happened since.
func (n *node) appendSnapshot(dst []byte) []byte {
	dst = n.checkpoints.states[0].State().Append(dst)
	dst = wire.AppendUint(dst, uint64(n.history.count))
	last := n.history.first
	for t, x := range n.history.all() {
		dst = wire.AppendUint(dst, uint64(t-last))
		dst = wire.AppendUint(dst, uint64(x.epoch))
		dst = world.AppendAction(dst, &x.action)
		last = t
	}
	return dst
}

// settleIn takes over the world from a snapshot. After an error nothing has changed.
func (n *node) settleIn(now world.Time, snapshot []byte) error {
	r := wire.NewReader(snapshot)
	state, err := latejoin.ReadState(&r, n.session.Start, n.session.World.Users())
	if err != nil {
		return err
	}
	first, present := state.Tick(), mechanism.TickAt(now, n.length)
	if first > present || first < present-3*n.ahead {
		return errors.New("a snapshot of another time")
	}
	h := newHistory(4*n.ahead + 1)
	h.first = first
	if err := n.readInputs(&r, &h, present+n.ahead); err != nil {
		return err
	}
	n.joined = present
	n.inhabit(now, state, h)
	return nil
}

// restart begins the world again, now.
func (n *node) restart(now world.Time, out *mechanism.Outbox) {
	state := n.session.Start.Detach()
	state.SetTick(mechanism.TickAt(now, n.length))
	h := newHistory(3*n.ahead + 1)
	h.first = state.Tick()
	n.inhabit(now, state, h)
	out.Report(mechanism.Event{Name: mechanism.Restarted})
}

// inhabit makes a state, with what happened since, the node's world. It remains to get to the present, and to compare.
func (n *node) inhabit(now world.Time, state *world.State, h history) {
	n.history, n.tick = h, h.first
	n.replica.Restart(state)
	n.checkpoints.close()
	n.checkpoints = newCheckpoints(n.checkpoints.max, n.checkpoints.reach, n.replica)
	n.doAll()
	n.newcomer = nil
	n.strangers, n.compareAt = slices.Clone(n.others), now
}

// readInputs reads the inputs of a snapshot into an empty history. None may be for a tick beyond last.
func (n *node) readInputs(r *wire.Reader, h *history, last world.Tick) error {
	t := h.first
	for count := r.UintMax(latejoin.SizeMax); count > 0 && !r.Failed(); count-- {
		t += world.Tick(r.UintMax(uint64(last - t)))
		epoch := uint32(r.UintMax(epochMax))
		a := world.ReadAction(r)
		if r.Failed() || !n.believable(&a, epoch) {
			return wire.ErrMalformed
		}
		if _, v := h.insert(t, &a, epoch); v != appended {
			return wire.ErrMalformed
		}
	}
	return r.Done()
}

// believable reports whether a user can have taken an action in an epoch. The node's own user has taken none in its own.
func (n *node) believable(a *world.Action, epoch uint32) bool {
	return a.User >= 1 && a.User <= n.session.World.Users() && n.session.World.Schema().CheckAction(a) == nil &&
		(a.User != n.place.User || epoch < n.session.Epoch)
}

// catchUp lets some of the ticks pass that lie between the snapshot and the present.
func (n *node) catchUp(now world.Time) {
	present := mechanism.TickAt(now, n.length)
	for range latejoin.TicksMax {
		if n.tick >= present {
			n.cover.Release()
			n.cover = nil
			return
		}
		n.step()
	}
}
