package sight

import (
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/fixed"
)

// Nearness ranks objects for the client that is being served: what is near and what moves is sent first.
type Nearness struct {
	field   *Field
	Centres []fixed.Vec // where the client's user is
	shift   uint        // bits that are left off coordinates, so that squares fit
	squares [update.Lanes - 2]int64
}

// NewNearness returns a ranking by places in a field.
func NewNearness(f *Field) Nearness {
	n := Nearness{field: f}
	for f.Sight()>>n.shift >= 1<<28 {
		n.shift++
	}
	for i := range n.squares { // an eighth of sight, a quarter, a half
		r := int64(f.Sight()>>n.shift) >> (len(n.squares) - i)
		n.squares[i] = r * r
	}
	return n
}

// Rank implements update.Ranker.
func (n *Nearness) Rank(o *world.Object) int {
	if len(n.Centres) == 0 || !n.field.Placed(o) {
		return update.Lanes - 1
	}
	nearest := int64(1<<63 - 1)
	for _, c := range n.Centres {
		nearest = min(nearest, n.square(o.Pos, c))
	}
	lane := 1
	for lane < update.Lanes-1 && nearest > n.squares[lane-1] {
		lane++
	}
	if o.Vel == (fixed.Vec{}) {
		lane = min(lane+1, update.Lanes-1)
	}
	return lane
}

// square is the square of a distance, or of a large one if it is larger.
func (n *Nearness) square(a, b fixed.Vec) int64 {
	const far = 1 << 29
	var sum int64
	for _, d := range [...]fixed.F{a.X - b.X, a.Y - b.Y, a.Z - b.Z} {
		x := min(int64(d.Abs()>>n.shift), far)
		sum += x * x
	}
	return sum
}
