package param

import (
	"math"
	"reflect"
	"slices"
	"strings"
)

func (f *field) setDefault() error {
	if f.defaultText == "" {
		f.value.SetZero()
		return nil
	}
	return f.setAll(f.defaultText)
}

// setAll sets the whole of a field. A list or map that it replaces is left as
// it was: somebody may share it.
func (f *field) setAll(text string) error {
	text = strings.TrimSpace(text)
	switch {
	case f.Keys:
		return f.setMap(text)
	case f.List:
		return f.setList(text)
	}
	v, err := f.parse(f.Path, text)
	if err != nil {
		return err
	}
	f.value.Set(v)
	return nil
}

func (f *field) setList(text string) error {
	list := reflect.MakeSlice(f.value.Type(), 0, 0)
	if text != "" {
		for part := range strings.SplitSeq(text, ",") {
			v, err := f.parse(f.Path, strings.TrimSpace(part))
			if err != nil {
				return err
			}
			list = reflect.Append(list, v)
		}
	}
	f.value.Set(list)
	return nil
}

func (f *field) setMap(text string) error {
	m := reflect.MakeMap(f.value.Type())
	if text != "" {
		for part := range strings.SplitSeq(text, ",") {
			key, value, ok := strings.Cut(part, "=")
			key = strings.TrimSpace(key)
			if !ok || !validKey(key) {
				return f.wrong(f.Path, part, "is not of the form key=value")
			}
			v, err := f.parse(f.Path+"."+key, strings.TrimSpace(value))
			if err != nil {
				return err
			}
			m.SetMapIndex(reflect.ValueOf(key), v)
		}
	}
	f.value.Set(m)
	return nil
}

func (f *field) setKey(key, text string) error {
	v, err := f.parse(f.Path+"."+key, strings.TrimSpace(text))
	if err != nil {
		return err
	}
	m := reflect.MakeMap(f.value.Type())
	for _, k := range f.value.MapKeys() {
		m.SetMapIndex(k, f.value.MapIndex(k))
	}
	m.SetMapIndex(reflect.ValueOf(key), v)
	f.value.Set(m)
	return nil
}

// parse reads a single value and holds it against the range and the options.
func (f *field) parse(path, text string) (reflect.Value, error) {
	v, ok := f.read(text)
	if !ok {
		return v, f.wrong(path, text, "is not "+f.kind.example(f.Unit))
	}
	return v, f.allows(path, text, v)
}

// allows holds a single value against the range and the options.
func (f *field) allows(path, text string, v reflect.Value) error {
	if len(f.Options) > 0 && !slices.Contains(f.Options, text) {
		err := f.wrong(path, text, "is none of the options")
		err.Nearest = Nearest(text, f.Options)
		return err
	}
	if f.Range == "" {
		return nil
	}
	if lo, ok := f.read(f.least); ok && f.least != "" && f.kind.less(v, lo) {
		return f.wrong(path, text, "is too small")
	}
	if hi, ok := f.read(f.most); ok && f.most != "" && f.kind.less(hi, v) {
		return f.wrong(path, text, "is too large")
	}
	return nil
}

// allowed holds what the field is set to against its tags.
func (f *field) allowed() error {
	switch {
	case f.Keys:
		for _, key := range f.keys() {
			v := f.value.MapIndex(reflect.ValueOf(key))
			if err := f.allows(f.Path+"."+key, f.kind.write(v), v); err != nil {
				return err
			}
		}
		return nil
	case f.List:
		for i := range f.value.Len() {
			if err := f.allows(f.Path, f.kind.write(f.value.Index(i)), f.value.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	return f.allows(f.Path, f.kind.write(f.value), f.value)
}

func (f *field) read(text string) (reflect.Value, bool) {
	t := f.value.Type()
	if f.Keys || f.List {
		t = t.Elem()
	}
	v := reflect.New(t).Elem()
	return v, f.kind.read(v, text, f.Unit)
}

func (f *field) wrong(path, text, problem string) *Error {
	e := &Error{Path: path, Value: text, Problem: problem, Allowed: f.Range}
	if len(f.Options) > 0 {
		e.Allowed = strings.Join(f.Options, ", ")
	}
	return e
}

// text is the canonical text of the whole field.
func (f *field) text() string {
	var parts []string
	switch {
	case f.Keys:
		for _, key := range f.keys() {
			parts = append(parts, key+"="+f.kind.write(f.value.MapIndex(reflect.ValueOf(key))))
		}
	case f.List:
		for i := range f.value.Len() {
			parts = append(parts, f.kind.write(f.value.Index(i)))
		}
	default:
		return f.kind.write(f.value)
	}
	return strings.Join(parts, ",")
}

func (f *field) keys() []string {
	var keys []string
	for _, k := range f.value.MapKeys() {
		keys = append(keys, k.String())
	}
	slices.Sort(keys)
	return keys
}

func (f *field) whole() Value {
	if f.Keys || f.List {
		return Value{Path: f.Path, Text: f.text(), Number: math.NaN(), Unit: f.Unit}
	}
	return f.single(f.Path, f.value)
}

func (f *field) single(path string, v reflect.Value) Value {
	return Value{Path: path, Text: f.kind.write(v), Number: f.kind.number(v), Unit: f.Unit}
}
