package display

import (
	"math"
	"strconv"

	"throng/world"
	"throng/world/fixed"
)

// Float is a fixed-point number for the page.
func Float(f fixed.F) float64 { return float64(f) / one }

// farthest is beyond any world, and still a fixed-point number.
const farthest = 1 << 30

// Fixed is a number of the page's as one of the world's. What is no number is zero.
func Fixed(v float64) fixed.F {
	if v != v {
		return 0
	}
	return fixed.F(max(-farthest, min(farthest, v)) * one)
}

// Text writes JSON for the page. The standard library's writer would make the page a quarter larger.
type Text struct {
	buf   []byte
	comma bool
}

// NewText returns an empty text.
func NewText() *Text { return &Text{} }

// Bytes is what was written.
func (t *Text) Bytes() []byte { return t.buf }

// Open begins an object: the value of a name in another object, or an element of a list where the name is empty.
func (t *Text) Open(name string) { t.begin(name, '{') }

// Close ends an object.
func (t *Text) Close() { t.end('}') }

// List begins a list.
func (t *Text) List(name string) { t.begin(name, '[') }

// EndList ends a list.
func (t *Text) EndList() { t.end(']') }

func (t *Text) begin(name string, bracket byte) {
	t.name(name)
	t.buf = append(t.buf, bracket)
	t.comma = false
}

func (t *Text) end(bracket byte) {
	t.buf = append(t.buf, bracket)
	t.comma = true
}

// name begins a value.
func (t *Text) name(name string) {
	if t.comma {
		t.buf = append(t.buf, ',')
	}
	t.comma = true
	if name != "" {
		t.quote(name)
		t.buf = append(t.buf, ':')
	}
}

func (t *Text) quote(s string) {
	const hex = "0123456789abcdef"
	t.buf = append(t.buf, '"')
	for i := range len(s) {
		switch b := s[i]; {
		case b == '"' || b == '\\':
			t.buf = append(t.buf, '\\', b)
		case b < ' ':
			t.buf = append(t.buf, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		default:
			t.buf = append(t.buf, b)
		}
	}
	t.buf = append(t.buf, '"')
}

// String writes a text. The bytes of one that is not UTF-8 are left to the page.
func (t *Text) String(name, value string) {
	t.name(name)
	t.quote(value)
}

// Int writes a whole number. Beyond 2⁵³ the page rounds it.
func (t *Text) Int(name string, value int64) {
	t.name(name)
	t.buf = strconv.AppendInt(t.buf, value, 10)
}

// Number writes a number, or null where there is none.
func (t *Text) Number(name string, value float64) {
	t.name(name)
	if math.IsNaN(value) || math.IsInf(value, 0) {
		t.buf = append(t.buf, "null"...)
		return
	}
	t.buf = strconv.AppendFloat(t.buf, value, 'g', -1, 64)
}

// Bool writes true or false.
func (t *Text) Bool(name string, value bool) {
	t.name(name)
	t.buf = strconv.AppendBool(t.buf, value)
}

// World writes what a world is made of, and how it looks, if it says that. Variables that are attributes have their numbers, as in
// records. Ranges are in the units of records and, for arguments, of actions. Of a recording's world only the schema may be known: the
// world is nil then.
func (t *Text) World(name string, s *world.Schema, w world.World) {
	more, _ := w.(world.Explained)
	t.Open(name)
	t.String("name", s.Name)
	t.Number("tick", float64(s.Tick)/float64(world.Millisecond))
	t.List("bounds")
	for _, edge := range [...]fixed.F{s.Bounds.Min.X, s.Bounds.Min.Y, s.Bounds.Max.X, s.Bounds.Max.Y} {
		t.Number("", Float(edge))
	}
	t.EndList()
	t.List("kinds")
	for i := range s.Kinds {
		k := &s.Kinds[i]
		t.Open("")
		t.String("name", k.Name)
		t.Number("radius", Float(k.Radius))
		if more != nil {
			t.String("about", more.Explain(world.KindID(i)))
		}
		t.variables("variables", k.Variables, Scale)
		t.Close()
	}
	t.EndList()
	t.List("verbs")
	for i := range s.Verbs {
		v := &s.Verbs[i]
		t.Open("")
		t.String("name", v.Name)
		t.variables("args", v.Args, func(world.Type) float64 { return 1 })
		t.Close()
	}
	t.EndList()
	if d, ok := w.(world.Depicted); ok {
		t.look(d.Look())
	}
	t.Close()
}

func (t *Text) variables(name string, list []world.Variable, scale func(world.Type) float64) {
	t.List(name)
	for _, v := range list {
		t.Open("")
		t.String("name", v.Name)
		if attr := int64(v.Slot) - int64(world.AttrSlot(0)); attr >= 0 {
			t.Int("attr", attr)
		}
		t.String("type", v.Type.String())
		t.Number("min", float64(v.Min)*scale(v.Type))
		t.Number("max", float64(v.Max)*scale(v.Type))
		t.String("unit", v.Unit)
		if v.Role != "" {
			t.String("role", string(v.Role))
		}
		t.Close()
	}
	t.EndList()
}
