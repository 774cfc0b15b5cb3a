package world

import (
	"errors"
	"fmt"

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
	Min     int64 // the natural range: measures are relative to it, input outside it is refused
	Max     int64
	Weight  int64 // how much it counts in divergence and discontinuity; zero for what nobody sees
	Quantum int64 // what the wire rounds it to when an update need not be exact; zero and one mean exact
	Unit    string
}

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

func (t Type) String() string { return typeNames[t] }

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
	if s.Tick <= 0 {
		return fmt.Errorf("world %s: a tick must take time, not %v", s.Name, s.Tick)
	}
	if len(s.Kinds) == 0 {
		return fmt.Errorf("world %s has no kinds of objects", s.Name)
	}
	if len(s.Verbs) > int(Leave) {
		return fmt.Errorf("world %s has %d verbs where %d fit", s.Name, len(s.Verbs), Leave)
	}
	for _, k := range s.Kinds {
		if err := checkVariables(k.Variables, int(slotCount)); err != nil {
			return fmt.Errorf("world %s: kind %s: %w", s.Name, k.Name, err)
		}
	}
	for _, v := range s.Verbs {
		if err := checkVariables(v.Args, MaxArgs); err != nil {
			return fmt.Errorf("world %s: verb %s: %w", s.Name, v.Name, err)
		}
	}
	return nil
}

func checkVariables(vars []Variable, slots int) error {
	if len(vars) > slots {
		return fmt.Errorf("%d variables where %d fit", len(vars), slots)
	}
	seen := make([]bool, slots)
	for _, v := range vars {
		switch {
		case v.Name == "":
			return errors.New("a variable without a name")
		case int(v.Slot) >= slots:
			return fmt.Errorf("%s is in slot %d of %d", v.Name, v.Slot, slots)
		case seen[v.Slot]:
			return fmt.Errorf("%s shares its slot with another variable", v.Name)
		case v.Max <= v.Min && v.Type != Reference:
			return fmt.Errorf("%s has no range: %d to %d", v.Name, v.Min, v.Max)
		case v.Weight < 0 || v.Quantum < 0:
			return fmt.Errorf("%s has a negative weight or quantum", v.Name)
		}
		seen[v.Slot] = true
	}
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
