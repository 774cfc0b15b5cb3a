package aggregate

import (
	"throng/mechanism"
	"throng/mechanism/parts/octree"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// CloudMax is what a cloud takes on the wire, at most, in a world of ordinary size; usually it is a dozen bytes.
const CloudMax = 40

// motionUnit is how exactly motions are told.
const motionUnit = fixed.One / 16

// Append appends a cloud.
func Append(dst []byte, c Cloud) []byte {
	shift := octree.AxisBits - c.Code.Depth
	dst = append(dst, c.Code.Depth)
	dst = wire.AppendUint(dst, c.Code.Low.X>>shift)
	dst = wire.AppendUint(dst, c.Code.Low.Y>>shift)
	dst = wire.AppendUint(dst, c.Code.Low.Z>>shift)
	dst = wire.AppendUint(dst, uint64(c.Kind))
	dst = wire.AppendUint(dst, uint64(c.Count))
	for _, v := range [...]fixed.F{c.Motion.X, c.Motion.Y, c.Motion.Z} {
		dst = wire.AppendInt(dst, int64(v/motionUnit))
	}
	return dst
}

// countMax and motionMax bound what is believed of a cloud.
const (
	countMax  = 1 << 31
	motionMax = 1 << 31
)

// Read reads what Append wrote, as it is in a world.
func Read(r *wire.Reader, s octree.Space, schema *world.Schema) mechanism.Cloud {
	depth := r.Byte()
	if depth > octree.AxisBits {
		r.Fail()
		return mechanism.Cloud{}
	}
	shift := octree.AxisBits - depth
	code := octree.Code{Depth: depth}
	code.Low.X = r.UintMax(1<<depth-1) << shift
	code.Low.Y = r.UintMax(1<<depth-1) << shift
	code.Low.Z = r.UintMax(1<<depth-1) << shift
	c := mechanism.Cloud{Box: s.Box(code), Kind: world.KindID(r.UintMax(uint64(len(schema.Kinds) - 1)))}
	c.Count = int(r.UintMax(countMax))
	for _, v := range [...]*fixed.F{&c.Motion.X, &c.Motion.Y, &c.Motion.Z} {
		n := r.Int()
		if n < -motionMax || n > motionMax {
			r.Fail()
		}
		*v = fixed.F(n) * motionUnit
	}
	return c
}
