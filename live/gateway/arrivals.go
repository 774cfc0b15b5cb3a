package gateway

import (
	"slices"
	"sync"

	"throng/live/socket"
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

// next takes the next frame out, whose payload holds until tidy. If it is not whole yet, ok is false. Code is not zero if it
// cannot be right, or is larger than max.
func (a *arrivals) next(max int) (f socket.Frame, ok bool, code uint16) {
	if a.buf == nil {
		return f, false, 0
	}
	f, size, code := socket.Cut((*a.buf)[a.from:], true, max)
	a.from += size
	return f, size > 0, code
}
