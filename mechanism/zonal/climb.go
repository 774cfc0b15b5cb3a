package zonal

import (
	"slices"

	"throng/mechanism"
	"throng/world"
)

// climb is the way to a parent: asking the hybrid node who could be one, measuring the round trips to those, and turning to the
// nearest that takes the node in. A node that has lost its parent and has a backup begins with the last step.
type climb struct {
	phase      phase
	aim        aim
	zone       int
	number     uint64     // of the bond that it is to become
	began      world.Time // when the node needed a parent
	due        world.Time // when to do something about the silence
	tries      int        // how often the present step was tried
	asked      world.Time // when round trips began to be measured
	candidates []candidate
	at         int // which of them is asked to be the parent
}

// candidate is somebody who could be a parent.
type candidate struct {
	id    mechanism.NodeID
	trip  world.Time // there and back; never if it has not answered
	taken bool       // it has no room
}

type phase uint8

const (
	resting phase = iota
	asking
	probing
	attaching
)

// aim is what a climb is for.
type aim uint8

const (
	joining    aim = iota // a zone's tree
	activating            // the backup parent
	reserving             // a backup parent for later
)

const (
	probeMax = 500 * world.Millisecond // how long answers are waited for
	retry    = 100 * world.Millisecond // after which one who found no room asks again
	askMax   = 2 * world.Second        // the longest time between two questions
)

// answered notes a candidate's answer, and reports whether enough have been heard: all, or two and those that are missing take three
// times as long as the nearest.
func (c *climb) answered(now world.Time, id mechanism.NodeID, room bool) (enough bool) {
	heard, best := 0, world.Never
	for i := range c.candidates {
		x := &c.candidates[i]
		if x.id == id && x.trip == world.Never {
			x.trip, x.taken = now-c.asked, !room
		}
		if x.trip != world.Never {
			heard++
			best = min(best, x.trip)
		}
	}
	return heard == len(c.candidates) || heard >= 2 && now-c.asked >= 3*best
}

// rank sorts candidates by their round trips; those that have not answered, or have no room, are left out.
func (c *climb) rank() {
	c.candidates = slices.DeleteFunc(c.candidates, func(x candidate) bool { return x.trip == world.Never || x.taken })
	slices.SortStableFunc(c.candidates, func(a, b candidate) int { return int(min(max(a.trip-b.trip, -1), 1)) })
	c.at = 0
}

// target is the candidate that is asked to be the parent now, or zero.
func (c *climb) target() mechanism.NodeID {
	if c.phase != attaching || c.at >= len(c.candidates) {
		return 0
	}
	return c.candidates[c.at].id
}

// second is the candidate that is nearest besides one, or zero.
func (c *climb) second(than mechanism.NodeID) candidate {
	for _, x := range c.candidates {
		if x.id != than && !x.taken {
			return x
		}
	}
	return candidate{}
}

// next is when something is to be done.
func (c *climb) next() world.Time {
	if c.phase == resting {
		return world.Never
	}
	return c.due
}
