package optimistic

// seenSize is how many of a user's latest actions are told apart. It is as many as a link lets be under way, so that an
// older one cannot be news.
const seenSize = 1024

// seen remembers which of a user's latest actions have come, by their numbers.
type seen struct {
	top  uint32 // the highest number
	bits [seenSize / 64]uint64
}

func (s *seen) bit(seq uint32) (word *uint64, mask uint64) {
	return &s.bits[seq/64%uint32(len(s.bits))], 1 << (seq % 64)
}

// has reports whether an action has come before, or is too old to tell.
func (s *seen) has(seq uint32) bool {
	if seq > s.top {
		return false
	}
	word, mask := s.bit(seq)
	return s.top-seq >= seenSize || *word&mask != 0
}

// add notes that an action has come.
func (s *seen) add(seq uint32) {
	if seq > s.top {
		if seq-s.top >= seenSize {
			s.bits = [len(s.bits)]uint64{}
			s.top = seq - 1
		}
		for ; s.top < seq; s.top++ {
			word, mask := s.bit(s.top + 1)
			*word &^= mask
		}
	}
	word, mask := s.bit(seq)
	*word |= mask
}
