package zonal

import (
	"throng/mechanism"
	"throng/world"
)

// A peer that hears nothing from its parent where it usually does doubts that the parent is there, long before it has missed three
// keep-alives and gives the parent up. Meanwhile it looks into its own zone as it does into others, so that it is not blind, and passes
// on to its children what it is told; the hybrid node gets what it and its children say. A doubt that proves wrong costs a moment
// of hearing everything twice.

// doubtMin is the shortest silence that is doubted.
const doubtMin = 200 * world.Millisecond

// hear notes that the parent has said something.
func (s *seat) hear(now world.Time) {
	s.usual = max(now-s.heard, s.usual-s.usual/8)
	s.heard = now
}

// silent reports whether the parent has said nothing for much longer than is usual.
func (s *seat) silent(now world.Time) bool { return now-s.heard > max(3*s.usual, doubtMin) }

// doubt looks into the peer's own zone while its parent is silent, and no longer when it is not.
func (n *peer) doubt(now world.Time, out *mechanism.Outbox) {
	if silent := n.seat.attached() && n.seat.silent(now); silent != n.seat.doubted {
		n.seat.doubted = silent
		n.lookAround(now, out)
	}
}

// fedByHybrid reports whether the hybrid node of the peer's zone stands in for a parent.
func (n *peer) fedByHybrid() bool {
	return !n.seat.attached() || n.seat.doubted && n.seat.zone == n.zone
}
