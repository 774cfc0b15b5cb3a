package gateway

import (
	"sync"

	"throng/live/socket"
)

// buffer holds bytes on their way to a client. There is room before them for the head that a transport may need.
type buffer struct {
	b []byte // begins with headMax bytes that do not count
}

const (
	headMax   = socket.HeadMax
	bufferMin = 1 << 10  // what a new buffer holds
	bufferMax = 64 << 10 // beyond which a buffer is not kept
)

// buffers are those that nobody uses at the moment.
var buffers = sync.Pool{New: func() any { return &buffer{make([]byte, headMax, bufferMin)} }}

// ready returns the buffer, or one if there is none.
func (b *buffer) ready() *buffer {
	if b == nil {
		return buffers.Get().(*buffer)
	}
	return b
}

// size is how many bytes there are; none without a buffer.
func (b *buffer) size() int {
	if b == nil {
		return 0
	}
	return len(b.b) - headMax
}

// free gives a buffer back, if there is one.
func (b *buffer) free() *buffer {
	if b != nil && cap(b.b) <= bufferMax {
		b.b = b.b[:headMax]
		buffers.Put(b)
	}
	return nil
}
