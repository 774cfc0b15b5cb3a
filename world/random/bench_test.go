package random

import (
	"testing"

	"throng/world/fixed"
)

var sink uint64

func BenchmarkUint64(b *testing.B) {
	b.ReportAllocs()
	s := New(1, "bench")
	for b.Loop() {
		sink += s.Uint64()
	}
}

func BenchmarkBelow(b *testing.B) {
	b.ReportAllocs()
	s := New(1, "bench")
	for b.Loop() {
		sink += s.Below(1000)
	}
}

func BenchmarkOf(b *testing.B) {
	b.ReportAllocs()
	tick := uint64(0)
	for b.Loop() {
		s := Of(1, tick, 42)
		sink += s.Uint64()
		tick++
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	key := uint64(0)
	for b.Loop() {
		s := New(1, "network loss", key)
		sink += s.Uint64()
		key++
	}
}

func BenchmarkExponential(b *testing.B) {
	b.ReportAllocs()
	s := New(1, "bench")
	for b.Loop() {
		sink += uint64(s.Exponential(fixed.One))
	}
}

func BenchmarkNormal(b *testing.B) {
	b.ReportAllocs()
	s := New(1, "bench")
	for b.Loop() {
		sink += uint64(s.Normal(0, fixed.One))
	}
}
