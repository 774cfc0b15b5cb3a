package fixed

import (
	"testing"
)

// samples are numbers of a world some kilometres wide: up to ±4096, with all fraction bits in use.
var samples = func() (s [1024]F) {
	x := uint64(1)
	for i := range s {
		x = x*6364136223846793005 + 1442695040888963407
		s[i] = F(int64(x) >> (63 - 12 - Shift))
	}
	return s
}()

var sink F

// run measures f on changing arguments, so that neither constants nor the branch predictor help.
func run(b *testing.B, f func(x, y F) F) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		sink += f(samples[i%len(samples)], samples[(i+7)%len(samples)])
		i++
	}
}

func BenchmarkMul(b *testing.B)    { run(b, func(x, y F) F { return x.Mul(y) }) }
func BenchmarkDiv(b *testing.B)    { run(b, func(x, y F) F { return x.Div(y) }) }
func BenchmarkSqrt(b *testing.B)   { run(b, func(x, _ F) F { return x.Abs().Sqrt() }) }
func BenchmarkLog(b *testing.B)    { run(b, func(x, _ F) F { return Log(x.Abs() | 1) }) }
func BenchmarkExp(b *testing.B)    { run(b, func(x, _ F) F { return Exp(x >> 10) }) }
func BenchmarkSin(b *testing.B)    { run(b, func(x, _ F) F { return Sin(Angle(x)) }) }
func BenchmarkAtan2(b *testing.B)  { run(b, func(x, y F) F { return F(Atan2(y, x)) }) }
func BenchmarkDot(b *testing.B)    { run(b, func(x, y F) F { return Vec{x, y, 0}.Dot(Vec{y, x, 0}) }) }
func BenchmarkLen(b *testing.B)    { run(b, func(x, y F) F { return Vec{x, y, 0}.Len() }) }
func BenchmarkUnit(b *testing.B)   { run(b, func(x, y F) F { return Vec{x, y, 0}.Unit().X }) }
func BenchmarkLimit(b *testing.B)  { run(b, func(x, y F) F { return Vec{x, y, 0}.Limit(One).X }) }
func BenchmarkPolar(b *testing.B)  { run(b, func(x, y F) F { return Polar(x, Angle(y)).X }) }
func BenchmarkParse(b *testing.B)  { run(b, func(F, F) F { x, _ := Parse("-1234.5678"); return x }) }
func BenchmarkString(b *testing.B) { run(b, func(x, _ F) F { return F(len(x.String())) }) }

func BenchmarkWithin(b *testing.B) {
	run(b, func(x, y F) F {
		if (Vec{x, y, 0}).Within(Vec{y, x, 0}, 100*One) {
			return 1
		}
		return 0
	})
}
