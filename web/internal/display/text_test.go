package display

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"unicode/utf8"
)

func TestTextIsJSON(t *testing.T) {
	j := NewText()
	j.Open("")
	j.String("quote", "a \"b\" \\ \n\x01 ü")
	j.Int("int", -3)
	j.Number("half", 0.5)
	j.Number("none", math.NaN())
	j.Bool("yes", true)
	j.List("list")
	j.Int("", 1)
	j.Open("")
	j.Close()
	j.EndList()
	j.Close()
	var got map[string]any
	if err := json.Unmarshal(j.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, j.Bytes())
	}
	want := map[string]any{"quote": "a \"b\" \\ \n\x01 ü", "int": -3., "half": .5, "none": nil, "yes": true, "list": []any{1., map[string]any{}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v instead of %v", got, want)
	}
}

func FuzzText(f *testing.F) {
	f.Add("x", "y")
	f.Fuzz(func(t *testing.T, name, value string) {
		j := NewText()
		j.Open("")
		j.String(name+"!", value)
		j.Close()
		var got map[string]string
		if err := json.Unmarshal(j.Bytes(), &got); err != nil {
			t.Fatalf("%v in %q", err, j.Bytes())
		}
		if utf8.ValidString(name) && utf8.ValidString(value) && got[name+"!"] != value {
			t.Errorf("%q instead of %q", got, value)
		}
	})
}
