package world

import (
	"math"
	"testing"

	"throng/world/fixed"
)

func TestTimeString(t *testing.T) {
	for _, test := range []struct {
		t    Time
		want string
	}{
		{0, "0s"},
		{1, "1ns"},
		{-1, "-1ns"},
		{999, "999ns"},
		{Microsecond, "1µs"},
		{1050, "1.05µs"},
		{20 * Millisecond, "20ms"},
		{-Millisecond / 2, "-500µs"},
		{Second + Second/2, "1.5s"},
		{-Second - 1, "-1.000000001s"},
		{90 * Minute, "5400s"},
		{math.MinInt64, "-9223372036.854775808s"},
		{Never - 1, "9223372036.854775806s"},
		{Never, "never"},
	} {
		if got := test.t.String(); got != test.want {
			t.Errorf("%d ns is %s, want %s", int64(test.t), got, test.want)
		}
	}
}

func TestTicksIn(t *testing.T) {
	for _, test := range []struct {
		span, length Time
		want         Tick
	}{
		{-5, 10, 0}, {0, 10, 0}, {1, 10, 1}, {10, 10, 1}, {11, 10, 2}, {100, 10, 10},
		{Never, Second, 9223372037}, {Never, 1, math.MaxInt64},
	} {
		if got := TicksIn(test.span, test.length); got != test.want {
			t.Errorf("%d ticks of %d in %d, want %d", got, test.length, test.span, test.want)
		}
	}
}

func TestSeconds(t *testing.T) {
	if got := Seconds(1500 * Millisecond); got != fixed.One+fixed.One/2 {
		t.Errorf("1.5 s is %v", got)
	}
	if got := Seconds(-Second); got != -fixed.One {
		t.Errorf("-1 s is %v", got)
	}
}

func TestDriftGoesStraightAhead(t *testing.T) {
	o := Object{Pos: fixed.Vec{X: fixed.One}, Vel: fixed.Vec{X: 2 * fixed.One, Z: -4 * fixed.One}}
	Drift(&o, Second/2)
	if want := (fixed.Vec{X: 2 * fixed.One, Z: -2 * fixed.One}); o.Pos != want {
		t.Errorf("at %v, want %v", o.Pos, want)
	}
}
