package param

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// ByKey is parameters that may be set otherwise for some keys than for all, such as for hosts of one role:
//
//	type Config struct {
//		Machine                          // host.up
//		Role param.ByKey[Machine] `param:"*" help:"…"` // host.server.up
//	}
//
// Which keys there are is not known here; whoever uses the config checks them. What is not set for a key stays as it is for
// all. With "*" for a name the keys stand where the field's name would.
type ByKey[T any] struct {
	texts map[string]map[string]string // canonical, by key and path
}

// Keys lists the keys for which something is set, in alphabetical order.
func (b *ByKey[T]) Keys() []string {
	var keys []string
	for key := range b.texts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// Has reports whether a parameter is set for a key.
func (b *ByKey[T]) Has(key, path string) bool {
	_, ok := b.texts[key][path]
	return ok
}

// Apply sets in a config what is set for a key.
func (b *ByKey[T]) Apply(key string, to *T) {
	for path, text := range b.texts[key] {
		if err := Set(to, path, text); err != nil {
			panic(err) // it was accepted before
		}
	}
}

// keyed is what this package needs to know of a ByKey.
type keyed interface {
	empty() any // a fresh T, for looking at
	get(key, path string) (text string, ok bool)
	set(key, path, text string)
	Keys() []string
}

func (b *ByKey[T]) empty() any { return new(T) }

func (b *ByKey[T]) get(key, path string) (string, bool) {
	text, ok := b.texts[key][path]
	return text, ok
}

// set leaves the maps as they were: somebody may share them.
func (b *ByKey[T]) set(key, path, text string) {
	texts := map[string]map[string]string{}
	for k, paths := range b.texts {
		texts[k] = paths
	}
	texts[key] = map[string]string{path: text}
	for p, t := range b.texts[key] {
		if p != path {
			texts[key][p] = t
		}
	}
	b.texts = texts
}

// group is a ByKey of a config.
type group struct {
	path string // what stands before the key; empty if nothing does
	help string
	keyed
}

// groups finds the ByKeys of a config.
func groups(ptr any) []group {
	if ptr == nil {
		return nil
	}
	return groupsIn(reflect.ValueOf(ptr).Elem(), "")
}

func groupsIn(v reflect.Value, path string) []group {
	var out []group
	for i := range v.NumField() {
		sf := v.Type().Field(i)
		name := sf.Tag.Get("param")
		if !sf.IsExported() || name == "-" || sf.Type.Kind() != reflect.Struct {
			continue
		}
		if k, ok := v.Field(i).Addr().Interface().(keyed); ok {
			out = append(out, group{join(path, strings.TrimPrefix(name, "*")), sf.Tag.Get("help"), k})
		} else if name != "" || sf.Anonymous {
			out = append(out, groupsIn(v.Field(i), join(path, name))...)
		}
	}
	return out
}

// isKeyed reports whether a struct is a ByKey rather than a group of fields.
func isKeyed(t reflect.Type) bool { return reflect.PointerTo(t).Implements(reflect.TypeFor[keyed]()) }

// split finds the group that a path leads into, with the key and the rest of the path. There is none if the rest is no parameter.
func split(ptr any, path string) (g group, key, rest string, ok bool) {
	for _, g := range groups(ptr) {
		below := path
		if g.path != "" {
			if below, ok = strings.CutPrefix(path, g.path+"."); !ok {
				continue
			}
		}
		key, rest, ok = strings.Cut(below, ".")
		if !ok || !validKey(key) {
			continue
		}
		if _, _, err := find(g.empty(), rest); err == nil {
			return g, key, rest, true
		}
	}
	return group{}, "", "", false
}

// setIn sets a parameter for a key.
func (g group) setIn(key, rest, text string) error {
	fresh := g.empty()
	if err := Set(fresh, rest, text); err != nil {
		var e *Error
		if errors.As(err, &e) {
			return e.Under(join(g.path, key))
		}
		return err
	}
	v, err := Get(fresh, rest)
	if err != nil {
		return err
	}
	g.set(key, rest, v.Text)
	return nil
}

// value is what is set for a key.
func (g group) value(key, rest string) (Value, bool) {
	text, ok := g.get(key, rest)
	if !ok {
		return Value{}, false
	}
	fresh := g.empty()
	if err := Set(fresh, rest, text); err != nil {
		panic(err) // it was accepted before
	}
	v, err := Get(fresh, rest)
	v.Path = join(join(g.path, key), rest)
	return v, err == nil
}

// values lists what is set, by key in alphabetical order and then in the order of the fields.
func (g group) values() []Value {
	var out []Value
	for _, key := range g.Keys() {
		for _, f := range walk(g.empty()) {
			if v, ok := g.value(key, f.Path); ok {
				out = append(out, v)
			}
		}
	}
	return out
}

// DescribeKeyed describes a parameter that is set for a key, such as server.up, by what it is for all; it reports whether there
// is one.
func DescribeKeyed(ptr any, path string) (f Field, ok bool) {
	g, _, rest, ok := split(ptr, path)
	if !ok {
		return Field{}, false
	}
	for _, f := range Describe(g.empty()) {
		if f.Path == rest {
			f.Path = path
			return f, true
		}
	}
	return Field{}, false
}

// describe says in one line that there are parameters by key.
func (g group) describe() Field {
	var names []string
	for _, f := range walk(g.empty()) {
		names = append(names, f.Path)
	}
	return Field{Path: join(g.path, "KEY") + ".…", Type: "parameters by key", Help: fmt.Sprintf("%s: %s", g.help, strings.Join(names, ", "))}
}

// nearBy lists the parameters of the key that a path names, for a mistyped one among them to be found.
func (g group) nearBy(path string) []string {
	below := path
	if g.path != "" {
		var ok bool
		if below, ok = strings.CutPrefix(path, g.path+"."); !ok {
			return []string{join(g.path, "KEY")}
		}
	}
	key, _, ok := strings.Cut(below, ".")
	if !ok || !validKey(key) {
		return nil
	}
	var known []string
	for _, f := range walk(g.empty()) {
		known = append(known, join(join(g.path, key), f.Path))
	}
	return known
}
