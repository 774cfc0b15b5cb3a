package update

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"throng/world"
	"throng/world/wire"
)

// unitsMax is how many numbers an object can have on the wire: that of its owner's last action, and its variables.
const unitsMax = 1 + 6 + world.MaxAttributes

// units are an object's numbers as they cross the wire, in steps of their quanta. The first is the number of the last
// action of its owner that had been carried out. How many of them count follows from the kind.
type units [unitsMax]int64

// shape says which numbers the objects of a kind have.
type shape struct {
	fields []field
}

type field struct {
	slot    world.Slot
	quantum int64
	width   int // the most bytes that it takes on the wire while it keeps to its natural range
	bits    int // the most that the distance of two values takes then
}

func shapesOf(s *world.Schema) []shape {
	shapes := make([]shape, len(s.Kinds))
	for i := range s.Kinds {
		for _, v := range s.Kinds[i].Variables {
			quantum := max(v.Quantum, 1)
			shapes[i].fields = append(shapes[i].fields, field{v.Slot, quantum, widthOf(&v, quantum), bitsOf(&v, quantum)})
		}
	}
	return shapes
}

// widthOf is the most bytes that a variable takes as long as it keeps to its natural range.
func widthOf(v *world.Variable, quantum int64) int {
	if v.Type == world.Reference {
		return binary.MaxVarintLen64
	}
	steps := uint64(max(v.Min, -v.Min, v.Max, -v.Max))/uint64(quantum) + 1 // and one for rounding
	return (bits.Len64(steps) + 1 + 6) / 7                                 // seven bits to a byte, and one for the sign
}

// bitsOf is the most bits that the distance of two values takes then.
func bitsOf(v *world.Variable, quantum int64) int {
	if v.Type == world.Reference {
		return 64
	}
	return bits.Len64(uint64(v.Max-v.Min)/uint64(quantum) + 1)
}

// Largest is the most that an object takes in a datagram, whatever its numbers.
func Largest(s *world.Schema) int {
	most := 0
	for _, shape := range shapesOf(s) {
		most = max(most, 5+shape.wholeMax()+10*len(shape.fields))
	}
	return most
}

// CheckRoom returns an error if datagrams of a size do not have room for any object beside a header.
func CheckRoom(s *world.Schema, header, datagram int) error {
	if least := header + Largest(s); datagram < least {
		return fmt.Errorf("datagram: %d B cannot hold an object of the world %s; %d is the least", datagram, s.Name, least)
	}
	return nil
}

// wholeMax is the most that a whole object takes: its ID, kind, user and mask, and its numbers.
func (s *shape) wholeMax() int { return 10 + 3 + 5 + 3 + 5 + 10*len(s.fields) }

// count is how many units there are.
func (s *shape) count() int { return 1 + len(s.fields) }

// measure takes an object's numbers.
func (s *shape) measure(o *world.Object, action uint32, u []int64) {
	u[0] = int64(action)
	for i := range s.fields {
		f := &s.fields[i]
		n := o.Get(f.slot)
		if f.quantum > 1 {
			n = nearest(n, f.quantum)
		}
		u[i+1] = n
	}
}

// nearest is n in steps of q, rounded as the schema rounds.
func nearest(n, q int64) int64 {
	if n < 0 {
		return -((q/2 - n) / q)
	}
	return (n + q/2) / q
}

// restore sets an object's slots from its numbers.
func (s *shape) restore(u *units, o *world.Object) {
	for i := range s.fields {
		o.Set(s.fields[i].slot, u[i+1]*s.fields[i].quantum)
	}
}

// appendRest appends what rounding has taken from an object.
func (s *shape) appendRest(dst []byte, o *world.Object) []byte {
	for i := range s.fields {
		if f := &s.fields[i]; f.quantum > 1 {
			n := o.Get(f.slot)
			dst = wire.AppendInt(dst, n-nearest(n, f.quantum)*f.quantum)
		}
	}
	return dst
}

// readRest gives an object back what rounding has taken.
func (s *shape) readRest(r *wire.Reader, o *world.Object) {
	for i := range s.fields {
		f := &s.fields[i]
		if f.quantum == 1 {
			continue
		}
		rest := r.Int()
		if rest < -f.quantum/2-1 || rest > f.quantum/2+1 {
			r.Fail()
			return
		}
		o.Set(f.slot, o.Get(f.slot)+rest)
	}
}

// appendDelta appends what turns one object's numbers into another's.
func appendDelta(dst []byte, to, from []int64) []byte {
	var mask uint64
	for i := range to {
		if to[i] != from[i] {
			mask |= 1 << i
		}
	}
	dst = binary.AppendUvarint(dst, mask)
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		dst = binary.AppendVarint(dst, to[i]-from[i])
	}
	return dst
}

// readDelta adds to an object's first n numbers what appendDelta wrote.
func readDelta(r *wire.Reader, u *units, n int) {
	mask := r.Uint()
	if mask>>n != 0 {
		r.Fail()
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		u[bits.TrailingZeros64(mask)] += r.Int()
	}
	if u[0] < 0 || u[0] > 1<<32-1 {
		r.Fail()
	}
}
