package bus

import (
	"errors"

	"throng/world"
)

// span is a range of users' numbers.
type span struct {
	first, last world.User
}

func (s span) holds(u world.User) bool { return s.first <= u && u <= s.last }

const (
	// spanSize is how many users a process may admit that are not places taken again after somebody left: more than it
	// has seats, by default.
	spanSize = 1 << 14

	// spanLeast is how large a rest is kept for the next process.
	spanLeast = 1 << 11

	// spanSkip is how many numbers a process may have given to users that it did not live to tell of.
	spanSkip = 1 << 8
)

var errNumbers = errors.New("all numbers for users have been given out; the world has to begin anew for further processes")

// numbers hands out users' numbers so that no two processes admit the same user.
type numbers struct {
	all   span   // those never handed out
	rests []span // what processes that are gone have left
}

// take returns a range for a process.
func (n *numbers) take() (span, error) {
	if last := len(n.rests) - 1; last >= 0 {
		s := n.rests[last]
		n.rests = n.rests[:last]
		return s, nil
	}
	if n.all.first > n.all.last {
		return span{}, errNumbers
	}
	s := span{n.all.first, min(n.all.last, n.all.first+spanSize-1)}
	n.all.first = s.last + 1
	return s, nil
}

// giveBack takes the range of a process that is gone; highest is the last number that it is known to have given to somebody,
// zero for none. Numbers up to there stay with whoever takes these users over.
func (n *numbers) giveBack(s span, highest world.User) {
	if highest >= s.first {
		s.first = highest + 1 + spanSkip
	}
	if s.last >= s.first+spanLeast-1 {
		n.rests = append(n.rests, s)
	}
}
