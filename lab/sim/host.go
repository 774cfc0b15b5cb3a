package sim

import (
	"math/bits"

	"throng/lab/network"
	"throng/mechanism"
	"throng/world"
)

// Host is one machine: a node of the mechanism with a processor, a link and a clock, and a user if it has one.
type Host struct {
	Place  mechanism.Place
	Node   mechanism.Node
	Client mechanism.Client // nil where there is no user

	run      *Run
	hardware Hardware
	clock    network.Clock
	up, down network.Link
	player   world.Player
	acts     uint32         // how often the user has acted
	wants    []world.Action // what the user decided in this tick
	want     func(world.Action)

	alarmAt  world.Time // when the node wants to be woken, by the run's clock
	alarmSet world.Time // the earliest wake-up in the queue
	alarmRef uint32     // which of the wake-ups in the queue is meant
	nextTick world.Time // when the node's next tick is due, by its own clock

	busyUntil world.Time
	backlog   backlog

	touched bool // datagrams may have changed the view since before was taken
	before  *world.State
}

// item is a piece of work for a host.
type item struct {
	kind   kind
	ref    uint32
	action world.Action
}

func newHost(r *Run, p mechanism.Place) (*Host, error) {
	node, err := r.setup.Mechanism.NewNode(&r.session, p)
	if err != nil {
		return nil, err
	}
	h := &Host{Place: p, Node: node, run: r, alarmAt: world.Never, alarmSet: world.Never}
	h.hardware = r.setup.Hosts.Of(p.Role)
	h.up, h.down = h.hardware.Links()
	h.clock = h.hardware.Clock.Clock(r.setup.Seed, uint32(p.ID))
	if c, ok := node.(mechanism.Client); ok && p.User != 0 {
		h.Client = c
		h.player = r.setup.World.Player(p.User, r.stream("player", uint64(p.User)))
		h.want = h.decide
	}
	return h, nil
}

// View is what the host's user sees, or nil where there is none.
func (h *Host) View() *world.State {
	if h.Client == nil {
		return nil
	}
	return h.Client.View()
}

// Backlog is how many pieces of work wait for the processor.
func (h *Host) Backlog() int { return h.backlog.len() }

// take gives the host a piece of work: at once, or when its processor comes to it.
func (h *Host) take(it item) {
	if h.busyUntil <= h.run.now && h.backlog.len() == 0 {
		h.do(&it)
		return
	}
	if it.kind == deliver && h.backlog.len() >= h.hardware.Backlog {
		h.run.lost.Host++
		h.run.mail.discard(it.ref)
		return
	}
	if h.backlog.len() == 0 {
		h.run.push(h.busyUntil, resume, event{host: uint32(h.Place.ID - 1)})
	}
	h.backlog.push(it)
}

// resume goes on with the backlog until it is empty or the processor is busy again.
func (h *Host) resume() {
	for h.backlog.len() > 0 {
		if h.busyUntil > h.run.now {
			h.run.push(h.busyUntil, resume, event{host: uint32(h.Place.ID - 1)})
			return
		}
		it := h.backlog.pop()
		h.do(&it)
	}
}

// do carries out a piece of work and what the node wants done after it.
func (h *Host) do(it *item) {
	r := h.run
	r.out.Reset()
	local := h.clock.Local(r.now)
	switch it.kind {
	case deliver:
		m := r.mail.message(it.ref, h.Place.ID)
		h.touch()
		for _, o := range r.seen.packet {
			o.Received(h, m, r.setup.Hosts.wire(len(m.Payload)))
		}
		h.Node.Receive(local, m, &r.out)
		r.mail.discard(it.ref)
	case wake:
		h.wake(local)
	case act:
		h.settle()
		h.Client.Act(local, it.action, &r.out)
	}
	h.finish()
}

func (h *Host) wake(local world.Time) {
	if local >= h.nextTick {
		h.settle()
		h.nextTick = (local/h.run.tick + 1) * h.run.tick
	} else {
		h.touch()
	}
	h.Node.Wake(local, &h.run.out)
}

// finish does what the node left in the outbox.
func (h *Host) finish() {
	r := h.run
	done := r.now
	if work := r.out.Work(); work > 0 {
		for _, o := range r.seen.work {
			o.Worked(h, work)
		}
		if speed := h.hardware.CPU; speed > 0 {
			done = r.now + timeFor(work, speed)
			h.busyUntil = done
		}
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

// timeFor is how long work takes at a speed in units of work per second.
func timeFor(work world.Work, speed int64) world.Time {
	high, low := bits.Mul64(uint64(work), uint64(world.Second))
	if high >= uint64(speed) {
		return world.Never / 2
	}
	t, _ := bits.Div64(high, low, uint64(speed))
	return world.Time(t)
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
	case ref == 0 || h.alarmAt <= h.run.now: // zero is the node's start
		h.alarmAt = world.Never
		h.take(item{kind: wake})
	case h.alarmAt != world.Never:
		h.queueAlarm()
	}
}

// play lets the user look and act.
func (h *Host) play() {
	r := h.run
	if r.now > r.setup.Duration {
		return
	}
	h.wants = h.wants[:0]
	now := h.clock.Local(r.now) / r.tick
	if !world.Waits(h.player, world.Tick(now)) {
		h.player.Play(world.View{State: h.Client.View(), User: h.Place.User, Lag: mechanism.Lag(h.Client)}, h.want)
	}
	for i := range h.wants {
		a := &h.wants[i]
		for _, o := range r.seen.action {
			o.Acted(h, r.now, a)
		}
		h.take(item{kind: act, action: *a})
	}
	r.push(h.clock.Global((now+1)*r.tick), play, event{host: uint32(h.Place.ID - 1)})
}

// decide takes what the user wants to do, to be done when the user has finished looking.
func (h *Host) decide(a world.Action) {
	h.acts++
	a.User, a.Seq = h.Place.User, h.acts
	h.wants = append(h.wants, a)
}

// touch remembers the view before datagrams change it.
func (h *Host) touch() {
	if h.touched || h.Client == nil || len(h.run.seen.jump) == 0 {
		return
	}
	h.touched = true
	if h.before == nil {
		h.before = h.Client.View().Clone()
		return
	}
	h.before.CopyFrom(h.Client.View())
}

// settle tells how the view has changed since touch: the node is about to change it for reasons of its own.
func (h *Host) settle() {
	if !h.touched {
		return
	}
	h.touched = false
	for _, o := range h.run.seen.jump {
		o.Jump(h, h.before, h.Client.View())
	}
	h.before.Release()
}
