package world

import (
	"fmt"
	"math"

	"throng/world/wire"
)

// MaxObjects bounds what a decoder believes about the number of objects in one message or file.
const MaxObjects = 1 << 24

// Precision chooses between the exact form of an object, for states that must agree to the bit, and the rounded form, for
// updates that others merely display: there each variable is rounded to its quantum and takes fewer bytes.
type Precision bool

// The two precisions.
const (
	Exact   Precision = false
	Rounded Precision = true
)

// AppendObject appends the variables in which o differs from base, as differences. A nil base means an object of zeros.
// Kind and user go along; the ID does not: how objects are named on the wire is the message's business.
func (s *Schema) AppendObject(dst []byte, o, base *Object, p Precision) []byte {
	dst = wire.AppendUint(dst, uint64(o.Kind))
	dst = wire.AppendUint(dst, uint64(o.User))
	vars := s.Kinds[o.Kind].Variables
	var differences [slotCount]int64
	var mask uint64
	for i := range vars {
		d := units(&vars[i], o, p)
		if base != nil {
			d -= units(&vars[i], base, p)
		}
		if d != 0 {
			differences[i] = d
			mask |= 1 << i
		}
	}
	dst = wire.AppendUint(dst, mask)
	for _, d := range differences[:len(vars)] {
		if d != 0 {
			dst = wire.AppendInt(dst, d)
		}
	}
	return dst
}

// ReadObject reads what AppendObject wrote against the same base. The result has no ID yet, and slots that its kind does
// not declare are zero.
func (s *Schema) ReadObject(r *wire.Reader, base *Object, p Precision) Object {
	var o Object
	kind := r.Uint()
	user := r.UintMax(1<<32 - 1)
	mask := r.Uint()
	if kind >= uint64(len(s.Kinds)) {
		r.Fail()
		return Object{}
	}
	vars := s.Kinds[kind].Variables
	if mask>>len(vars) != 0 {
		r.Fail()
		return Object{}
	}
	o.Kind, o.User = KindID(kind), User(user)
	for i := range vars {
		v := &vars[i]
		var n int64
		if base != nil {
			n = units(v, base, p)
		}
		if mask&(1<<i) != 0 {
			n += r.Int()
		}
		q := step(v, p)
		if q > 1 && (n > math.MaxInt64/q || n < math.MinInt64/q) {
			r.Fail()
			return Object{}
		}
		o.Set(v.Slot, n*q)
	}
	if r.Failed() {
		return Object{}
	}
	return o
}

// Round rounds an object's variables to what the rounded form preserves of them.
func (s *Schema) Round(o *Object) {
	vars := s.Kinds[o.Kind].Variables
	for i := range vars {
		v := &vars[i]
		o.Set(v.Slot, units(v, o, Rounded)*step(v, Rounded))
	}
}

func step(v *Variable, p Precision) int64 {
	if p == Exact || v.Quantum < 1 {
		return 1
	}
	return v.Quantum
}

// units is a variable in units of its wire step, rounded to the nearest.
func units(v *Variable, o *Object, p Precision) int64 {
	n, q := o.Get(v.Slot), step(v, p)
	if q == 1 {
		return n
	}
	u, rest := n/q, n%q
	switch { // away from zero where that is as near, unless what it stands for would overflow
	case rest > 0 && rest >= q-rest && n <= math.MaxInt64-(q-rest):
		u++
	case rest < 0 && -rest >= q+rest && n >= math.MinInt64+(q+rest):
		u--
	}
	return u
}

// Append appends the whole state in its exact form.
func (s *State) Append(dst []byte) []byte {
	empty := State{schema: s.schema, pool: s.pool, seed: s.seed}
	return AppendDiff(dst, &empty, s)
}

// Decode reads a state that Append wrote. It shares nothing with any other.
func Decode(schema *Schema, r *wire.Reader) (*State, error) {
	s := NewState(schema, 0)
	if err := s.ApplyDiff(r); err != nil {
		return nil, err
	}
	return s, nil
}

// The three things that a difference says of an object.
const (
	diffChanged = iota
	diffAdded
	diffRemoved
)

// AppendDiff appends what turns one state into another, in its exact form: what was added, changed and removed, and the
// tick.
func AppendDiff(dst []byte, from, to *State) []byte {
	dst = wire.AppendUint64(dst, to.seed)
	dst = wire.AppendInt(dst, int64(to.tick))
	var last ID
	for c := range Diff(from, to) {
		o, op := c.New, uint64(diffChanged)
		switch {
		case c.Old == nil:
			op = diffAdded
		case c.New == nil:
			o, op = c.Old, diffRemoved
		case c.Old.Kind != c.New.Kind:
			op, c.Old = diffAdded, nil // differences are within a kind
		}
		// IDs ascend, so that distances between them are at least one and zero can end the list.
		dst = wire.AppendUint(dst, uint64(o.ID-last))
		dst = append(dst, byte(op))
		last = o.ID
		if op != diffRemoved {
			dst = to.schema.AppendObject(dst, o, c.Old, Exact)
		}
	}
	return wire.AppendUint(dst, 0)
}

// ApplyDiff carries out what AppendDiff wrote, on a state equal to the one it was taken from. After an error the state is
// in between and must not be used.
func (s *State) ApplyDiff(r *wire.Reader) error {
	s.seed = r.Uint64()
	s.tick = Tick(r.Int())
	var id ID
	for !r.Failed() {
		gap := r.Uint()
		if gap == 0 {
			break
		}
		if id+ID(gap) < id || s.count > MaxObjects {
			r.Fail()
			break
		}
		id += ID(gap)
		if err := s.applyChange(r, id); err != nil {
			return err
		}
	}
	if r.Failed() {
		return wire.ErrMalformed
	}
	return nil
}

func (s *State) applyChange(r *wire.Reader, id ID) error {
	op := r.Byte()
	base := s.Get(id)
	if op > diffRemoved || op != diffAdded && base == nil {
		r.Fail()
		return fmt.Errorf("%w: the difference is not to this state (object %d)", wire.ErrMalformed, id)
	}
	if op == diffRemoved {
		s.Remove(id)
		return nil
	}
	if op == diffAdded {
		base = nil
	}
	o := s.schema.ReadObject(r, base, Exact)
	if r.Failed() || base != nil && o.Kind != base.Kind {
		r.Fail()
		return wire.ErrMalformed
	}
	o.ID = id
	s.Put(o)
	return nil
}

// Sensible reports whether all of an object's numbers are within their ranges, give or take what rounding adds.
func (s *Schema) Sensible(o *Object) bool {
	vars := s.Kinds[o.Kind].Variables
	for i := range vars {
		v := &vars[i]
		if v.Type == Reference {
			continue
		}
		// Unsigned, for the distance between two numbers may be beyond the signed ones.
		n, slack := o.Get(v.Slot), uint64(v.Quantum)
		if n < v.Min && uint64(v.Min)-uint64(n) > slack || n > v.Max && uint64(n)-uint64(v.Max) > slack {
			return false
		}
	}
	return true
}

// Confine brings all of an object's numbers into their ranges, from which rounding or extrapolation may have taken them.
func (s *Schema) Confine(o *Object) {
	vars := s.Kinds[o.Kind].Variables
	for i := range vars {
		if v := &vars[i]; v.Type != Reference {
			o.Set(v.Slot, min(max(o.Get(v.Slot), v.Min), v.Max))
		}
	}
}

// ReadID reads the ID that follows last in a list of growing ones, each written as the distance from the one before, or zero at its end.
func ReadID(r *wire.Reader, last ID) ID {
	gap := r.Uint()
	id := last + ID(gap)
	if gap != 0 && id <= last {
		r.Fail()
	}
	if gap == 0 || r.Failed() {
		return 0
	}
	return id
}
