// Package plain writes what is not compressed as a Zstandard frame all the same (RFC 8878).
package plain

import "encoding/binary"

const (
	magic      = 0xFD2FB528
	descriptor = 2<<6 | 1<<5 // the length of the content follows, in four bytes; one segment
	blockMax   = 128 << 10
	last, raw  = 1, 0 << 1
)

// AppendFrame appends a frame that holds src.
func AppendFrame(dst, src []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, magic)
	dst = append(dst, descriptor)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(src)))
	for {
		n := min(len(src), blockMax)
		head := uint32(n)<<3 | raw
		if n == len(src) {
			head |= last
		}
		dst = append(dst, byte(head), byte(head>>8), byte(head>>16))
		dst = append(dst, src[:n]...)
		if src = src[n:]; len(src) == 0 {
			return dst
		}
	}
}
