package update

import (
	"encoding/binary"
	"math/bits"

	"throng/world/wire"
)

// A column is the least of its numbers and how much each is above that, all in as many bits as the largest needs. It is for those
// who are present, or, where the lowest bit of its first byte is set, for some of them.

// columnSize is how many bytes a column of all takes, of which the least number takes so many.
func columnSize(count, least, width int) int { return 1 + least + packedSize(count, width) }

// packedSize is how many bytes numbers of so many bits take.
func packedSize(count, width int) int { return (count*width + 7) / 8 }

// appendColumn appends the numbers of some of those who are present: of one at least.
func appendColumn(dst []byte, units *[CrowdMax]int64, some, present uint32) []byte {
	low := units[bits.TrailingZeros32(some)]
	high := low
	for rest := some & (some - 1); rest != 0; rest &= rest - 1 {
		n := units[bits.TrailingZeros32(rest)]
		low, high = min(low, n), max(high, n)
	}
	width := bits.Len64(uint64(high - low))
	if some == present {
		dst = append(dst, byte(width<<1))
	} else {
		dst = wire.AppendUint(append(dst, byte(width<<1|1)), uint64(some))
	}
	dst = wire.AppendInt(dst, low)
	var packed uint64
	filled := 0
	for rest := some; rest != 0; rest &= rest - 1 {
		n := uint64(units[bits.TrailingZeros32(rest)] - low)
		packed |= n << filled
		if filled += width; filled >= 64 {
			dst = binary.LittleEndian.AppendUint64(dst, packed)
			filled -= 64
			packed = n >> (width - filled)
		}
	}
	for ; filled > 0; filled -= 8 {
		dst = append(dst, byte(packed))
		packed >>= 8
	}
	return dst
}

// readColumn reads what appendColumn wrote into the k-th number of some things.
func readColumn(r *wire.Reader, things *[CrowdMax]thing, k int, present uint32) {
	head := r.Byte()
	width, some := int(head>>1), present
	if head&1 != 0 {
		some = uint32(r.UintMax(1<<CrowdMax - 1))
	}
	low := r.Int()
	if width > 64 || some&^present != 0 {
		r.Fail()
	}
	packed := r.Next(packedSize(bits.OnesCount32(some), width))
	if r.Failed() {
		return
	}
	at := 0 // in bits
	for ; some != 0; some &= some - 1 {
		n := uint64(0)
		for got := 0; got < width; {
			take := min(8-at%8, width-got)
			n |= uint64(packed[at/8]>>(at%8)&(1<<take-1)) << got
			got += take
			at += take
		}
		u := &things[bits.TrailingZeros32(some)].units
		u[k] = low + int64(n)
		if u[0] < 0 || u[0] > 1<<32-1 {
			r.Fail()
		}
	}
}
