package gateway

import "sync"

// buffer holds bytes on their way to a client. There is room before them for the head that a transport may need.
type buffer struct {
	b []byte // begins with headMax bytes that do not count
}

const (
	headMax   = 10       // of a WebSocket message
	bufferMin = 1 << 10  // what a new buffer holds
	bufferMax = 64 << 10 // beyond which a buffer is not kept
)

// buffers are those that nobody uses at the moment.
var buffers = sync.Pool{New: func() any { return &buffer{make([]byte, headMax, bufferMin)} }}

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// free gives a buffer back, if there is one.
func (b *buffer) free() *buffer {
	if b != nil && cap(b.b) <= bufferMax {
		b.b = b.b[:headMax]
		buffers.Put(b)
	}
	return nil
}
