//go:build linux

package main

import "math"

// The ladder of numbers of users: so many rungs until the number doubles.
const (
	rungsPerDoubling = 8
	firstRung        = 250
	lastRung         = 44 // some 11,000: connections are open files, in the server and in the load
	stride           = 4  // rungs at a time while it is not known yet where the limit lies
)

func rung(k int) int { return int(firstRung * math.Exp2(float64(k)/rungsPerDoubling)) }

// climb asks for numbers on the ladder whether they are held, so that in the end one is that was and the next that was not:
// in long strides up or down from a guess, then by halves.
func climb(guess int, holds func(users int) (bool, error)) error {
	low, high := -1, lastRung+1 // the highest that is held, the lowest that is not
	at := 0
	for rung(at) < guess && at < lastRung {
		at++
	}
	for low+1 < high {
		held, err := holds(rung(at))
		if err != nil {
			return err
		}
		if held {
			low = at
		} else {
			high = at
		}
		switch {
		case high > lastRung:
			at = min(low+stride, lastRung)
		case low < 0:
			at = max(high-stride, 0)
		default:
			at = (low + high) / 2
		}
	}
	return nil
}
