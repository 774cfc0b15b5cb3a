// Package param makes a plain struct a set of parameters that document
// themselves. The struct's package needs to import nothing for it:
//
//	type Config struct {
//		LocalLag world.Time `param:"local-lag" default:"0s" range:"0s..10s" help:"own actions wait this long"`
//		Mode     string     `param:"mode" default:"drop" options:"drop|delay" help:"what happens to late packets"`
//	}
//
// From the tags come the defaults, the list that `throng explain` prints, and
// the reading of values from experiments and from the command line, with errors
// that say what would have been right.
//
// These tags exist:
//
//	param    the name of the parameter; "-" for a field that is none
//	help     one line on what it does
//	default  its value unless set; the zero value if absent
//	range    the least and the greatest value, "1..1024"; either may be left out
//	unit     what a number counts: "px", or "bit/s" and "B", which know prefixes (1.5Mbit/s, 64KiB)
//	options  the only allowed texts, "drop|delay"
//	file     "true" if a text names a file
//	join     what stands between the items of a text that may be written as a list, where a comma is part of them
//
// A field is a whole number, a [world.Time], a [fixed.F], a float64, a bool or a
// string; a list of these, written a,b,c; or a map from text to one of these,
// whose keys are open and become part of the path ("threshold.ball"), written
// k=v,k=v as a whole. A struct groups the fields within it under its name; an
// embedded struct without a name adds them to its parent's. A group's own
// default, written k=v,k=v, stands before those of the fields that it names. A
// [ByKey] is a group for each of several keys, for what differs between them.
//
// What a user writes never panics. A wrong tag is a mistake in the program;
// [Check] finds it, and every config's tests should call it.
package param

import (
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Field describes one parameter.
type Field struct {
	Path    string   // dotted, e.g. "jitter.mean"
	Type    string   // e.g. "duration", "list of durations", "durations by key"
	Unit    string   // may be empty
	Default string   // canonical text
	Range   string   // may be empty, as may Options
	Options []string //
	Help    string
	Keys    bool // any key may follow Path, as in "threshold.ball"
	List    bool
	File    bool   // the text names a file
	Join    string // what joins the items if the text is written as a list; empty if it may not be
}

// Value is what one parameter is set to.
type Value struct {
	Path   string
	Text   string  // canonical: equal values have equal texts
	Number float64 // in Unit, seconds for a duration; NaN if it is not a single number
	Unit   string
}

// Describe lists the parameters of the config that ptr points to, in the order
// of its fields.
func Describe(ptr any) []Field {
	fields := walk(ptr)
	out := make([]Field, len(fields))
	for i, f := range fields {
		f.value = reflect.New(f.value.Type()).Elem()
		if err := f.setDefault(); err == nil {
			f.Default = f.text()
		}
		out[i] = f.Field
	}
	for _, g := range groups(ptr) {
		out = append(out, g.describe())
	}
	return out
}

// Default returns a config with every parameter at its default. A default that cannot be read is a mistake in the program,
// which [Check] finds.
func Default[T any]() T {
	var config T
	if err := Defaults(&config); err != nil {
		panic(err)
	}
	return config
}

// Defaults gives every parameter its default. An error is a mistake in a tag.
func Defaults(ptr any) error {
	for _, f := range walk(ptr) {
		if err := f.setDefault(); err != nil {
			return fmt.Errorf("default of %w", err)
		}
	}
	return nil
}

// Set gives one parameter a value. The error is an [*Error].
func Set(ptr any, path, value string) error {
	f, key, err := find(ptr, path)
	if g, key, rest, ok := split(ptr, path); err != nil && ok {
		return g.setIn(key, rest, value)
	}
	if err != nil {
		return err
	}
	if key != "" {
		return f.setKey(key, value)
	}
	return f.setAll(value)
}

// SetAll gives parameters values by their paths, in the order of these, so that of several mistakes the same one is always
// found first. The error is an [*Error].
func SetAll(ptr any, values map[string]string) error {
	for _, path := range slices.Sorted(maps.Keys(values)) {
		if err := Set(ptr, path, values[path]); err != nil {
			return err
		}
	}
	return nil
}

// Get returns one parameter's value. The error is an [*Error].
func Get(ptr any, path string) (Value, error) {
	f, key, err := find(ptr, path)
	if g, key, rest, ok := split(ptr, path); err != nil && ok {
		if v, ok := g.value(key, rest); ok {
			return v, nil
		}
	}
	if err != nil {
		return Value{}, err
	}
	if key == "" {
		return f.whole(), nil
	}
	v := f.value.MapIndex(reflect.ValueOf(key))
	if !v.IsValid() {
		return Value{}, unknown(ptr, path)
	}
	return f.single(path, v), nil
}

// Lookup describes one parameter. A key of a map is described as its map is.
func Lookup(ptr any, path string) (Field, error) {
	f, _, err := find(ptr, path)
	if g, key, rest, ok := split(ptr, path); err != nil && ok {
		field, err := Lookup(g.empty(), rest)
		field.Path = join(join(g.path, key), field.Path)
		return field, err
	}
	if err != nil {
		return Field{}, err
	}
	return f.Field, nil
}

// Values returns the values of all parameters in the order of the fields, the
// keys of maps in alphabetical order.
func Values(ptr any) []Value {
	var out []Value
	for _, f := range walk(ptr) {
		if !f.Keys {
			out = append(out, f.whole())
			continue
		}
		for _, key := range f.keys() {
			out = append(out, f.single(f.Path+"."+key, f.value.MapIndex(reflect.ValueOf(key))))
		}
	}
	for _, g := range groups(ptr) {
		out = append(out, g.values()...)
	}
	return out
}

// Changed returns the texts of the parameters that are not at their defaults, by their paths.
func Changed(ptr any) map[string]string {
	defaults := map[string]string{}
	for _, f := range Describe(ptr) {
		defaults[f.Path] = f.Default
	}
	changed := map[string]string{}
	for _, v := range Values(ptr) {
		if text, ok := defaults[v.Path]; !ok || text != v.Text {
			changed[v.Path] = v.Text
		}
	}
	return changed
}

// Validate finds what is wrong with a config, whoever filled it in: first what its tags do not allow, which is an [*Error],
// then what tags cannot say. For that the config, and the structs within it, may have a method Validate() error, which finds
// every single parameter to be as its tag wants it.
func Validate(ptr any) error {
	if ptr == nil {
		return nil
	}
	for _, f := range walk(ptr) {
		if err := f.allowed(); err != nil {
			return err
		}
	}
	return validate(reflect.ValueOf(ptr), "")
}

func validate(ptr reflect.Value, path string) error {
	if v, ok := ptr.Interface().(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			if path != "" {
				return fmt.Errorf("%s: %w", path, err)
			}
			return err
		}
	}
	for i := range ptr.Elem().NumField() {
		sf := ptr.Elem().Type().Field(i)
		name := sf.Tag.Get("param")
		// An embedded struct's method is its parent's own; calling it on both
		// would only repeat it.
		if sf.Type.Kind() != reflect.Struct || !sf.IsExported() || name == "-" || sf.Anonymous || isKeyed(sf.Type) {
			continue
		}
		if err := validate(ptr.Elem().Field(i).Addr(), join(path, name)); err != nil {
			return err
		}
	}
	return nil
}

// field is a parameter together with the place where its value lives.
type field struct {
	Field
	value       reflect.Value
	kind        kind // of a single value
	defaultText string
	least, most string // the two ends of the range, as written
}

// walk finds the parameters of a config. It keeps going when a tag is wrong;
// that is for Check to say. A nil config has no parameters.
func walk(ptr any) []field {
	if ptr == nil {
		return nil
	}
	v := reflect.ValueOf(ptr)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("param: %T is not a pointer to a struct", ptr))
	}
	return walkStruct(v.Elem(), "")
}

func walkStruct(v reflect.Value, path string) []field {
	var out []field
	for i := range v.NumField() {
		sf := v.Type().Field(i)
		name := sf.Tag.Get("param")
		switch {
		case !sf.IsExported() || name == "-" || isKeyed(sf.Type):
		case sf.Type.Kind() == reflect.Struct && (name != "" || sf.Anonymous):
			group := walkStruct(v.Field(i), join(path, name))
			for key, text := range pairs(sf.Tag.Get("default")) {
				if at := slices.IndexFunc(group, func(f field) bool { return f.Path == join(join(path, name), key) }); at >= 0 {
					group[at].defaultText = text
				}
			}
			out = append(out, group...)
		case name != "":
			out = append(out, newField(v.Field(i), sf.Tag, join(path, name)))
		}
	}
	return out
}

// pairs runs through a text of the form k=v,k=v.
func pairs(text string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for pair := range strings.SplitSeq(text, ",") {
			if key, value, ok := strings.Cut(pair, "="); ok && !yield(key, value) {
				return
			}
		}
	}
}

func newField(v reflect.Value, tag reflect.StructTag, path string) field {
	f := field{value: v, defaultText: tag.Get("default")}
	f.Path = path
	f.Unit = tag.Get("unit")
	f.Range = tag.Get("range")
	f.Help = tag.Get("help")
	f.File = tag.Get("file") == "true"
	f.Join = tag.Get("join")
	if options := tag.Get("options"); options != "" {
		f.Options = strings.Split(options, "|")
	}
	f.least, f.most, _ = strings.Cut(f.Range, "..")

	single := v.Type()
	switch single.Kind() {
	case reflect.Map:
		f.Keys, single = true, single.Elem()
	case reflect.Slice:
		f.List, single = true, single.Elem()
	}
	f.kind = kindOf(single, f.Unit)
	if f.kind == durations {
		f.Unit = "s"
	}
	f.Type = f.kind.one()
	if f.File {
		f.Type = "file"
	}
	switch {
	case f.Keys:
		f.Type = f.kind.many() + " by key"
	case f.List:
		f.Type = "list of " + f.kind.many()
	}
	return f
}

// find returns the field of a path and, if the path leads into a map, the key.
func find(ptr any, path string) (f field, key string, err error) {
	for _, f := range walk(ptr) {
		if f.Path == path {
			return f, "", nil
		}
		if rest, ok := strings.CutPrefix(path, f.Path+"."); ok && f.Keys && validKey(rest) {
			return f, rest, nil
		}
	}
	return field{}, "", unknown(ptr, path)
}

func unknown(ptr any, path string) error {
	var known []string
	for _, f := range walk(ptr) {
		known = append(known, f.Path)
		if f.Keys {
			for _, key := range f.keys() {
				known = append(known, f.Path+"."+key)
			}
		}
	}
	for _, g := range groups(ptr) {
		known = append(known, g.nearBy(path)...)
	}
	return &Error{Path: path, Unknown: true, Nearest: Nearest(path, known), Known: known}
}

// validKey says whether text can be a key of a map: it must survive being a
// part of a path and of a list.
func validKey(text string) bool {
	return text != "" && !strings.ContainsAny(text, ".,= \t\n")
}

func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}
