package world

import "math/bits"

// Odd constants with well-mixed bits.
const (
	mixA = 0x9e3779b97f4a7c15
	mixB = 0xbf58476d1ce4e5b9
	mixC = 0x94d049bb133111eb
)

// Hash is a fingerprint of the whole state: equal states have equal hashes on every machine, and different ones almost
// surely different ones. It guards against mistakes, not against somebody who looks for collisions. Pages that have not
// changed since they were last hashed are not read again.
func (s *State) Hash() uint64 {
	var sum uint64
	for _, r := range s.pages {
		known := &s.pool.sums[r.page]
		if known.stamp != r.stamp {
			known.stamp, known.hash = r.stamp, 0
			objects := s.pool.page(r.page)
			for i := range int(r.n) {
				// A sum, so that the hash does not depend on how objects are spread over pages.
				known.hash += objects[i].hash()
			}
		}
		sum += known.hash
	}
	return fold(sum^mixA, uint64(s.tick)^mixB) ^ fold(s.seed^mixC, uint64(s.count)^mixA)
}

func (o *Object) hash() uint64 {
	h := fold(uint64(o.ID)^mixA, uint64(o.User)<<16^uint64(o.Kind)^mixB)
	h = fold(h^uint64(o.Pos.X), uint64(o.Pos.Y)^mixC)
	h = fold(h^uint64(o.Pos.Z), uint64(o.Vel.X)^mixA)
	h = fold(h^uint64(o.Vel.Y), uint64(o.Vel.Z)^mixB)
	for i := 0; i < MaxAttributes; i += 2 {
		h = fold(h^uint64(o.Attr[i]), uint64(o.Attr[i+1])^mixC)
	}
	return h
}

// fold mixes two numbers into one by the two halves of their product.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low ^ a
}
