package thin

import (
	"errors"
	"fmt"
	"math"

	"throng/world"
	"throng/world/fixed"
)

// Catalogue is a world's schema in the protocol's terms: names, and numbers in natural units.
type Catalogue struct {
	schema *world.Schema
	kinds  []kind
	spoken world.Spoken // nil where nobody can say anything
}

type kind struct {
	name    string
	columns []column
}

// column is a variable and how its numbers are told.
type column struct {
	variable world.Variable
	digits   int     // after the point
	factor   float64 // from the world's number to one of so many digits
}

// NewCatalogue describes a world.
func NewCatalogue(w world.World) *Catalogue {
	c := &Catalogue{schema: w.Schema()}
	c.spoken, _ = w.(world.Spoken)
	for i := range c.schema.Kinds {
		k := kind{name: c.schema.Kinds[i].Name}
		for _, v := range c.schema.Kinds[i].Variables {
			k.columns = append(k.columns, newColumn(v, c.schema.Tick))
		}
		c.kinds = append(c.kinds, k)
	}
	return c
}

const (
	digitsMax   = 6
	angleDigits = 4 // where nothing is said about an angle's precision
)

// unit is what one of the world's numbers of a type is in natural units: an angle is told in radians, a moment in milliseconds.
func unit(t world.Type, tick world.Time) float64 {
	switch t {
	case world.Fixed:
		return 1 / float64(fixed.One)
	case world.Angle:
		return 2 * math.Pi / (1 << 32)
	case world.Moment:
		return float64(tick) / float64(world.Millisecond)
	}
	return 1
}

func newColumn(v world.Variable, tick world.Time) column {
	c := column{variable: v}
	of := unit(v.Type, tick)
	switch v.Type {
	case world.Fixed, world.Angle:
		step := of * float64(max(v.Quantum, 1))
		if v.Type == world.Angle && v.Quantum <= 1 {
			step = 1 / powers[angleDigits]
		}
		for c.digits < digitsMax && 1/powers[c.digits] > step*(1+1e-9) {
			c.digits++
		}
	}
	c.factor = of * powers[c.digits]
	return c
}

// told is what is told of an object's number: a whole one, in units of the last digit.
func (c *column) told(o *world.Object) int64 {
	n := o.Get(c.variable.Slot)
	if c.factor == 1 {
		return n
	}
	return int64(math.Round(float64(n) * c.factor))
}

// value is what told has returned, as other packages know it.
func (c *column) value(n int64) any {
	switch {
	case c.variable.Type == world.Flag:
		return n != 0
	case c.digits == 0:
		return n
	}
	return float64(n) / powers[c.digits]
}

// Fields are the values of an object by their names, in natural units.
func (c *Catalogue) Fields(o *world.Object) map[string]any {
	fields := map[string]any{}
	for i := range c.kinds[o.Kind].columns {
		column := &c.kinds[o.Kind].columns[i]
		fields[column.variable.Name] = column.value(column.told(o))
	}
	return fields
}

// write writes what told has returned.
func (c *column) write(w *Writer, n int64) {
	switch c.variable.Type {
	case world.Flag:
		w.Bool(n != 0)
	case world.Reference:
		w.ID(uint64(n))
	default:
		w.Decimal(n, c.digits)
	}
}

func (c *Catalogue) kind(name string) *kind {
	for i := range c.kinds {
		if c.kinds[i].name == name {
			return &c.kinds[i]
		}
	}
	return nil
}

// column finds a column by its name; -1 if there is none.
func (k *kind) column(name string) int {
	for i := range k.columns {
		if k.columns[i].variable.Name == name {
			return i
		}
	}
	return -1
}

// Action makes an action of what a program wants to do.
func (c *Catalogue) Action(r *Request) (a world.Action, err error) {
	at := -1
	for i := range c.schema.Verbs {
		if c.schema.Verbs[i].Name == r.Verb {
			at = i
		}
	}
	if at < 0 {
		return a, fmt.Errorf("there is no verb %q", r.Verb)
	}
	a.Verb, a.Target = world.VerbID(at), world.ID(r.Target)
	verb := &c.schema.Verbs[at]
	found := 0
	for i := range verb.Args {
		v := &verb.Args[i]
		value, given := r.Args[v.Name]
		if !given {
			continue
		}
		found++
		if a.Args[v.Slot], err = c.argument(v, value); err != nil {
			return a, fmt.Errorf("%s: %s %w", verb.Name, v.Name, err)
		}
	}
	if found < len(r.Args) {
		return a, fmt.Errorf("%s takes no other arguments than %s", verb.Name, names(verb.Args))
	}
	for i := range verb.Args {
		if v := &verb.Args[i]; v.Type != world.Reference && (a.Args[v.Slot] < v.Min || a.Args[v.Slot] > v.Max) {
			of := unit(v.Type, c.schema.Tick)
			return a, fmt.Errorf("%s: %s must be from %v to %v", verb.Name, v.Name, float64(v.Min)*of, float64(v.Max)*of)
		}
	}
	return a, c.schema.CheckAction(&a)
}

func names(args []world.Variable) string {
	text := "none"
	for i := range args {
		if i == 0 {
			text = args[i].Name
		} else {
			text += ", " + args[i].Name
		}
	}
	return text
}

// argument is a program's value as the world's number.
func (c *Catalogue) argument(v *world.Variable, value any) (int64, error) {
	var f float64
	switch x := value.(type) {
	case bool:
		if v.Type == world.Flag && x {
			return 1, nil
		} else if v.Type == world.Flag {
			return 0, nil
		}
		return 0, errors.New("must be a number")
	case int64:
		f = float64(x)
		if v.Type == world.Integer || v.Type == world.Reference && x >= 0 {
			return x, nil
		}
	case float64:
		f = x
	case nil, string:
		if v.Type == world.Reference {
			if id, ok := objectID(value); ok {
				return int64(id), nil
			}
		}
		return 0, errors.New("must be a number")
	default:
		return 0, errors.New("must be a number")
	}
	if v.Type == world.Angle {
		turns := f / (2 * math.Pi)
		return int64(uint32(int64(math.Round((turns - math.Floor(turns)) * (1 << 32))))), nil
	}
	n := math.Round(f / unit(v.Type, c.schema.Tick))
	whole := v.Type != world.Fixed && v.Type != world.Moment
	if whole && n != f || n != n || n < -1<<62 || n > 1<<62 {
		return 0, errors.New("must be a whole number of sensible size")
	}
	return int64(n), nil
}

// Say is the action of saying something.
func (c *Catalogue) Say(text string) (world.Action, error) {
	if c.spoken == nil {
		return world.Action{}, errors.New("nobody can say anything in this world")
	}
	return c.spoken.Say(text), nil
}

// Describe tells the schema, as two entries of a map: kinds and verbs.
func (c *Catalogue) Describe(w *Writer) {
	w.Key("kinds")
	w.Array(len(c.kinds))
	for i := range c.kinds {
		w.Map(3)
		w.Key("name")
		w.String(c.kinds[i].name)
		w.Key("radius")
		w.Decimal(micro(float64(c.schema.Kinds[i].Radius)/float64(fixed.One)), digitsMax)
		w.Key("fields")
		w.Array(len(c.kinds[i].columns))
		for j := range c.kinds[i].columns {
			c.writeVariable(w, &c.kinds[i].columns[j].variable)
		}
		w.EndArray()
		w.EndMap()
	}
	w.EndArray()
	w.Key("verbs")
	w.Array(len(c.schema.Verbs))
	for i := range c.schema.Verbs {
		w.Map(2)
		w.Key("name")
		w.String(c.schema.Verbs[i].Name)
		w.Key("args")
		w.Array(len(c.schema.Verbs[i].Args))
		for j := range c.schema.Verbs[i].Args {
			c.writeVariable(w, &c.schema.Verbs[i].Args[j])
		}
		w.EndArray()
		w.EndMap()
	}
	w.EndArray()
}

// micro is a number in millionths.
func micro(f float64) int64 { return int64(math.Round(f * powers[digitsMax])) }

func (c *Catalogue) writeVariable(w *Writer, v *world.Variable) {
	ranged := v.Type != world.Reference && v.Type != world.Flag && v.Type != world.Moment
	entries := 2
	if ranged {
		entries += 2
	}
	if v.Unit != "" {
		entries++
	}
	if v.Role != "" {
		entries++
	}
	w.Map(entries)
	w.Key("name")
	w.String(v.Name)
	w.Key("type")
	w.String(typeName(v.Type))
	if v.Unit != "" {
		w.Key("unit")
		w.String(v.Unit)
	}
	if v.Role != "" {
		w.Key("role")
		w.String(string(v.Role))
	}
	if ranged {
		w.Key("min")
		c.bound(w, v, v.Min)
		w.Key("max")
		c.bound(w, v, v.Max)
	}
	w.EndMap()
}

func (c *Catalogue) bound(w *Writer, v *world.Variable, n int64) {
	if v.Type == world.Integer {
		w.Int(n)
		return
	}
	w.Decimal(micro(float64(n)*unit(v.Type, c.schema.Tick)), digitsMax)
}

// typeName is what the protocol calls a type.
func typeName(t world.Type) string {
	switch t {
	case world.Fixed:
		return "number"
	case world.Moment:
		return "time"
	}
	return t.String()
}
