package param

import (
	"errors"
	"testing"

	"throng/world"
)

type invalidDefaults struct {
	N int `param:"n" help:"x"`
}

func (*invalidDefaults) Validate() error { return errors.New("n must not be 0") }

func TestCheckFindsMistakes(t *testing.T) {
	for _, c := range []struct {
		config any
		want   string
	}{
		{0, "int is not a pointer to a struct"},
		{&struct{ N int }{}, `field N: has no name; use param:"-" if it is not a parameter`},
		{&struct {
			n int `param:"n" help:"x"`
		}{}, "field n: is not exported"},
		{&struct {
			N int `param:"N" help:"x"`
		}{}, `field N: name "N" is not lower-case words joined by hyphens`},
		{&struct {
			N int `param:"n" help:"x" defualt:"1"`
		}{}, `field N: unknown tag "defualt"`},
		{&struct {
			N int `param:"n"`
		}{}, "n: has no help"},
		{&struct {
			G struct {
				N int `param:"n" help:"x"`
			} `param:"g" default:"n=1,m=2"`
		}{}, `field G: there is no "m" to give a default`},
		{&struct {
			N uint8 `param:"n" help:"x"`
		}{}, "n: parameters cannot have type uint8"},
		{&struct {
			N map[int]int `param:"n" help:"x"`
		}{}, "n: parameters cannot have type map[int]int"},
		{&struct {
			N int `param:"n" help:"x" default:"0" range:"1..2"`
		}{}, `n: default: n: "0" is too small; allowed: 1..2`},
		{&struct {
			N int `param:"n" help:"x" range:"1..2"`
		}{}, "n: has no default, and the zero value is not allowed"},
		{&struct {
			N int `param:"n" help:"x" default:"1" range:"2..1"`
		}{}, "n: range \"2..1\" is empty\nn: default: n: \"1\" is too small; allowed: 2..1"},
		{&struct {
			N world.Time `param:"n" help:"x" range:"0..5"`
		}{}, `n: range "0..5" cannot be read`},
		{&struct {
			N int `param:"n" help:"x" default:"6" range:"5"`
		}{}, `n: range "5" does not fit a whole number`},
		{&struct {
			N string `param:"n" help:"x" range:"a..b"`
		}{}, `n: range "a..b" does not fit a text`},
		{&struct {
			N int `param:"n" help:"x" options:"1|2"`
		}{}, "n: only a text has options, names a file or is joined\nn: has no default, and the zero value is not allowed"},
		{&struct {
			A int `param:"n" help:"x"`
			B int `param:"n" help:"x"`
		}{}, "n: two parameters have this name"},
		{&struct {
			G struct {
				N int `param:"n"`
			} `param:"g"`
		}{}, "g.n: has no help"},
		{&invalidDefaults{}, "the defaults do not pass Validate: n must not be 0"},
	} {
		err := Check(c.config)
		if err == nil {
			t.Errorf("%T is accepted, want: %s", c.config, c.want)
		} else if err.Error() != c.want {
			t.Errorf("%T:\ngot  %s\nwant %s", c.config, err, c.want)
		}
	}
}
