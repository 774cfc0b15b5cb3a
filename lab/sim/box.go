package sim

import (
	"throng/lab/network"
	"throng/world"
)

// box is the hardware that nodes run on: a processor, a link to the network and a clock. Usually a node has one to itself;
// those of one process share one.
type box struct {
	number   uint32 // by which the network knows it, from 1
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
		b := &box{number: uint32(i + 1), hardware: r.setup.Hosts.Of(role)}
		b.up, b.down = b.hardware.Links()
		b.clock = b.hardware.Clock.Clock(r.setup.Seed, b.number)
		r.boxes = append(r.boxes, b)
	}
}
