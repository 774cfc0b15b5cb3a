// Package wire reads and writes the compact byte formats that cross a network or reach a file.
//
// Writing is appending: the Append functions of encoding/binary serve for unsigned numbers, this package adds the few
// shapes that throng's formats share. Reading is through a Reader whose first failure sticks, so that a decoder reads a
// whole message in a straight line and asks once, at the end, whether all of it was sound. No input makes it panic, and
// it allocates nothing.
package wire

import (
	"encoding/binary"
	"errors"
	"iter"
)

// ErrMalformed is what a Reader reports for input that ends too early, is too long, or holds an impossible value.
var ErrMalformed = errors.New("malformed message")

// AppendInt appends a signed number; small magnitudes take few bytes.
func AppendInt(dst []byte, v int64) []byte { return binary.AppendVarint(dst, v) }

// AppendUint appends an unsigned number; small ones take few bytes.
func AppendUint(dst []byte, v uint64) []byte { return binary.AppendUvarint(dst, v) }

// AppendUint64 appends a number whose bits are all equally likely, such as a hash, in eight bytes.
func AppendUint64(dst []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(dst, v) }

// AppendBytes appends a byte string with its length before it.
func AppendBytes(dst, b []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(b)))
	return append(dst, b...)
}

// AppendList appends how many there are and each of them.
func AppendList[T any](dst []byte, list []T, one func([]byte, T) []byte) []byte {
	dst = AppendUint(dst, uint64(len(list)))
	for _, x := range list {
		dst = one(dst, x)
	}
	return dst
}

// Reader takes values off the front of a message. The zero Reader is an empty message.
type Reader struct {
	rest   []byte
	failed bool
}

// NewReader reads msg, which must not change while the Reader is in use.
func NewReader(msg []byte) Reader { return Reader{rest: msg} }

// Fail marks the message as malformed: for a decoder that finds a value which the format allows but sense does not.
func (r *Reader) Fail() {
	r.failed = true
	r.rest = nil
}

// Failed reports whether anything so far was malformed. Every value read since then was zero.
func (r *Reader) Failed() bool { return r.failed }

// Len is how many bytes are left.
func (r *Reader) Len() int { return len(r.rest) }

// Done ends the message: bytes left over are as wrong as bytes missing.
func (r *Reader) Done() error {
	if r.failed || len(r.rest) != 0 {
		return ErrMalformed
	}
	return nil
}

// Int reads what AppendInt wrote.
func (r *Reader) Int() int64 {
	v, n := binary.Varint(r.rest)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// Uint reads what AppendUint wrote.
func (r *Reader) Uint() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// UintMax reads an unsigned number that must not exceed max.
func (r *Reader) UintMax(max uint64) uint64 {
	v := r.Uint()
	if v > max {
		r.Fail()
		return 0
	}
	return v
}

// Uint64 reads what AppendUint64 wrote.
func (r *Reader) Uint64() uint64 {
	if len(r.rest) < 8 {
		r.Fail()
		return 0
	}
	v := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return v
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if len(r.rest) == 0 {
		r.Fail()
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// Bytes reads what AppendBytes wrote. The result points into the message.
func (r *Reader) Bytes() []byte {
	n := r.Uint()
	if n > uint64(len(r.rest)) {
		r.Fail()
		return nil
	}
	return r.Next(int(n))
}

// Next takes the next n bytes as they are. The result points into the message.
func (r *Reader) Next(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.Fail()
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// Rest takes all that is left.
func (r *Reader) Rest() []byte {
	b := r.rest
	r.rest = nil
	return b
}

// Each reads how many things follow, each of which takes a byte at least, and has as many be read, up to where the message ends.
func (r *Reader) Each() iter.Seq[int] {
	return func(yield func(int) bool) {
		n := int(r.UintMax(uint64(len(r.rest))))
		for i := 0; i < n && !r.failed && yield(i); i++ {
		}
	}
}
