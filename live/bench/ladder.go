//go:build linux

package main

import "math"

// ladder is numbers of users to try, each a twelfth above the one before.
type ladder struct {
	first int
	last  int // the number of the last rung
}

const (
	rungsPerDoubling = 8
	stride           = 4 // rungs at a time while it is not known yet where the limit lies
)

// crowds ends at some 11,000: connections are open files, in the server and in the load.
var crowds = ladder{first: 250, last: 44}

func (l ladder) rung(k int) int {
	return int(float64(l.first) * math.Exp2(float64(k)/rungsPerDoubling))
}

// climb asks for numbers on the ladder whether they are held, so that in the end one is that was and the next that was not:
// in long strides up or down from a guess, then by halves.
func (l ladder) climb(guess int, holds func(users int) (bool, error)) error {
	low, high := -1, l.last+1 // the highest that is held, the lowest that is not
	at := 0
	for l.rung(at) < guess && at < l.last {
		at++
	}
	for low+1 < high {
		held, err := holds(l.rung(at))
		if err != nil {
			return err
		}
		if held {
			low = at
		} else {
			high = at
		}
		switch {
		case high > l.last:
			at = min(low+stride, l.last)
		case low < 0:
			at = max(high-stride, 0)
		default:
			at = (low + high) / 2
		}
	}
	return nil
}
