package measure

import "throng/world"

// scale is how one variable counts: its differences relative to its natural range, and its weight.
type scale struct {
	slot   world.Slot
	unit   float64 // one over the range
	weight float64
}

// scales lists, for every kind, the variables that count.
type scales struct {
	kinds  [][]scale
	weight []float64 // the sum over a kind's variables
}

func newScales(schema *world.Schema) scales {
	s := scales{make([][]scale, len(schema.Kinds)), make([]float64, len(schema.Kinds))}
	for k := range schema.Kinds {
		for _, v := range schema.Kinds[k].Variables {
			if v.Weight > 0 {
				s.kinds[k] = append(s.kinds[k], scale{v.Slot, 1 / (float64(v.Max) - float64(v.Min)), float64(v.Weight)})
				s.weight[k] += float64(v.Weight)
			}
		}
	}
	return s
}

// total is the weight of everything in a state.
func (s *scales) total(state *world.State) float64 {
	var sum float64
	for o := range state.All() {
		sum += s.weight[o.Kind]
	}
	return sum
}

// holds reports whether a client's view of an object counts: where the mechanism replicates only part of the world, a node
// says what it holds.
func holds(holder holder, id world.ID) bool { return holder == nil || holder.Holds(id) }

type holder interface{ Holds(world.ID) bool }
