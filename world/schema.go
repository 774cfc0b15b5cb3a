package world

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"throng/world/fixed"
)

// Schema describes what a world is made of, for everybody who must handle its objects without knowing the game.
type Schema struct {
	Name   string
	Tick   Time      // how much time one step of the world lets pass
	Bounds fixed.Box // where objects may be; a flat world has no extent in Z
	Kinds  []Kind    // a KindID is an index into this
	Verbs  []Verb    // a VerbID is an index into this
}

// Kind is one sort of object.
type Kind struct {
	Name      string
	Variables []Variable // what its objects hold; all other slots stay zero
	Radius    fixed.F    // how large it is, as a circle or ball; zero for a thing without extent
	Threshold fixed.F    // the smallest misplacement that matters to a user: the default for dead reckoning
}

// Variable is one named number of an object or an action.
type Variable struct {
	Name    string
	Slot    Slot
	Type    Type
	Min     int64 // the natural range: measures are relative to it, actions with arguments outside it are refused
	Max     int64
	Weight  int64 // how much it counts in divergence and discontinuity; zero for what nobody sees
	Quantum int64 // what the wire rounds it to when an update need not be exact; zero and one mean exact
	Smooth  bool  // a sudden change of it is no jump to the eye, as with an acceleration: it counts in divergence only
	Unit    string
	Role    Role // what it is to whoever looks at the object, for pages that know no more of the world
}

// Role is what a variable is to whoever looks at an object.
type Role string

// The roles of variables.
const (
	Bar    Role = "bar"    // how much is left of something, such as health: shown as a share of its range
	Facing Role = "facing" // an angle: where the object looks
	Score  Role = "score"  // what is counted for the object's user
	Gone   Role = "gone"   // a flag: the object is out of the game
)

// Type says how to read a variable's number.
type Type uint8

// The types of variables.
const (
	Integer   Type = iota
	Fixed          // a fixed.F
	Angle          // a fixed.Angle
	Flag           // zero or one
	Reference      // the ID of another object
	Moment         // a Tick
)

var typeNames = [...]string{"integer", "fixed", "angle", "flag", "reference", "moment"}

func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "unknown"
}

// Verb is one thing that users can do.
type Verb struct {
	Name string
	Args []Variable // Slot is the index into Action.Args
}

// Placed are the variables of a position within bounds; Z is left out of a flat world.
func Placed(bounds fixed.Box, weight int64, quantum fixed.F) []Variable {
	return vector([3]string{"x", "y", "z"}, SlotX, bounds, weight, quantum)
}

// Moving are the variables of a velocity of at most speed along each axis of a world with these bounds.
func Moving(bounds fixed.Box, speed fixed.F, weight int64, quantum fixed.F) []Variable {
	v := fixed.Vec{X: speed, Y: speed}
	if bounds.Min.Z != bounds.Max.Z {
		v.Z = speed
	}
	return vector([3]string{"vx", "vy", "vz"}, SlotVX, fixed.Box{Min: v.Neg(), Max: v}, weight, quantum)
}

func vector(names [3]string, first Slot, within fixed.Box, weight int64, quantum fixed.F) []Variable {
	low := [3]fixed.F{within.Min.X, within.Min.Y, within.Min.Z}
	high := [3]fixed.F{within.Max.X, within.Max.Y, within.Max.Z}
	var vars []Variable
	for i, name := range names {
		if low[i] == high[i] {
			continue
		}
		vars = append(vars, Variable{Name: name, Slot: first + Slot(i), Type: Fixed,
			Min: int64(low[i]), Max: int64(high[i]), Weight: weight, Quantum: int64(quantum)})
	}
	return vars
}

// Check finds what is wrong with a schema. A mistake here is a mistake in the world's code.
func (s *Schema) Check() error {
	if err := s.check(); err != nil {
		return fmt.Errorf("world %s: %w", s.Name, err)
	}
	return nil
}

func (s *Schema) check() error {
	switch size := s.Bounds.Size(); {
	case s.Tick <= 0:
		return fmt.Errorf("a tick must take time, not %v", s.Tick)
	case size.X < 0 || size.Y < 0 || size.Z < 0:
		return errors.New("the bounds are inside out, or wider than numbers reach")
	case len(s.Kinds) == 0:
		return errors.New("there are no kinds of objects")
	case len(s.Kinds) > math.MaxUint16:
		return fmt.Errorf("%d kinds where %d fit", len(s.Kinds), math.MaxUint16)
	case len(s.Verbs) > int(Leave):
		return fmt.Errorf("%d verbs where %d fit", len(s.Verbs), Leave)
	}
	var names nameSet
	for i := range s.Kinds {
		k := &s.Kinds[i]
		err := names.add(k.Name)
		if err == nil {
			err = k.check()
		}
		if err != nil {
			return fmt.Errorf("kind %s: %w", k.Name, err)
		}
	}
	names = nil
	for i := range s.Verbs {
		v := &s.Verbs[i]
		err := names.add(v.Name)
		if err == nil {
			err = checkVariables(v.Args, MaxArgs)
		}
		if err != nil {
			return fmt.Errorf("verb %s: %w", v.Name, err)
		}
	}
	return nil
}

func (k *Kind) check() error {
	if k.Radius < 0 || k.Threshold < 0 {
		return errors.New("a negative radius or threshold")
	}
	return checkVariables(k.Variables, int(slotCount))
}

func checkVariables(vars []Variable, slots int) error {
	if len(vars) > slots {
		return fmt.Errorf("%d variables where %d fit", len(vars), slots)
	}
	var names nameSet
	seen := make([]bool, slots)
	for i := range vars {
		v := &vars[i]
		err := names.add(v.Name)
		if err == nil {
			err = v.check(slots)
		}
		if err == nil && seen[v.Slot] {
			err = errors.New("shares its slot with another")
		}
		if err != nil {
			return fmt.Errorf("variable %s: %w", v.Name, err)
		}
		seen[v.Slot] = true
	}
	return nil
}

func (v *Variable) check(slots int) error {
	switch {
	case int(v.Slot) >= slots:
		return fmt.Errorf("slot %d of %d", v.Slot, slots)
	case int(v.Type) >= len(typeNames):
		return fmt.Errorf("type %d does not exist", v.Type)
	case v.Type != Reference && v.Max <= v.Min:
		return fmt.Errorf("no range: %d to %d", v.Min, v.Max)
	case v.Max-v.Min < 0:
		return fmt.Errorf("the range %d to %d is wider than numbers reach", v.Min, v.Max)
	case v.Type == Flag && (v.Min != 0 || v.Max != 1):
		return fmt.Errorf("a flag is 0 or 1, not %d to %d", v.Min, v.Max)
	case v.Weight < 0 || v.Quantum < 0:
		return errors.New("a negative weight or quantum")
	case v.Role == Facing && v.Type != Angle:
		return errors.New("where something looks is an angle")
	case v.Role == Gone && v.Type != Flag:
		return errors.New("being gone is a flag")
	case !slices.Contains([]Role{"", Bar, Facing, Score, Gone}, v.Role):
		return fmt.Errorf("role %q does not exist", v.Role)
	}
	return nil
}

// nameSet finds names that are missing or given twice.
type nameSet []string

func (s *nameSet) add(name string) error {
	if name == "" {
		return errors.New("has no name")
	}
	if slices.Contains(*s, name) {
		return errors.New("shares its name with another")
	}
	*s = append(*s, name)
	return nil
}

// Kind finds a kind by its name.
func (s *Schema) Kind(name string) (KindID, bool) {
	for i := range s.Kinds {
		if s.Kinds[i].Name == name {
			return KindID(i), true
		}
	}
	return 0, false
}

// CheckObject says which of an object's numbers is out of its range. Objects that come from a network or a file, and whose
// kind is one of the world's, are checked before the rules see them.
func (s *Schema) CheckObject(o *Object) error {
	kind := &s.Kinds[o.Kind]
	for i := range kind.Variables {
		v := &kind.Variables[i]
		if n := o.Get(v.Slot); v.Type != Reference && (n < v.Min || n > v.Max) {
			return fmt.Errorf("%s %d: %s is %d, outside %d to %d", kind.Name, o.ID, v.Name, n, v.Min, v.Max)
		}
	}
	return nil
}
