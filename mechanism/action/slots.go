package action

import (
	"math/bits"
	"slices"
)

// slots is a set of members by their slots. Most entries and objects matter to a few of many: those are listed, so that a set
// takes the same room however many members there are. A large set is a bit for each.
type slots struct {
	few  []int32
	many []uint64 // none while they are few
}

// fewMax is how many members are listed.
const fewMax = 24

func (s *slots) has(i int) bool {
	if len(s.many) == 0 {
		return slices.Contains(s.few, int32(i))
	}
	return i>>6 < len(s.many) && s.many[i>>6]>>(i&63)&1 != 0
}

func (s *slots) add(i int) {
	switch {
	case len(s.many) > 0:
		s.set(i)
	case slices.Contains(s.few, int32(i)):
	case len(s.few) < fewMax:
		if cap(s.few) == 0 {
			s.few = make([]int32, 0, fewMax) // once and for all
		}
		s.few = append(s.few, int32(i))
	default:
		for _, k := range s.few {
			s.set(int(k))
		}
		s.few = s.few[:0]
		s.set(i)
	}
}

func (s *slots) set(i int) {
	for len(s.many) <= i>>6 {
		s.many = append(s.many, 0)
	}
	s.many[i>>6] |= 1 << (i & 63)
}

func (s *slots) remove(i int) {
	if k := slices.Index(s.few, int32(i)); k >= 0 {
		s.few = slices.Delete(s.few, k, k+1)
	}
	if i>>6 < len(s.many) {
		s.many[i>>6] &^= 1 << (i & 63)
	}
}

func (s *slots) clear() { s.few, s.many = s.few[:0], s.many[:0] }

// copy makes the set equal to another.
func (s *slots) copy(o *slots) {
	s.few = append(s.few[:0], o.few...)
	s.many = append(s.many[:0], o.many...)
}

// lowest returns the lowest member, or none.
func (s *slots) lowest() int {
	for i, word := range s.many {
		if word != 0 {
			return i<<6 + bits.TrailingZeros64(word)
		}
	}
	if len(s.few) > 0 {
		return int(slices.Min(s.few))
	}
	return none
}

// several reports whether there is more than one member.
func (s *slots) several() bool {
	n := len(s.few)
	for _, word := range s.many {
		n += bits.OnesCount64(word)
	}
	return n > 1
}

// list appends the members to dst.
func (s *slots) list(dst []int) []int {
	for _, i := range s.few {
		dst = append(dst, int(i))
	}
	for i, word := range s.many {
		for ; word != 0; word &= word - 1 {
			dst = append(dst, i<<6+bits.TrailingZeros64(word))
		}
	}
	return dst
}
