package world

import (
	"fmt"

	"throng/world/fixed"
)

// Describe writes an object with its variables by name; numbers are rounded to three decimals.
func (s *Schema) Describe(o *Object) string {
	kind := &s.Kinds[o.Kind]
	text := fmt.Sprintf("%s %d", kind.Name, o.ID)
	if o.User != 0 {
		text += fmt.Sprintf(" of %d", o.User)
	}
	for _, v := range kind.Variables {
		text += " " + v.Name + "=" + v.describe(o.Get(v.Slot))
	}
	return text
}

// DescribeAction writes an action with its arguments by name: push 7 x=8 y=0.
func (s *Schema) DescribeAction(a *Action) string {
	switch {
	case a.Verb == Enter:
		return "enter"
	case a.Verb == Leave:
		return "leave"
	case int(a.Verb) >= len(s.Verbs):
		return fmt.Sprintf("verb %d", a.Verb)
	}
	verb := &s.Verbs[a.Verb]
	text := verb.Name
	if a.Target != 0 {
		text += fmt.Sprintf(" %d", a.Target)
	}
	for _, v := range verb.Args {
		if int(v.Slot) < len(a.Args) {
			text += " " + v.Name + "=" + v.describe(a.Args[v.Slot])
		}
	}
	return text
}

// describe writes one of the variable's values.
func (v *Variable) describe(n int64) string {
	if v.Type == Fixed {
		return thousandths(fixed.F(n))
	}
	return fmt.Sprint(n)
}

func thousandths(f fixed.F) string {
	n := f.MulInt(1000).Round()
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	text := fmt.Sprintf("%s%d.%03d", sign, n/1000, n%1000)
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return text
}
