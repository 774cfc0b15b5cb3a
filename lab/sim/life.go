package sim

import (
	"fmt"

	"throng/lab/churn"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

// change carries out an event of the timeline, and has the next one happen in its time.
func (r *Run) change(number uint32) {
	events := r.setup.Timeline.Events
	if next := number + 1; int(next) < len(events) {
		r.push(events[next].At, change, event{ref: next})
	}
	e := &events[number]
	for _, o := range r.seen.timeline {
		o.Happened(r.now, e)
	}
	switch {
	case e.Kind == churn.Limit:
		b := r.boxes[e.Host-1]
		b.up.Limit(r.now, e.Up)
		b.down.Limit(r.now, e.Down)
	case !e.Kind.OfNetwork():
		r.hosts[e.Node-1].change(e)
	}
}

// change carries out an event that is about the host's node.
func (h *Host) change(e *churn.Event) {
	if h.group != nil && h.group.change(e) {
		return
	}
	switch {
	case e.Kind.Starts():
		if h.leaving != nil {
			h.stop(h.leaving) // its time is over before it was
		}
		h.stop(e)
		h.begin(e)
	case h.machine == nil:
	case e.Kind == churn.Leave:
		h.leave(e)
	case e.Kind == churn.Crash:
		h.stop(e)
	case e.Kind == churn.Move:
		h.move(e)
	case e.Kind == churn.Freeze:
		h.freeze(e)
	case e.Kind == churn.Thaw && h.frozen:
		h.thaw(e)
	case e.Kind == churn.Gather:
		if g, ok := h.player.(world.Gatherer); ok {
			g.Gather(e.Spot, mechanism.TickAt(e.Until, h.run.tick))
		}
	}
}

// move takes the node to another host, with all that it holds: it stands still while that is on its way, over both hosts' links. If
// that takes too long it begins anew there.
func (h *Host) move(e *churn.Event) {
	r := h.run
	to, size := r.boxes[e.Host-1], 0
	if s, ok := h.Node.(mechanism.Sized); ok {
		size = s.Bytes()
	}
	span := max(h.box.up.Takes(size), to.down.Takes(size))
	if span > e.Grace {
		anew := *e
		anew.Kind = churn.Return
		h.change(&anew)
		return
	}
	h.freeze(e)
	h.settle(to)
	h.moving = e
	r.push(r.now+span, arrived, event{host: uint32(h.Place.ID - 1), ref: h.life})
}

// arrive has a node go on that was moved.
func (h *Host) arrive(life uint32) {
	if e := h.moving; life == h.life && e != nil {
		h.moving = nil
		h.thaw(e)
	}
}

// settle has the host's node run on a box.
func (h *Host) settle(b *box) {
	if b != h.box {
		h.box = b
		h.moves++
	}
}

// begin builds a node that takes the host's place while the run is under way. It starts at this very instant, when everything
// else has changed that changes now.
func (h *Host) begin(e *churn.Event) {
	r := h.run
	h.settle(r.boxes[e.Host-1])
	h.session = r.session.Join(h.Place, e.Epoch)
	h.session.Record = h.record
	config, err := mechanism.Build(r.setup.Mechanism, h.session, h.Place)
	if err != nil {
		r.err = fmt.Errorf("at %v, %q: %w", r.now, r.setup.Timeline.Statements[e.Cause], err)
		return
	}
	config.Enter = true
	if u := h.Place.User; u != 0 {
		config.Player = r.setup.World.Player(u, random.New(r.setup.Seed, "player", uint64(u), uint64(e.Epoch)))
	}
	h.occupy(config, r.now)
	h.told(e, LifeObserver.Started)
	r.push(r.now, start, event{host: uint32(h.Place.ID - 1), ref: h.life})
}

// occupy gives the host a node that starts at a time of the run.
func (h *Host) occupy(config mechanism.MachineConfig, at world.Time) {
	h.absent = h.Absent()
	config.Start = h.clock.Local(at)
	h.machine, h.player = mechanism.NewMachine(config), config.Player
	h.Node, h.Client = config.Node, h.machine.Client()
	if len(h.run.setup.Timeline.Standbys[h.Place.ID]) > 0 {
		h.group = newGroup(h)
	}
}

// leave has the node say goodbye. It goes on for as long as it is given.
func (h *Host) leave(e *churn.Event) {
	r := h.run
	if !h.frozen {
		r.out.Reset()
		if h.machine.Goodbye(h.clock.Local(r.now), &r.out) {
			h.finish()
		}
	}
	if e.Grace == 0 {
		h.stop(e)
		return
	}
	h.leaving = e
	r.push(r.now+e.Grace, expire, event{host: uint32(h.Place.ID - 1), ref: h.life})
}

// expire ends a node whose grace is over.
func (h *Host) expire(life uint32) {
	if life == h.life && h.leaving != nil {
		h.stop(h.leaving)
	}
}

// stop ends the node, and with it all that waits for it here. What was handed to the link still goes out.
func (h *Host) stop(e *churn.Event) {
	if h.machine == nil {
		return
	}
	h.told(e, LifeObserver.Stopped)
	if n, ok := h.Node.(mechanism.Recorded); ok {
		h.record = n.Record(h.record[:0])
	}
	h.machine.Stop()
	h.halt()
	h.vacant = h.run.now
	h.machine, h.player, h.leaving, h.moving, h.frozen, h.group = nil, nil, nil, nil, false, nil
	h.Node, h.Client = nil, nil
}

// freeze stops the node and keeps it.
func (h *Host) freeze(e *churn.Event) {
	if h.frozen {
		return
	}
	h.told(e, LifeObserver.Stopped)
	h.halt()
	h.frozen = true
}

// thaw lets a frozen node go on. What fell due meanwhile comes now.
func (h *Host) thaw(e *churn.Event) {
	h.frozen = false
	h.told(e, LifeObserver.Started)
	h.setAlarm(h.machine.WakeDue())
	h.setPlay()
}

// halt voids everything that is still to be done for the node.
func (h *Host) halt() {
	h.life++
	h.disarm()
}

// disarm forgets when the node wanted to be woken.
func (h *Host) disarm() {
	h.alarmRef++
	h.alarmAt, h.alarmSet = world.Never, world.Never
}

// Frozen reports whether the host's node stands still, with its memory.
func (h *Host) Frozen() bool { return h.frozen }

// awake reports whether there is a node that can take something.
func (h *Host) awake() bool { return h.machine != nil && !h.frozen }

func (h *Host) told(e *churn.Event, what func(LifeObserver, *Host, world.Time, *churn.Event)) {
	for _, o := range h.run.seen.life {
		what(o, h, h.run.now, e)
	}
}
