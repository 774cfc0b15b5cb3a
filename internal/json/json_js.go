package json

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"syscall/js"
)

// Unmarshal reads a text into what v points to. It knows what our own structs need: strings, booleans, numbers (also as
// strings), slices, maps from strings, structs in and within structs. Whole numbers without ",string" end at 2⁵³.
func Unmarshal(text []byte, v any) (err error) {
	defer func() { // the browser throws at what is not JSON
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("not JSON: %v", thrown)
		}
	}()
	return set(reflect.ValueOf(v).Elem(), js.Global().Get("JSON").Call("parse", string(text)), false)
}

// set sets a variable to a value; quoted ones are numbers that were written as strings.
func set(to reflect.Value, v js.Value, quoted bool) error {
	list := v.InstanceOf(js.Global().Get("Array"))
	switch kind := to.Kind(); {
	case v.IsUndefined() || v.IsNull():
		return nil
	case kind == reflect.Struct && v.Type() == js.TypeObject && !list:
		return setFields(to, v)
	case kind == reflect.Slice && list:
		to.Set(reflect.MakeSlice(to.Type(), v.Length(), v.Length()))
		for i := range v.Length() {
			if err := set(to.Index(i), v.Index(i), false); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
		return nil
	case kind == reflect.Map && v.Type() == js.TypeObject && !list:
		return setEntries(to, v)
	case kind == reflect.String && v.Type() == js.TypeString:
		to.SetString(v.String())
		return nil
	case kind == reflect.Bool && v.Type() == js.TypeBoolean:
		to.SetBool(v.Bool())
		return nil
	case to.CanInt() || to.CanUint() || to.CanFloat():
		return setNumber(to, v, quoted)
	}
	return fmt.Errorf("cannot read a %v into a %v", v.Type(), to.Type())
}

func setFields(to reflect.Value, v js.Value) error {
	for i := range to.NumField() {
		field := to.Type().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "": // its fields are the parent's
			if err := setFields(to.Field(i), v); err != nil {
				return err
			}
			continue
		case name == "-" || !field.IsExported():
			continue
		case name == "":
			name = field.Name
		}
		if err := set(to.Field(i), v.Get(name), options == "string"); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func setEntries(to reflect.Value, v js.Value) error {
	keys := js.Global().Get("Object").Call("keys", v)
	to.Set(reflect.MakeMapWithSize(to.Type(), keys.Length()))
	for i := range keys.Length() {
		key, value := keys.Index(i).String(), reflect.New(to.Type().Elem()).Elem()
		if err := set(value, v.Get(key), false); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		to.SetMapIndex(reflect.ValueOf(key).Convert(to.Type().Key()), value)
	}
	return nil
}

var errRange = errors.New("a number that does not fit")

func setNumber(to reflect.Value, v js.Value, quoted bool) error {
	if quoted != (v.Type() == js.TypeString) || !quoted && v.Type() != js.TypeNumber {
		return fmt.Errorf("cannot read a %v into a %v", v.Type(), to.Type())
	}
	text := ""
	if quoted {
		text = v.String()
	} else if n := v.Float(); n == math.Trunc(n) && math.Abs(n) <= 1<<53 {
		text = strconv.FormatInt(int64(n), 10)
	} else {
		text = strconv.FormatFloat(n, 'g', -1, 64)
	}
	switch {
	case to.CanInt():
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || to.OverflowInt(n) {
			return errRange
		}
		to.SetInt(n)
	case to.CanUint():
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || to.OverflowUint(n) {
			return errRange
		}
		to.SetUint(n)
	default:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return errRange
		}
		to.SetFloat(n)
	}
	return nil
}
