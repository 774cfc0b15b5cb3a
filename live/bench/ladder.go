//go:build linux

package main

// ladder is between which numbers of users the largest is looked for that is held.
type ladder struct{ first, last int }

// crowds end where connections do, which are open files in the server and in the load.
var crowds = ladder{first: 250, last: 11_300}

// grain is how close to each other a number that is held and one that is not are in the end: a part of so many.
const grain = 50

// climb asks for numbers of users whether they are held, so that in the end one is that was and one hardly larger that was not:
// in long strides up or down from a guess, then by halves.
func (l ladder) climb(guess int, holds func(users int) (bool, error)) error {
	low, high := 0, 0 // the highest that is held, the lowest that is not; zero for none
	at := min(max(guess, l.first), l.last)
	for {
		held, err := holds(at)
		if err != nil {
			return err
		}
		if held {
			low = at
		} else {
			high = at
		}
		switch {
		case low == l.last, high == l.first:
			return nil
		case high == 0:
			at = min(low*7/5, l.last)
		case low == 0:
			at = max(high*5/7, l.first)
		case high-low <= low/grain:
			return nil
		default:
			at = (low + high) / 2
		}
	}
}
