package sim

import (
	"throng/lab/churn"
	"throng/mechanism"
	"throng/world"
)

// Host is a place for a node: while somebody holds it, a node of the mechanism and a user if it has one, on a computer with a
// processor, a link and a clock.
type Host struct {
	Place  mechanism.Place
	Node   mechanism.Node   // nil while nobody holds the place
	Client mechanism.Client // nil where there is no user, or nobody

	*box    // where it is, or was last
	run     *Run
	machine *mechanism.Machine // nil while nobody holds the place
	session *mechanism.Session // that its node was made for
	record  []byte             // what its last node wrote down, which outlives it
	player  world.Player
	moves   uint16 // how often it was given another computer
	life    uint32 // counts the node's beginnings and ends: what was to be done in an earlier life is void
	frozen  bool
	leaving *churn.Event // that told it to leave, until it is gone
	moving  *churn.Event // on its way to another host
	group   *group       // its replicas, if it has any

	vacant world.Time // since when nobody holds the place, if nobody does
	absent world.Time // for how long nobody did before, since measuring began

	alarmAt  world.Time // when the node wants to be woken, by the run's clock
	alarmSet world.Time // the earliest wake-up in the queue
	alarmRef uint32     // which of the wake-ups in the queue is meant
}

// newHost returns a host that nobody holds yet.
func newHost(r *Run, p mechanism.Place) *Host {
	h := &Host{Place: p, run: r, alarmAt: world.Never, alarmSet: world.Never}
	h.box = r.boxes[r.setup.Timeline.Home(p.ID)-1]
	return h
}

// settleIn gives the host the node that holds its place from the beginning.
func (h *Host) settleIn() error {
	h.session = &h.run.session
	config, err := mechanism.Build(h.run.setup.Mechanism, h.session, h.Place)
	if err != nil {
		return err
	}
	if u := h.Place.User; u != 0 {
		config.Player = h.run.setup.World.Player(u, h.run.stream("player", uint64(u)))
	}
	h.occupy(config, 0)
	return nil
}

// Absent is for how long nobody has held the host's place, since measuring began.
func (h *Host) Absent() world.Time {
	if h.machine == nil {
		return h.absent + h.run.now - h.vacant
	}
	return h.absent
}

// SetPlayer has somebody else act for the host's user, before the run starts. It is for hosts with a user.
func (h *Host) SetPlayer(p world.Player) {
	h.player = p
	h.machine.SetPlayer(p)
}

// View is what the host's user sees, or nil where there is none.
func (h *Host) View() *world.State {
	if h.Client == nil {
		return nil
	}
	return h.Client.View()
}

// Session is what the host's node was told when it began.
func (h *Host) Session() *mechanism.Session { return h.session }

// Backlog is how many pieces of work wait for the processor.
func (h *Host) Backlog() int { return h.box.backlog.len() }

// take gives the node something to do: at once, or when the processor comes to it.
func (h *Host) take(it item) {
	if h.group != nil {
		h.group.take(it)
		return
	}
	it.host, it.life = h, h.life
	h.box.take(it)
}

// do carries out a piece of work and what the node wants done after it.
func (h *Host) do(it *item) {
	r := h.run
	if it.life != h.life {
		if it.kind == deliver {
			r.nobody(it.ref)
		}
		return
	}
	if it.kind == commit {
		h.group.do()
		return
	}
	r.out.Reset()
	local := h.clock.Local(r.now)
	switch it.kind {
	case deliver:
		m := r.mail.message(it.ref, h.Place.ID)
		h.received(m)
		h.machine.Receive(local, m, &r.out)
		r.mail.discard(it.ref)
		r.out.Charge(world.Work(h.hardware.Packet))
	case wake:
		if h.machine.WakeDue() > local {
			return // while it waited for the processor, the node has put it off
		}
		first := !h.machine.Started()
		h.machine.Wake(local, &r.out)
		if first {
			h.setPlay()
		}
	case act:
		h.machine.Act(local, it.action, &r.out)
	}
	h.finish()
}

// received tells observers of a datagram that the node takes.
func (h *Host) received(m mechanism.Message) {
	for _, o := range h.run.seen.packet {
		o.Received(h, m, h.run.setup.Hosts.wire(len(m.Payload)))
	}
}

// start has the node begin.
func (h *Host) start(life uint32) {
	switch {
	case life != h.life || !h.awake():
	case h.group != nil:
		h.group.begin()
	default:
		h.take(item{kind: wake})
	}
}

// finish does what the node left in the outbox.
func (h *Host) finish() {
	r := h.run
	done := r.now
	r.out.Charge(world.Work(h.hardware.Packet) * world.Work(r.out.Sends()))
	if work := r.out.Work(); work > 0 {
		for _, o := range r.seen.work {
			o.Worked(h, work)
		}
		done = h.box.work(work)
	}
	for i := range r.out.Sends() {
		r.dispatch(h, r.out.Message(i, h.Place.ID), done)
	}
	r.mail.forget()
	for _, o := range r.seen.item {
		for c, items := range r.out.Items() {
			if items > 0 {
				o.Told(h, mechanism.Class(c), items)
			}
		}
	}
	for _, e := range r.out.Events() {
		for _, o := range r.seen.event {
			o.Event(h, done, e)
		}
	}
	if at, asked := r.out.Wake(); asked {
		h.setAlarm(at)
	}
}

// setAlarm has the node woken at a time by its own clock. A wake-up already queued for earlier is left to find that it
// comes too soon; so a node that keeps putting off its wake-up does not fill the queue.
func (h *Host) setAlarm(local world.Time) {
	if local == world.Never {
		h.alarmAt = world.Never
		return
	}
	h.alarmAt = max(h.clock.Global(local), h.run.now)
	if h.alarmAt < h.alarmSet {
		h.queueAlarm()
	}
}

func (h *Host) queueAlarm() {
	h.alarmSet = h.alarmAt
	h.alarmRef++
	h.run.push(h.alarmAt, wake, event{host: uint32(h.Place.ID - 1), ref: h.alarmRef})
}

// alarm is called for every queued wake-up; only the latest queued one counts.
func (h *Host) alarm(ref uint32) {
	if ref != h.alarmRef {
		return
	}
	h.alarmSet = world.Never
	switch {
	case h.alarmAt <= h.run.now:
		h.alarmAt = world.Never
		h.take(item{kind: wake})
	case h.alarmAt != world.Never:
		h.queueAlarm()
	}
}

// play lets the user look and act.
func (h *Host) play(life uint32) {
	r := h.run
	if r.now > r.setup.Duration || life != h.life || h.machine == nil {
		return
	}
	actions := h.machine.Play(h.clock.Local(r.now))
	for i := range actions {
		for _, o := range r.seen.action {
			o.Acted(h, r.now, &actions[i])
		}
		h.take(item{kind: act, action: actions[i]})
	}
	h.setPlay()
}

// setPlay has the user look when it is time to.
func (h *Host) setPlay() {
	if at := h.machine.PlayDue(); at != world.Never {
		at = max(h.clock.Global(at), h.run.now)
		h.run.push(at, play, event{host: uint32(h.Place.ID - 1), ref: h.life})
	}
}
