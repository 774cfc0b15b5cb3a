package update

import "math/bits"

// Lanes are how many degrees of importance there are. The first is for what cannot wait.
const Lanes = 5

// weights are how much a round of waiting counts in each lane.
var weights = [Lanes]uint32{1 << 16, 16, 8, 4, 2}

// queue holds what waits to be sent, by priority: the number of rounds since it was last looked at times its lane's
// weight. Whoever was looked at goes to the end of a lane, so that each lane is in the order of waiting and the highest
// priority is found at the head of one of them.
type queue struct {
	lanes  [Lanes]ring[ticket]
	fronts [Lanes]uint32 // the rounds of those at the heads, kept here so that comparing them touches little memory
	filled uint8         // which lanes are not empty, by bit
}

// ticket is a place in a lane.
type ticket struct {
	handle int32
	since  uint32 // the round in which it was last looked at
}

func (q *queue) push(lane int, handle int32, since uint32) {
	if q.lanes[lane].len() == 0 {
		q.fronts[lane] = since
		q.filled |= 1 << lane
	}
	q.lanes[lane].push(ticket{handle, since})
}

// head finds the lane whose head has the highest priority, and that priority: zero if all have been looked at in this round.
func (q *queue) head(round uint32) (best int, most uint32) {
	for lanes := q.filled; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros8(lanes)
		if priority := priorityOf(round-q.fronts[lane], lane); priority > most {
			best, most = lane, priority
		}
	}
	return best, most
}

// priorityOf is the priority of what has waited for some rounds. Some 4,000 are as good as for ever; more would overflow.
func priorityOf(waited uint32, lane int) uint32 { return min(waited, 1<<12) * weights[lane] }

// peek is the handle at the head of a lane, pop takes it off.
func (q *queue) peek(lane int) int32 { return q.lanes[lane].at(q.lanes[lane].first).handle }

func (q *queue) pop(lane int) {
	l := &q.lanes[lane]
	l.drop(l.first + 1)
	if l.len() == 0 {
		q.filled &^= 1 << lane
	} else {
		q.fronts[lane] = l.at(l.first).since
	}
}

func (q *queue) bytes() int {
	n := 0
	for i := range q.lanes {
		n += len(q.lanes[i].slots) * 8
	}
	return n
}
