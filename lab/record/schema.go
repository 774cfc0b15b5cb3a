package record

import (
	"fmt"

	"throng/world"
	"throng/world/fixed"
)

// schemaText is the JSON form of a schema. Numbers that may need all of 64 bits are strings, because many readers of JSON
// know only doubles.
type schemaText struct {
	Name   string     `json:"name"`
	Tick   world.Time `json:"tick"` // in nanoseconds
	Bounds boxText    `json:"bounds"`
	Kinds  []kindText `json:"kinds"`
	Verbs  []verbText `json:"verbs"`
}

type boxText struct {
	Min vecText `json:"min"`
	Max vecText `json:"max"`
}

type vecText struct {
	X fixed.F `json:"x,string"`
	Y fixed.F `json:"y,string"`
	Z fixed.F `json:"z,string"`
}

type kindText struct {
	Name      string         `json:"name"`
	Radius    fixed.F        `json:"radius,string"`
	Threshold fixed.F        `json:"threshold,string"`
	Variables []variableText `json:"variables"`
}

type verbText struct {
	Name string         `json:"name"`
	Args []variableText `json:"args"`
}

type variableText struct {
	Name    string     `json:"name"`
	Slot    world.Slot `json:"slot"`
	Type    string     `json:"type"` // integer, fixed, angle, flag, reference or moment
	Min     int64      `json:"min,string"`
	Max     int64      `json:"max,string"`
	Weight  int64      `json:"weight"`
	Quantum int64      `json:"quantum,string"`
	Unit    string     `json:"unit"`
}

func newSchemaText(s *world.Schema) schemaText {
	t := schemaText{Name: s.Name, Tick: s.Tick, Bounds: boxText{vecText(s.Bounds.Min), vecText(s.Bounds.Max)},
		Kinds: []kindText{}, Verbs: []verbText{}}
	for _, k := range s.Kinds {
		t.Kinds = append(t.Kinds, kindText{k.Name, k.Radius, k.Threshold, newVariablesText(k.Variables)})
	}
	for _, v := range s.Verbs {
		t.Verbs = append(t.Verbs, verbText{v.Name, newVariablesText(v.Args)})
	}
	return t
}

func newVariablesText(vars []world.Variable) []variableText {
	list := make([]variableText, 0, len(vars))
	for _, v := range vars {
		list = append(list, variableText{v.Name, v.Slot, v.Type.String(), v.Min, v.Max, v.Weight, v.Quantum, v.Unit})
	}
	return list
}

func (t *schemaText) schema() (*world.Schema, error) {
	s := &world.Schema{Name: t.Name, Tick: t.Tick,
		Bounds: fixed.Box{Min: fixed.Vec(t.Bounds.Min), Max: fixed.Vec(t.Bounds.Max)}}
	for _, k := range t.Kinds {
		vars, err := variables(k.Variables)
		if err != nil {
			return nil, fmt.Errorf("kind %s: %w", k.Name, err)
		}
		s.Kinds = append(s.Kinds, world.Kind{Name: k.Name, Radius: k.Radius, Threshold: k.Threshold, Variables: vars})
	}
	for _, v := range t.Verbs {
		args, err := variables(v.Args)
		if err != nil {
			return nil, fmt.Errorf("verb %s: %w", v.Name, err)
		}
		s.Verbs = append(s.Verbs, world.Verb{Name: v.Name, Args: args})
	}
	return s, nil
}

func variables(list []variableText) ([]world.Variable, error) {
	var vars []world.Variable
	for _, t := range list {
		v := world.Variable{Name: t.Name, Slot: t.Slot, Min: t.Min, Max: t.Max, Weight: t.Weight, Quantum: t.Quantum, Unit: t.Unit}
		typ, ok := typeNamed(t.Type)
		if !ok {
			return nil, fmt.Errorf("%s is of the unknown type %q", t.Name, t.Type)
		}
		v.Type = typ
		vars = append(vars, v)
	}
	return vars, nil
}

func typeNamed(name string) (world.Type, bool) {
	for t := world.Integer; t <= world.Moment; t++ {
		if t.String() == name {
			return t, true
		}
	}
	return 0, false
}
