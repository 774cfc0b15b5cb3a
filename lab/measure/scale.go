package measure

import (
	"throng/mechanism"
	"throng/world"
)

// scale is how one variable counts: its differences relative to its natural range, and its weight.
type scale struct {
	slot   world.Slot
	unit   float64 // one over the range
	weight float64
	jump   float64 // the weight of its sudden changes
}

// scales lists, for every kind, the variables that count.
type scales struct {
	kinds  [][]scale
	weight []float64 // the sum over a kind's variables
	jump   []float64
}

func newScales(schema *world.Schema) scales {
	n := len(schema.Kinds)
	s := scales{make([][]scale, n), make([]float64, n), make([]float64, n)}
	for k := range schema.Kinds {
		for _, v := range schema.Kinds[k].Variables {
			if v.Weight == 0 || v.Max <= v.Min { // a reference has no range to be measured against
				continue
			}
			sc := scale{slot: v.Slot, unit: 1 / (float64(v.Max) - float64(v.Min)), weight: float64(v.Weight)}
			if !v.Smooth {
				sc.jump = sc.weight
			}
			s.kinds[k] = append(s.kinds[k], sc)
			s.weight[k] += sc.weight
			s.jump[k] += sc.jump
		}
	}
	return s
}

// of is the weight of all that a view shows and its host holds: of sudden changes, and of any.
func (s *scales) of(view *world.State, part mechanism.Holder) (jumps, weights float64) {
	for o := range view.All() {
		if holds(part, o.ID) {
			jumps += s.jump[o.Kind]
			weights += s.weight[o.Kind]
		}
	}
	return jumps, weights
}

// holds reports whether a client's view of an object counts: where the mechanism replicates only part of the world, a node
// says what it holds.
func holds(part mechanism.Holder, id world.ID) bool { return part == nil || part.Holds(id) }
