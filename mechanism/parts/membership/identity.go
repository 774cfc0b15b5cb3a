package membership

import "throng/world/wire"

// Identity tells apart those who speak from one place: which of its holders it is, and in which of that holder's lives.
type Identity struct {
	Epoch uint32 // of the holder: the session's
	Life  uint32 // how often the holder has begun anew
}

// After reports whether an identity is later than another.
func (i Identity) After(o Identity) bool {
	return i.Epoch > o.Epoch || i.Epoch == o.Epoch && i.Life > o.Life
}

// lifeBits is how many bits of a number tell lives apart.
const lifeBits = 8

// Number is the identity in one number, which grows with it: for links and for fetching snapshots, which tell holders of a
// place apart by one. A holder's lives beyond the 255th share theirs.
func (i Identity) Number() uint32 { return i.Epoch<<lifeBits | min(i.Life, 1<<lifeBits-1) }

// Numbered is the identity that has a number.
func Numbered(n uint32) Identity { return Identity{n >> lifeBits, n & (1<<lifeBits - 1)} }

// Tag is a short form of the identity, for messages of which there are many: it tells the latest ones apart.
func (i Identity) Tag() uint16 { return uint16(i.Epoch<<4 | i.Life&15) }

// Append appends the identity.
func (i Identity) Append(dst []byte) []byte {
	return wire.AppendUint(wire.AppendUint(dst, uint64(i.Epoch)), uint64(i.Life))
}

// ReadIdentity reads what Append wrote.
func ReadIdentity(r *wire.Reader) Identity {
	return Identity{uint32(r.UintMax(1<<32 - 1)), uint32(r.UintMax(1<<32 - 1))}
}

// AppendTag appends the identity's short form.
func (i Identity) AppendTag(dst []byte) []byte { return append(dst, byte(i.Tag()), byte(i.Tag()>>8)) }

// ReadTag reads what AppendTag wrote.
func ReadTag(r *wire.Reader) uint16 { return uint16(r.Byte()) | uint16(r.Byte())<<8 }
