package turn

import (
	"slices"

	"throng/world"
)

// turns is how many turns of a length it takes for a span to have passed.
func turns(span, length world.Time) Number { return Number(world.TicksIn(span, length)) }

// Delay is by how many turns the actions of somebody so far away are to be put off, so that they are with the one who
// orders them and back in time.
//
// It counts from the end of the turn in which the actions were taken, since that is when they can be ordered: those of
// turn k take effect in turn k+1+Delay at the earliest.
func Delay(oneWay, length world.Time) Number { return turns(2*oneWay, length) }

// Between is by how many turns what one server tells another is to be put off, so that it is there in time: it cannot tell
// before it has heard of it from the farthest of its clients.
func Between(clientOneWay, serverOneWay, length world.Time) Number {
	return turns(clientOneWay+serverOneWay, length)
}

// Fair raises the shorter of several delays so that none is shorter than the longest by more than gap turns. With a gap of
// zero all are equal.
func Fair(delays []Number, gap Number) {
	if len(delays) == 0 {
		return
	}
	least := slices.Max(delays) - gap
	for i := range delays {
		delays[i] = max(delays[i], least)
	}
}
