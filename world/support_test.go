package world

import (
	"throng/world/fixed"
	"throng/world/random"
)

// The kinds and attributes of the world that the tests of this package live in.
const (
	kindBird KindID = iota
	kindStone
)

const attrAge = 0

var testBounds = fixed.Box{Max: fixed.Vec{X: fixed.FromInt(1000), Y: fixed.FromInt(1000)}}

// testSchema describes a flat world of birds that fly and stones that do not.
var testSchema = &Schema{
	Name:   "test",
	Tick:   50 * Millisecond,
	Bounds: testBounds,
	Kinds: []Kind{
		kindBird: {Name: "bird", Variables: append(append(
			Placed(testBounds, 2, fixed.One/16),
			Moving(testBounds, fixed.FromInt(10), 1, fixed.One/64)...),
			Variable{Name: "age", Slot: AttrSlot(attrAge), Type: Moment, Min: 0, Max: 1 << 40},
			Variable{Name: "energy", Slot: AttrSlot(3), Type: Integer, Min: -1000, Max: 1000, Quantum: 7},
		)},
		kindStone: {Name: "stone", Variables: Placed(testBounds, 1, 0)},
	},
	Verbs: []Verb{
		{Name: "rest"},
		{Name: "turn", Args: []Variable{
			{Name: "heading", Slot: 0, Type: Angle, Min: 0, Max: 1<<32 - 1},
			{Name: "towards", Slot: 2, Type: Reference},
		}},
	},
}

// flock returns a state of n birds with IDs from one, so dense that each has about ten neighbours within the radius
// returned.
func flock(n int) (s *State, radius fixed.F) {
	s = NewState(testSchema, 1)
	r := random.New(1, "flock")
	for i := range n {
		s.Put(bird(ID(i+1), &r))
	}
	// Ten of n in the circle: π·radius²·n = 10·area.
	area := fixed.FromInt(1000 * 1000)
	return s, area.DivInt(int64(n)).Mul(fixed.Ratio(318, 100)).Sqrt()
}

// bird returns a bird with everything about it at random, but for the ID.
func bird(id ID, r *random.Stream) Object {
	o := Object{ID: id, Kind: kindBird, User: User(r.Below(8))}
	vars := testSchema.Kinds[kindBird].Variables
	for i := range vars {
		o.Set(vars[i].Slot, vars[i].Min+int64(r.Below(uint64(vars[i].Max-vars[i].Min)+1)))
	}
	return o
}

// drifting are rules under which everything that may change moves on, and bounces off the edge of the world.
type drifting struct{}

func (drifting) Step(w *Window) {
	bounds, tick := w.Schema().Bounds, w.Schema().Tick
	for o := range w.Open() {
		Drift(o, tick)
		if !bounds.Contains(o.Pos) {
			o.Pos = bounds.Clamp(o.Pos)
			o.Vel = o.Vel.Neg()
		}
	}
}

func (drifting) Act(w *Window, a *Action) {
	if o := w.Edit(a.Target); o != nil {
		o.Vel = fixed.Polar(fixed.One, fixed.Angle(a.Args[0]))
	}
}

func (drifting) Extrapolate(o *Object, dt Time) { Drift(o, dt) }

func (drifting) Reach(_ *State, a *Action, f *Footprint) { f.Write(a.Target) }
