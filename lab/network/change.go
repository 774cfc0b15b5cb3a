package network

import (
	"throng/world"
	"throng/world/fixed"
)

// Change is a time in which a network behaves otherwise than usual: some hosts cannot reach each other, or what goes between
// some is delayed or lost more often. It applies to packets sent from From on and before Until.
type Change struct {
	From, Until world.Time

	Sides [][]uint32 // of a partition: hosts that cannot reach those of other sides. Hosts on no side reach everybody

	// Otherwise: what is added to the packets between a host of A and one of B, in both directions. Without B all packets to
	// and from hosts of A are meant.
	A, B  []uint32
	Delay world.Time
	Loss  fixed.F
}
