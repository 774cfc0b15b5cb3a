package fixed

import (
	"encoding/binary"
	"hash/fnv"
	"testing"
)

// TestSameBitsEverywhere holds on every target and after every change. The approximations may be off within their
// bounds, but never differently: a new digest means that recorded worlds no longer replay.
func TestSameBitsEverywhere(t *testing.T) {
	const want uint64 = 0x43a1eb0f06e6ce52
	digest := fnv.New64a()
	note := func(values ...F) {
		var buf [8]byte
		for _, v := range values {
			binary.LittleEndian.PutUint64(buf[:], uint64(v))
			digest.Write(buf[:])
		}
	}
	x := uint64(1)
	next := func() F { // a number of random size from a xorshift generator
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		return F(x) >> (x & 63)
	}
	for range 10_000 {
		v, o := Vec{next(), next(), next()}, Vec{next(), next(), next()}
		a := Angle(x)
		note(v.X.Mul(o.X), v.X.Div(o.X|1), v.X.Sqrt(), Exp(v.X), Log(v.X&Max|1))
		note(Sin(a), Cos(a), F(v.Heading()), v.Len(), v.Dist(o), v.Dot(o), v.Cross2(o))
		unit, limited := v.Unit(), v.Limit(o.X)
		note(unit.X, unit.Y, unit.Z, limited.X, limited.Y, limited.Z)
	}
	if got := digest.Sum64(); got != want {
		t.Errorf("digest %#x, want %#x", got, want)
	}
}
