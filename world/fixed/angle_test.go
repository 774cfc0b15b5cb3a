package fixed

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

const fullTurn = 1 << 32

func radians(a Angle) float64 { return float64(a) / fullTurn * 2 * math.Pi }

func TestSinAndCosAreWithinTheirBound(t *testing.T) {
	const bound = 0.6
	check := func(a Angle) {
		if off := units(Sin(a), math.Sin(radians(a))); off > bound {
			t.Fatalf("Sin(%d) is off by %v units", a, off)
		}
		if off := units(Cos(a), math.Cos(radians(a))); off > bound {
			t.Fatalf("Cos(%d) is off by %v units", a, off)
		}
	}
	const stride = 10007
	for a := uint64(0); a < fullTurn; a += stride {
		check(Angle(a))
	}
	for quarter := range Angle(4) {
		for d := range Angle(1000) {
			check(quarter*QuarterTurn + d)
			check(quarter*QuarterTurn - d)
		}
	}
}

func TestSinIsExactAtQuarterTurns(t *testing.T) {
	for quarter, want := range []F{0, One, 0, -One} {
		if got := Sin(Angle(quarter) * QuarterTurn); got != want {
			t.Errorf("Sin of %d quarter turns = %v, want %v", quarter, got, want)
		}
	}
}

func TestSinIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Angle(rapid.Uint32().Draw(t, "a"))
		if Sin(-a) != -Sin(a) || Cos(-a) != Cos(a) || Sin(HalfTurn-a) != Sin(a) {
			t.Fatalf("the sine or cosine of %d is not that of its mirror images", a)
		}
		if Sin(a).Abs() > One {
			t.Fatalf("Sin(%d) = %v", a, Sin(a))
		}
	})
}

func TestAtan2IsWithinItsBound(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, y, x F) {
		got := Atan2(y, x)
		want := math.Atan2(float64(y), float64(x)) / (2 * math.Pi) * fullTurn
		off := math.Abs(math.Remainder(float64(got)-want, fullTurn))
		if off > 1.25 {
			t.Fatalf("Atan2(%d, %d) = %d, which is off by %v", y, x, got, off)
		}
		if y != Min && Atan2(-y, x) != -got {
			t.Fatalf("Atan2(%d, %d) is not the mirror image of Atan2(%d, %d)", -y, x, y, x)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, number().Draw(t, "y"), number().Draw(t, "x")) })
	for a := uint64(0); a < fullTurn; a += 100003 {
		const far = 400_000_000_003
		check(t, Sin(Angle(a)).MulInt(far), Cos(Angle(a)).MulInt(far))
	}
}

func TestAtan2IsExactOnAxesAndDiagonals(t *testing.T) {
	for _, r := range []F{1, 3, One, Max} {
		for i, v := range []Vec{
			{X: r}, {X: r, Y: r}, {Y: r}, {X: -r, Y: r}, {X: -r}, {X: -r, Y: -r}, {Y: -r}, {X: r, Y: -r},
		} {
			if got, want := v.Heading(), Angle(i)*(QuarterTurn/2); got != want {
				t.Errorf("heading of %v = %d, want %d", v, got, want)
			}
		}
	}
	if got := (Vec{}).Heading(); got != 0 {
		t.Errorf("heading of the zero vector = %d", got)
	}
}

func TestPolarAndHeadingUndoEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Angle(rapid.Uint32().Draw(t, "a"))
		// A unit of the last place at distance 1 is 2⁻²⁴ radians, about 41 of the 2³² units of a turn.
		if off := int32(Polar(One, a).Heading() - a); off < -41 || off > 41 {
			t.Fatalf("heading %d comes back off by %d", a, off)
		}
	})
}

func TestDegrees(t *testing.T) {
	for n, want := range map[int64]Angle{
		0: 0, 90: QuarterTurn, 180: HalfTurn, -90: 3 * QuarterTurn, 360: 0, 450: QuarterTurn, -720: 0,
		45: QuarterTurn / 2, 1: 11930465, -1: 4283036831,
	} {
		if got := Degrees(n); got != want {
			t.Errorf("Degrees(%d) = %d, want %d", n, got, want)
		}
	}
}
