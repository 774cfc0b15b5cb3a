package gateway

import (
	"encoding/binary"
	"slices"
	"sync"
)

const (
	chunkSize = 4 << 10  // what a connection reads at once
	chunkMax  = 64 << 10 // beyond which a buffer is not kept
)

// chunks are buffers that nobody reads into at the moment.
var chunks = sync.Pool{New: func() any { b := make([]byte, 0, chunkSize); return &b }}

// arrivals are bytes that have come from a client: WebSocket frames, the last of which may not be whole yet. Empty ones hold no
// memory.
type arrivals struct {
	buf  *[]byte // nil for none
	from int     // what comes before has been taken
}

// room is where to put what comes next.
func (a *arrivals) room() []byte {
	if a.buf == nil {
		a.buf = chunks.Get().(*[]byte)
	}
	if len(*a.buf) == cap(*a.buf) {
		*a.buf = slices.Grow(*a.buf, chunkSize)
	}
	return (*a.buf)[len(*a.buf):cap(*a.buf)]
}

// came says how much was put there.
func (a *arrivals) came(n int) {
	*a.buf = (*a.buf)[:len(*a.buf)+n]
	a.tidy()
}

// add adds bytes that have come otherwise.
func (a *arrivals) add(b []byte) {
	for len(b) > 0 {
		n := copy(a.room(), b)
		a.came(n)
		b = b[n:]
	}
}

// tidy moves the rest to the front, or lets the buffer go if there is none.
func (a *arrivals) tidy() {
	if a.buf == nil {
		return
	}
	if a.from > 0 {
		rest := copy(*a.buf, (*a.buf)[a.from:])
		*a.buf, a.from = (*a.buf)[:rest], 0
	}
	if len(*a.buf) == 0 {
		if cap(*a.buf) <= chunkMax {
			chunks.Put(a.buf)
		}
		a.buf = nil
	}
}

// frame is a WebSocket frame from a client.
type frame struct {
	head    byte // FIN, reserved bits and opcode
	payload []byte
}

// Codes by which a connection is closed.
const (
	closeNormal   = 1000
	closeProtocol = 1002
	closeTooLarge = 1009
)

// next takes the next frame out, whose payload holds until tidy. If it is not whole yet, ok is false. Code is not zero if it
// cannot be right, or is larger than max.
func (a *arrivals) next(max int) (f frame, ok bool, code uint16) {
	if a.buf == nil {
		return f, false, 0
	}
	b := (*a.buf)[a.from:]
	if len(b) < 2 {
		return f, false, 0
	}
	const masked, reserved, control = 0x80, 0x70, 0x08
	size, at := uint64(b[1]&^masked), 2
	switch {
	case b[1]&masked == 0, b[0]&reserved != 0, b[0]&control != 0 && (size > 125 || b[0]&0x80 == 0):
		return f, false, closeProtocol
	case size == 126 && len(b) >= 4:
		size, at = uint64(binary.BigEndian.Uint16(b[2:])), 4
	case size == 127 && len(b) >= 10:
		size, at = binary.BigEndian.Uint64(b[2:]), 10
	case size >= 126:
		return f, false, 0
	}
	if size > uint64(max) {
		return f, false, closeTooLarge
	}
	end := at + maskSize + int(size)
	if len(b) < end {
		return f, false, 0
	}
	f = frame{b[0], b[at+maskSize : end]}
	unmask(f.payload, [maskSize]byte(b[at:]))
	a.from += end
	return f, true, 0
}

const maskSize = 4

// unmask undoes what clients do to payloads.
func unmask(b []byte, key [maskSize]byte) {
	word := uint64(binary.LittleEndian.Uint32(key[:]))
	word |= word << 32
	for ; len(b) >= 8; b = b[8:] {
		binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)^word)
	}
	for i := range b {
		b[i] ^= key[i%maskSize]
	}
}
