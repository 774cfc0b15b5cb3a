package sim

import (
	"math/bits"
	"slices"

	"throng/lab/network"
	"throng/world"
)

// box is the hardware that nodes run on: a processor, a link to the network and a clock. Usually a node has one to itself;
// those of one process share one.
type box struct {
	number   uint32 // by which the network knows it, from 1
	run      *Run
	hardware Hardware
	clock    network.Clock
	up, down network.Link

	busyUntil world.Time
	backlog   backlog
}

// addBoxes sets up all hardware that there ever is: nodes come to it and go.
func (r *Run) addBoxes() {
	roles := r.setup.Timeline.Hosts
	if roles == nil {
		for _, p := range r.session.Places {
			roles = append(roles, p.Role)
		}
	}
	for i, role := range roles {
		b := &box{number: uint32(i + 1), run: r, hardware: r.setup.Hosts.Of(role)}
		b.up, b.down = b.hardware.Links()
		b.clock = b.hardware.Clock.Clock(r.setup.Seed, b.number)
		r.boxes = append(r.boxes, b)
	}
}

// Limited reports whether any host's link has a bandwidth.
func (r *Run) Limited() bool {
	return slices.ContainsFunc(r.boxes, func(b *box) bool { return b.hardware.Up > 0 || b.hardware.Down > 0 })
}

// Offered returns how long it takes to transmit all that a host's link has been given so far in each direction, see [network.Link].
func (h *Host) Offered() (up, down world.Time) { return h.box.up.Offered(), h.box.down.Offered() }

// item is a piece of work for a box. It is void if the node's life that it was for is over.
type item struct {
	kind   kind
	ref    uint32
	life   uint32
	host   *Host
	action world.Action
}

// take gives the box a piece of work: at once, or when its processor comes to it.
func (b *box) take(it item) {
	r := b.run
	if b.busyUntil <= r.now && b.backlog.len() == 0 {
		it.host.do(&it)
		return
	}
	if it.kind == deliver && b.backlog.len() >= b.hardware.Backlog {
		r.lost.Host++
		r.mail.discard(it.ref)
		return
	}
	if b.backlog.len() == 0 {
		b.resumeLater()
	}
	b.backlog.push(it)
}

// resume goes on with the backlog until it is empty or the processor is busy again.
func (b *box) resume() {
	for b.backlog.len() > 0 {
		if b.busyUntil > b.run.now {
			b.resumeLater()
			return
		}
		it := b.backlog.pop()
		it.host.do(&it)
	}
}

func (b *box) resumeLater() { b.run.push(b.busyUntil, resume, event{host: b.number - 1}) }

// work keeps the processor busy and returns when it is done.
func (b *box) work(w world.Work) world.Time {
	if b.hardware.CPU <= 0 {
		return b.run.now
	}
	b.busyUntil = b.run.now + timeFor(w, b.hardware.CPU)
	return b.busyUntil
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
