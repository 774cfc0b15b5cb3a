package param

import (
	"slices"
	"strings"
	"testing"

	"throng/world"
)

type engine struct {
	Power int        `param:"power" default:"5" range:"0..10" help:"x"`
	Lag   world.Time `param:"lag" default:"1s" help:"x"`
	Fuel  struct {
		Sort string `param:"sort" default:"gas" options:"gas|oil" help:"x"`
	} `param:"fuel"`
}

type fleet struct {
	Engine engine        `param:"engine"`
	Ship   ByKey[engine] `param:"*" help:"by ship"`
	Port   ByKey[engine] `param:"port" help:"by port"`
}

func TestByKey(t *testing.T) {
	if err := Check(new(fleet)); err != nil {
		t.Fatal(err)
	}
	var f fleet
	if err := Defaults(&f); err != nil {
		t.Fatal(err)
	}
	before := f.Ship
	for _, set := range []string{"ariel.power=7", "port.rome.lag=0.5s", "ariel.fuel.sort=oil", "engine.power=9", "zoe.lag=2s", "ariel.power=8"} {
		path, text, _ := strings.Cut(set, "=")
		if err := Set(&f, path, text); err != nil {
			t.Fatal(err)
		}
	}
	if len(before.Keys()) > 0 {
		t.Error("a copy of the config was changed, too")
	}
	var all []string
	for _, v := range Values(&f) {
		if strings.Count(v.Path, ".") > 0 {
			all = append(all, v.Path+"="+v.Text)
		}
	}
	want := []string{"engine.power=9", "engine.lag=1s", "engine.fuel.sort=gas", "ariel.power=8", "ariel.fuel.sort=oil", "zoe.lag=2s", "port.rome.lag=500ms"}
	if !slices.Equal(all, want) {
		t.Errorf("got  %q\nwant %q", all, want)
	}
	own := engine{Power: 1, Lag: 3}
	f.Ship.Apply("ariel", &own)
	if own.Power != 8 || own.Lag != 3 || own.Fuel.Sort != "oil" {
		t.Errorf("applied: %+v", own)
	}
	if f.Ship.Has("ariel", "lag") || !f.Ship.Has("zoe", "lag") {
		t.Error("Has is wrong about lag")
	}
	if v, err := Get(&f, "port.rome.lag"); err != nil || v.Number != 0.5 || v.Unit != "s" {
		t.Errorf("got %+v, %v", v, err)
	}
	if field, err := Lookup(&f, "nina.power"); err != nil || field.Path != "nina.power" || field.Range != "0..10" {
		t.Errorf("looked up %+v, %v", field, err)
	}
	if got := Changed(&f); len(got) != 5 || got["zoe.lag"] != "2s" {
		t.Errorf("changed: %v", got)
	}
	var described []string
	for _, f := range Describe(&f) {
		described = append(described, f.Path)
	}
	if n := len(described); described[n-2] != "KEY.…" || described[n-1] != "port.KEY.…" {
		t.Errorf("described: %q", described)
	}
}

func TestByKeyErrors(t *testing.T) {
	var f fleet
	for set, want := range map[string]string{
		"ariel.power=11":    `ariel.power: "11" is too large; allowed: 0..10`,
		"ariel.powr=1":      `unknown key "ariel.powr"; did you mean "ariel.power"?`,
		"port.rome.powr=1":  `unknown key "port.rome.powr"; did you mean "port.rome.power"?`,
		"port.rome=1":       `unknown key "port.rome"; did you mean "port.power"?`,
		"ariel.fuel.sort=x": `ariel.fuel.sort: "x" is none of the options; allowed: gas, oil`,
		"a b.power=1":       `unknown key "a b.power"; known: engine.power, engine.lag, engine.fuel.sort, port.KEY`,
	} {
		path, text, _ := strings.Cut(set, "=")
		err := Set(&f, path, text)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", set, err, want)
		}
	}
	if len(Values(&f)) != 3 {
		t.Errorf("something is set after all: %v", Values(&f))
	}
	if _, err := Get(&f, "ariel.power"); err == nil {
		t.Error("what is not set has a value")
	}
	type silent struct {
		Ship ByKey[engine] `param:"*"`
	}
	if err := Check(new(silent)); err == nil {
		t.Error("no help is needed")
	}
}
