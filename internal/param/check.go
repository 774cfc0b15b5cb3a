package param

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

var knownTags = []string{"param", "help", "default", "range", "unit", "options", "file", "join"}

// Check finds mistakes in the tags of the config that ptr points to: everything
// that would make a parameter impossible to set, to explain or to leave alone.
// It is meant for tests and returns all mistakes at once.
func Check(ptr any) error {
	if ptr == nil {
		return nil
	}
	t := reflect.TypeOf(ptr)
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("%T is not a pointer to a struct", ptr)
	}
	errs := checkTags(t.Elem())

	fresh := reflect.New(t.Elem()).Interface()
	seen := map[string]bool{}
	for _, f := range walk(fresh) {
		if seen[f.Path] {
			errs = append(errs, fmt.Errorf("%s: two parameters have this name", f.Path))
		}
		seen[f.Path] = true
		for _, problem := range f.check() {
			errs = append(errs, fmt.Errorf("%s: %s", f.Path, problem))
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	if err := Defaults(fresh); err != nil {
		return err
	}
	if err := Validate(fresh); err != nil {
		return fmt.Errorf("the defaults do not pass Validate: %w", err)
	}
	return nil
}

// checkTags looks at what walk passes over.
func checkTags(t reflect.Type) []error {
	// Only tests come here. Compiled for all, the patterns would make the page in the browser a tenth larger.
	namePattern := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	tagPattern := regexp.MustCompile(`(\w+):"`)
	var errs []error
	for i := range t.NumField() {
		sf := t.Field(i)
		name, tagged := sf.Tag.Lookup("param")
		complain := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("field %s: "+format, append([]any{sf.Name}, args...)...))
		}
		if isKeyed(sf.Type) && name != "-" {
			if sf.Tag.Get("help") == "" {
				complain("has no help")
			}
			if name == "*" || namePattern.MatchString(name) {
				errs = append(errs, checkTags(reflect.TypeOf(reflect.New(sf.Type).Interface().(keyed).empty()).Elem())...)
				continue
			}
		}
		group := sf.Type.Kind() == reflect.Struct && !isKeyed(sf.Type)
		switch {
		case !sf.IsExported():
			if tagged {
				complain("is not exported")
			}
			continue
		case name == "-" || group && sf.Anonymous && !tagged:
		case !tagged:
			complain(`has no name; use param:"-" if it is not a parameter`)
		case !namePattern.MatchString(name):
			complain("name %q is not lower-case words joined by hyphens", name)
		}
		for _, match := range tagPattern.FindAllStringSubmatch(string(sf.Tag), -1) {
			if !slices.Contains(knownTags, match[1]) {
				complain("unknown tag %q", match[1])
			}
		}
		if group && name != "-" {
			for key := range pairs(sf.Tag.Get("default")) {
				if !slices.ContainsFunc(walkStruct(reflect.New(sf.Type).Elem(), ""), func(f field) bool { return f.Path == key }) {
					complain("there is no %q to give a default", key)
				}
			}
			errs = append(errs, checkTags(sf.Type)...)
		}
	}
	return errs
}

// check tries the tags of one parameter on an empty value.
func (f *field) check() (problems []string) {
	if f.kind == unsupported || f.Keys && f.value.Type().Key() != reflect.TypeFor[string]() {
		return []string{fmt.Sprintf("parameters cannot have type %s", f.value.Type())}
	}
	if f.Help == "" {
		problems = append(problems, "has no help")
	}
	if f.kind != texts && (f.File || len(f.Options) > 0 || f.Join != "") {
		problems = append(problems, "only a text has options, names a file or is joined")
	}
	if f.Range != "" {
		problems = append(problems, f.checkRange()...)
	}
	if f.defaultText != "" {
		if err := f.setDefault(); err != nil {
			problems = append(problems, "default: "+err.Error())
		}
	} else if !f.Keys && !f.List && !(f.kind == texts && len(f.Options) == 0) {
		if _, err := f.parse(f.Path, f.kind.write(f.value)); err != nil {
			problems = append(problems, "has no default, and the zero value is not allowed")
		}
	}
	return problems
}

func (f *field) checkRange() []string {
	if !f.kind.ordered() || !strings.Contains(f.Range, "..") {
		return []string{fmt.Sprintf("range %q does not fit a %s", f.Range, f.kind.one())}
	}
	lo, okLo := f.read(f.least)
	hi, okHi := f.read(f.most)
	switch {
	case f.least != "" && !okLo, f.most != "" && !okHi, f.least == "" && f.most == "":
		return []string{fmt.Sprintf("range %q cannot be read", f.Range)}
	case okLo && okHi && f.kind.less(hi, lo):
		return []string{fmt.Sprintf("range %q is empty", f.Range)}
	}
	return nil
}
