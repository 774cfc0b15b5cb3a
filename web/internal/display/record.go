package display

import (
	"math"
	"slices"

	"throng/world"
	"throng/world/fixed"
)

// Record is one object as the page reads it. The page knows the offsets of its fields; a test holds them.
type Record struct {
	ID     uint64
	User   uint32
	Kind   uint16
	Flags  uint16
	X, Y   float32
	VX, VY float32
	Attr   [world.MaxAttributes]float64 // lengths in the world's unit, angles in radians, everything else as it is
}

// Own is the flag of what belongs to the user who looks.
const Own = 1

// one is a fixed-point number's unit.
const one = 1 << fixed.Shift

func float(f fixed.F) float32 { return float32(float64(f) / one) }

// wide is how many times its own size an object may move at once before that is a jump rather than a motion.
const wide = 10

// Lister makes records of the objects of one world.
type Lister struct {
	scales [][world.MaxAttributes]float64 // by kind: the factors that make attributes readable
	widest []float32                      // by kind: how far is a jump
	moves  []bool                         // by kind: has a velocity
}

// NewLister returns a lister for a world's objects.
func NewLister(s *world.Schema) *Lister {
	l := &Lister{scales: make([][world.MaxAttributes]float64, len(s.Kinds))}
	for k := range s.Kinds {
		kind := &s.Kinds[k]
		l.widest = append(l.widest, wide*float(max(kind.Radius, kind.Threshold)))
		l.moves = append(l.moves, slices.ContainsFunc(kind.Variables, func(v world.Variable) bool { return v.Slot == world.SlotVX }))
		for _, v := range kind.Variables {
			if i := int(v.Slot) - int(world.AttrSlot(0)); i >= 0 {
				l.scales[k][i] = Scale(v.Type)
			}
		}
	}
	return l
}

// Scale is what turns a variable's number into one that people read.
func Scale(t world.Type) float64 {
	switch t {
	case world.Fixed:
		return 1. / one
	case world.Angle:
		return 2 * math.Pi / (1 << 32)
	}
	return 1
}

// write fills in everything about an object, for the user who looks.
func (l *Lister) write(r *Record, o *world.Object, user world.User) {
	*r = Record{
		ID: uint64(o.ID), User: uint32(o.User), Kind: uint16(o.Kind),
		X: float(o.Pos.X), Y: float(o.Pos.Y), VX: float(o.Vel.X), VY: float(o.Vel.Y),
	}
	if o.User == user && user != 0 {
		r.Flags = Own
	}
	for i, factor := range &l.scales[o.Kind] {
		r.Attr[i] = float64(o.Attr[i]) * factor
	}
}

// jumps reports whether a way is too far for an object of a kind to have gone it.
func (l *Lister) jumps(k world.KindID, dx, dy float32) bool {
	return math.Hypot(float64(dx), float64(dy)) > float64(l.widest[k])
}

// Said is what an object of a state says, in a world whose users speak. It is empty for everything else.
func Said(w world.World, s *world.State, id world.ID) string {
	spoken, ok := w.(world.Spoken)
	if !ok {
		return ""
	}
	if o := s.Get(id); o != nil && o.Kind == spoken.Speech() {
		return spoken.Said(o)
	}
	return ""
}

// List lists a state as it is, into the memory of a list that is no longer needed.
func (l *Lister) List(list []Record, state *world.State, user world.User) []Record {
	list = list[:0]
	for o := range state.All() {
		list = append(list, Record{})
		l.write(&list[len(list)-1], o, user)
	}
	return list
}

// Still lists what belongs to nobody and has no velocity.
func (l *Lister) Still(state *world.State) []Record {
	var list []Record
	for o := range state.All() {
		if o.User == 0 && !l.moves[o.Kind] {
			list = append(list, Record{})
			l.write(&list[len(list)-1], o, 0)
		}
	}
	return list
}

// Between lists what is between two states: objects of the earlier one, as far on their way to where the later one has them
// as share says. Those that jump stay until the end.
func (l *Lister) Between(list []Record, from, to *world.State, share float32, user world.User) []Record {
	list = l.List(list, from, user)
	if share <= 0 {
		return list
	}
	next := list
	for o := range to.All() {
		for len(next) > 0 && next[0].ID < uint64(o.ID) {
			next = next[1:]
		}
		if len(next) == 0 || next[0].ID != uint64(o.ID) || next[0].Kind != uint16(o.Kind) {
			continue
		}
		r := &next[0]
		if dx, dy := float(o.Pos.X)-r.X, float(o.Pos.Y)-r.Y; !l.jumps(o.Kind, dx, dy) {
			r.X += dx * share
			r.Y += dy * share
		}
	}
	return list
}
