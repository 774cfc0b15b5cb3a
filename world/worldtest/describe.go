package worldtest

import (
	"fmt"
	"strings"

	"throng/world"
	"throng/world/fixed"
)

// difference says in what two states differ that ought to be equal: the first object of those that do, and how many others.
// It compares every object, whatever memory the states share.
func difference(got, want *world.State) error {
	if got.Tick() != want.Tick() || got.Seed() != want.Seed() {
		return fmt.Errorf("tick %d of seed %d, want tick %d of seed %d", got.Tick(), got.Seed(), want.Tick(), want.Seed())
	}
	var first error
	others := 0
	for c := range world.Diff(want.Detach(), got) {
		if first != nil {
			others++
			continue
		}
		first = change(got.Schema(), c.New, c.Old)
	}
	if others > 0 {
		return fmt.Errorf("%w (and %d other objects differ)", first, others)
	}
	return first
}

// change says in what an object differs from what it ought to be, if in anything. Either is nil where there is no such
// object.
func change(schema *world.Schema, got, want *world.Object) error {
	switch {
	case got == nil:
		return fmt.Errorf("%s is missing", name(schema, want))
	case want == nil:
		return fmt.Errorf("%s ought not to exist", name(schema, got))
	case *got == *want:
		return nil
	case got.ID != want.ID:
		return fmt.Errorf("%s ought to be object %d", name(schema, got), want.ID)
	case got.Kind != want.Kind:
		return fmt.Errorf("%s ought to be a %s", name(schema, got), kindName(schema, want.Kind))
	case got.User != want.User:
		return fmt.Errorf("%s ought to belong to user %d", name(schema, got), want.User)
	}
	for _, v := range slots(schema, got.Kind) {
		if a, b := got.Get(v.Slot), want.Get(v.Slot); a != b {
			return fmt.Errorf("%s: %s is %s, want %s", name(schema, got), v.Name, value(&v, a), value(&v, b))
		}
	}
	return nil
}

// slots are all variables of an object: those that its kind declares, then the others, under names that say so.
func slots(schema *world.Schema, kind world.KindID) []world.Variable {
	declared := schema.Kinds[kind].Variables
	return append(declared[:len(declared):len(declared)], undeclared(declared)...)
}

// undeclared are the slots that are not among the variables.
func undeclared(declared []world.Variable) []world.Variable {
	motion := [...]string{
		world.SlotX: "x", world.SlotY: "y", world.SlotZ: "z",
		world.SlotVX: "vx", world.SlotVY: "vy", world.SlotVZ: "vz",
	}
	var used [len(motion) + world.MaxAttributes]bool
	for _, v := range declared {
		used[v.Slot] = true
	}
	var vars []world.Variable
	for slot := range used {
		if used[slot] {
			continue
		}
		name := fmt.Sprintf("attribute %d", slot-len(motion))
		if slot < len(motion) {
			name = motion[slot]
		}
		vars = append(vars, world.Variable{Name: "undeclared " + name, Slot: world.Slot(slot)})
	}
	return vars
}

// name says which object is meant.
func name(schema *world.Schema, o *world.Object) string {
	text := fmt.Sprintf("object %d (%s", o.ID, kindName(schema, o.Kind))
	if o.User != 0 {
		text += fmt.Sprintf(" of user %d", o.User)
	}
	return text + ")"
}

func kindName(schema *world.Schema, k world.KindID) string {
	if int(k) < len(schema.Kinds) {
		return schema.Kinds[k].Name
	}
	return fmt.Sprintf("of unknown kind %d", k)
}

// value writes a variable's number as people read it.
func value(v *world.Variable, n int64) string {
	text := fmt.Sprint(n)
	if v.Type == world.Fixed {
		text = fixed.F(n).String()
	}
	if v.Unit != "" {
		text += " " + v.Unit
	}
	return text
}

// action says which action is meant.
func action(schema *world.Schema, a *world.Action) string {
	var b strings.Builder
	fmt.Fprintf(&b, "action %d of user %d, ", a.Seq, a.User)
	switch {
	case a.Verb == world.Enter:
		b.WriteString("enter")
	case a.Verb == world.Leave:
		b.WriteString("leave")
	case int(a.Verb) < len(schema.Verbs):
		verb := &schema.Verbs[a.Verb]
		b.WriteString(verb.Name)
		for _, arg := range verb.Args {
			fmt.Fprintf(&b, " %s=%s", arg.Name, value(&arg, a.Args[arg.Slot]))
		}
	default:
		fmt.Fprintf(&b, "unknown verb %d", a.Verb)
	}
	if a.Target != 0 {
		fmt.Fprintf(&b, " on object %d", a.Target)
	}
	return b.String()
}
