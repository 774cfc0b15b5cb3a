package world

import (
	"strings"
	"testing"

	"throng/world/fixed"
)

func TestSchemaCheck(t *testing.T) {
	one := Variable{Name: "a", Max: 1}
	two := Variable{Name: "b", Slot: 1, Max: 1}
	with := func(vars ...Variable) func(*Schema) {
		return func(s *Schema) { s.Kinds[0].Variables = vars }
	}
	edited := func(edit func(v *Variable)) func(*Schema) {
		v := one
		edit(&v)
		return with(v)
	}
	for _, test := range []struct {
		name   string
		change func(s *Schema)
		want   string // part of the error, or empty
	}{
		{"sound", func(*Schema) {}, ""},
		{"two variables", with(one, two), ""},
		{"reference without range", edited(func(v *Variable) { v.Type, v.Max = Reference, 0 }), ""},
		{"no time", func(s *Schema) { s.Tick = 0 }, "a tick must take time, not 0s"},
		{"bounds inside out", func(s *Schema) { s.Bounds.Min.Y = fixed.One }, "inside out"},
		{"bounds too wide", func(s *Schema) { s.Bounds.Min.X, s.Bounds.Max.X = fixed.Min, fixed.Max }, "wider"},
		{"no kinds", func(s *Schema) { s.Kinds = nil }, "no kinds"},
		{"too many kinds", func(s *Schema) { s.Kinds = make([]Kind, 1<<16) }, "65536 kinds"},
		{"too many verbs", func(s *Schema) { s.Verbs = make([]Verb, 255) }, "255 verbs where 254 fit"},
		{"kind without a name", func(s *Schema) { s.Kinds[0].Name = "" }, "no name"},
		{"kinds of one name", func(s *Schema) { s.Kinds = append(s.Kinds, s.Kinds[0]) }, "kind ball: shares its name"},
		{"verb without a name", func(s *Schema) { s.Verbs[0].Name = "" }, "no name"},
		{"verbs of one name", func(s *Schema) { s.Verbs = append(s.Verbs, s.Verbs[0]) }, "verb kick: shares its name"},
		{"negative radius", func(s *Schema) { s.Kinds[0].Radius = -1 }, "kind ball: a negative radius"},
		{"negative threshold", func(s *Schema) { s.Kinds[0].Threshold = -1 }, "negative radius or threshold"},
		{"too many variables", with(make([]Variable, slotCount+1)...), "15 variables where 14 fit"},
		{"slot too high", edited(func(v *Variable) { v.Slot = slotCount }), "variable a: slot 14 of 14"},
		{"variables of one slot", with(one, Variable{Name: "b", Max: 1}), "variable b: shares its slot"},
		{"variables of one name", with(one, Variable{Name: "a", Slot: 1, Max: 1}), "variable a: shares its name"},
		{"variable without a name", edited(func(v *Variable) { v.Name = "" }), "no name"},
		{"no range", edited(func(v *Variable) { v.Max = 0 }), "no range: 0 to 0"},
		{"range too wide", edited(func(v *Variable) { v.Min, v.Max = -1<<63, 0 }), "wider than numbers"},
		{"unknown type", edited(func(v *Variable) { v.Type = Moment + 1 }), "type 6 does not exist"},
		{"flag of three values", edited(func(v *Variable) { v.Type, v.Max = Flag, 2 }), "a flag is 0 or 1"},
		{"negative weight", edited(func(v *Variable) { v.Weight = -1 }), "negative weight"},
		{"unknown role", edited(func(v *Variable) { v.Role = "hat" }), `role "hat" does not exist`},
		{"facing a number", edited(func(v *Variable) { v.Role = Facing }), "is an angle"},
		{"gone by a number", edited(func(v *Variable) { v.Role = Gone }), "is a flag"},
		{"negative quantum", edited(func(v *Variable) { v.Quantum = -1 }), "negative weight or quantum"},
		{"argument slot too high", func(s *Schema) {
			s.Verbs[0].Args = []Variable{{Name: "a", Slot: MaxArgs, Max: 1}}
		}, "verb kick: variable a: slot 6 of 6"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := Schema{Name: "w", Tick: Second, Kinds: []Kind{{Name: "ball"}}, Verbs: []Verb{{Name: "kick"}}}
			test.change(&s)
			err := s.Check()
			switch {
			case test.want == "" && err != nil:
				t.Errorf("error: %v", err)
			case test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), "world w: ") || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want one about %q", err, test.want)
			}
		})
	}
	if err := testSchema.Check(); err != nil {
		t.Error(err)
	}
}

func TestPlacedAndMovingLeaveOutWhatIsFlat(t *testing.T) {
	flat := fixed.Box{Min: fixed.Vec{X: -fixed.One}, Max: fixed.Vec{X: fixed.One, Y: fixed.One}}
	deep := flat
	deep.Max.Z = fixed.One
	names := func(vars []Variable) string {
		var all []string
		for _, v := range vars {
			all = append(all, v.Name)
		}
		return strings.Join(all, " ")
	}
	for _, test := range []struct {
		vars []Variable
		want string
	}{
		{Placed(flat, 1, 1), "x y"},
		{Placed(deep, 1, 1), "x y z"},
		{Moving(flat, 5, 1, 1), "vx vy"},
		{Moving(deep, 5, 1, 1), "vx vy vz"},
	} {
		if got := names(test.vars); got != test.want {
			t.Errorf("variables %s, want %s", got, test.want)
		}
	}
	want := Variable{Name: "x", Slot: SlotX, Type: Fixed, Min: -int64(fixed.One), Max: int64(fixed.One), Weight: 3, Quantum: 7}
	if got := Placed(flat, 3, 7)[0]; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	want = Variable{Name: "vz", Slot: SlotVZ, Type: Fixed, Min: -5, Max: 5, Weight: 2}
	if got := Moving(deep, 5, 2, 0)[2]; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestKindByName(t *testing.T) {
	if id, ok := testSchema.Kind("stone"); id != kindStone || !ok {
		t.Errorf("stone is kind %d, %v", id, ok)
	}
	if _, ok := testSchema.Kind("unicorn"); ok {
		t.Error("there are no unicorns")
	}
}

func TestTypeNames(t *testing.T) {
	if got := Fixed.String() + " " + Moment.String() + " " + (Moment + 1).String(); got != "fixed moment unknown" {
		t.Error(got)
	}
}

func TestCheckObject(t *testing.T) {
	for want, o := range map[string]Object{
		"": {ID: 1, Kind: kindBird, Attr: [MaxAttributes]int64{3: -1000}},
		"bird 2: energy is 1001, outside -1000 to 1000": {ID: 2, Kind: kindBird, Attr: [MaxAttributes]int64{3: 1001}},
	} {
		got := ""
		if err := testSchema.CheckObject(&o); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
