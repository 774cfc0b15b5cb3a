package optimistic

// seenSize is how many of a user's latest actions are told apart: as many as a link lets be under way.
const seenSize = 1024

// seen remembers which of a user's latest actions have come, by their numbers. It is for one epoch: each counts anew. Of
// actions older than that, as of earlier epochs, the history knows those that it holds.
type seen struct {
	epoch uint32
	top   uint32 // the highest number
	bits  [seenSize / 64]uint64
}

func (s *seen) bit(seq uint32) (word *uint64, mask uint64) {
	return &s.bits[seq/64%uint32(len(s.bits))], 1 << (seq % 64)
}

// has reports whether an action is known to have come before.
func (s *seen) has(epoch, seq uint32) bool {
	if epoch != s.epoch || seq > s.top || s.top-seq >= seenSize {
		return false
	}
	word, mask := s.bit(seq)
	return *word&mask != 0
}

// add notes that an action has come.
func (s *seen) add(epoch, seq uint32) {
	if epoch != s.epoch || seq < s.top && s.top-seq >= seenSize {
		return
	}
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
