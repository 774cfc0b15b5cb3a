package lockstep

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// A client without a world fetches a snapshot (newcomer is set), tells the server that it has one (it is joining), gets to the
// present by carrying out the turns since then as fast as it can (listening), and is in step with the others (playing).

// joinEvery is how often a client says that it has a snapshot until it is answered.
const joinEvery = 250 * world.Millisecond

// differencesKept is how many differences are told apart.
const differencesKept = 64

// fetch begins a life: the client needs a snapshot.
func (n *client) fetch() {
	n.presence.Begin()
	n.phase = absent
	n.mine.Reset()
	n.newcomer = latejoin.NewNewcomer(n.place.ID, n.session.Epoch, []mechanism.NodeID{star.Server})
}

// askFor asks for a part of the snapshot, if it is time to. Who repairs a replica asks for it as it was when it began to differ.
func (n *client) askFor(now world.Time, out *mechanism.Outbox) {
	tick := world.Tick(0)
	if n.wrong != nil {
		tick = n.wrong.Tick()
	}
	head := wire.AppendUint(append(n.buf[:0], kindAsk), uint64(tick))
	if to, ask := n.newcomer.Poll(now, head); to != 0 {
		n.say(now, mechanism.Control, ask, link.Unreliable, out)
	}
}

// receiveChunk takes a part of the snapshot, and with the last part the world.
func (n *client) receiveChunk(now world.Time, chunk []byte, out *mechanism.Outbox) (sound bool) {
	if n.newcomer == nil {
		return true // there is one already
	}
	snapshot, sound := n.newcomer.Receive(now, star.Server, chunk)
	if snapshot == nil {
		return sound
	}
	r := wire.NewReader(snapshot)
	epoch := uint32(r.UintMax(uint32Max))
	state, err := latejoin.ReadState(&r, n.session.Start, star.Users(n.world))
	if err != nil || r.Done() != nil {
		return false
	}
	n.settleIn(now, epoch, state, out)
	return true
}

// settleIn takes over the world from a snapshot.
func (n *client) settleIn(now world.Time, epoch uint32, state *world.State, out *mechanism.Outbox) {
	if n.wrong != nil {
		n.repair(state, out)
	}
	n.restart(state)
	n.newcomer, n.guide = nil, latejoin.Guide{}
	n.holds, n.under = false, epoch
	n.presence.Ask(now)
	n.link.Meet(star.Server, epoch)
}

// receiveWelcome takes note of what has become of what the user did in the last life.
func (n *client) receiveWelcome(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	w := readWelcome(r)
	if r.Done() != nil {
		return false
	}
	if w.life != n.presence.Identity.Life || !n.presence.Joining() {
		return true
	}
	n.presence.Enter(now)
	n.phase, n.heeded, n.until, n.delay = listening, now, w.until, w.delay
	taken := 0
	for _, seq := range n.pending {
		if seq > w.accepted {
			out.Report(mechanism.Event{Name: mechanism.Dropped, User: n.place.User, Seq: seq})
		} else {
			taken++
		}
	}
	n.pending = n.pending[:taken]
	return true
}

// receiveAgain takes note that the snapshot was too old when it was complete.
func (n *client) receiveAgain(r *wire.Reader) (sound bool) {
	life := uint32(r.UintMax(uint32Max))
	if r.Done() != nil {
		return false
	}
	if life == n.presence.Identity.Life && n.presence.Joining() {
		n.fetch()
	}
	return true
}

// catchUp lets some of the ticks pass that lie between the snapshot and the present. It returns whether there are more of
// them. Where the present is, a client knows only when it knows the server's time.
func (n *client) catchUp(now world.Time, out *mechanism.Outbox) (more bool) {
	for range latejoin.TicksMax {
		if n.tick() >= n.target(now) || n.missing() {
			if n.synced && n.batches.next >= n.until {
				n.arrive(now, out)
			}
			return false
		}
		n.tell(n.step(), true, out)
	}
	return true
}

// arrive ends the way to the present. What the user did in the last life and has not shown on the way was in the snapshot.
func (n *client) arrive(now world.Time, out *mechanism.Outbox) {
	n.phase, n.last, n.holds = playing, now, true
	for _, seq := range n.pending {
		n.report(n.place.User, seq, out)
	}
	n.pending = n.pending[:0]
}

// receiveDiffers finds out where the replica and the server's parted, and begins to repair it.
func (n *client) receiveDiffers(r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	d := readDiffers(r)
	if r.Done() != nil {
		return false
	}
	if n.phase != playing || d.tick > n.tick() {
		return true // it is not for this life
	}
	first := d.tick
	for i, hash := range d.hashes {
		tick := d.tick - world.Tick(len(d.hashes)-1-i)
		if s := n.trail.get(tick); s != nil && s.Hash() != hash {
			first = tick
			break
		}
	}
	out.Report(mechanism.Event{Name: mechanism.Differed, Value: int64(first)})
	if s := n.trail.get(first); s != nil {
		n.wrong = s.Clone()
	} else {
		n.wrong = n.follower.State().Clone()
	}
	n.holds = false
	n.fetch()
	return true
}

// repair finds out in what the replica differed.
func (n *client) repair(right *world.State, out *mechanism.Outbox) {
	objects := 0
	if n.wrong.Tick() == right.Tick() {
		n.found, objects = turn.Compare(n.wrong, right, differencesKept)
	}
	n.wrong.Release()
	n.wrong = nil
	out.Report(mechanism.Event{Name: mechanism.Repaired, Value: int64(objects)})
}
