package socket

import "encoding/binary"

// What the first byte of a frame says: the kind, and whether the frame is the last of its message.
const (
	Continuation = 0x0
	Text         = 0x1
	Binary       = 0x2
	Close        = 0x8
	Ping         = 0x9
	Pong         = 0xa

	Final = 0x80
)

// Codes by which a connection is closed.
const (
	CloseNormal   = 1000
	CloseProtocol = 1002
	CloseTooLarge = 1009
)

// Sizes of what stands before a payload.
const (
	HeadMax  = 10 // without the mask
	MaskSize = 4  // of the key that clients mask a frame with
)

// HeadSize is what stands before a payload of n bytes, without the mask.
func HeadSize(n int) int {
	switch {
	case n < 126:
		return 2
	case n < 1<<16:
		return 4
	}
	return HeadMax
}

// Frame is a WebSocket frame.
type Frame struct {
	Head    byte // FIN, reserved bits and opcode
	Payload []byte
}

// Opcode is the frame's kind.
func (f Frame) Opcode() byte { return f.Head & 0x0f }

// Final says whether the frame is the last of its message.
func (f Frame) Final() bool { return f.Head&Final != 0 }

// Cut finds the first frame in b and how many bytes it takes there: none while it is not whole. Those of clients are masked,
// and unmasked in place; those of servers are not. Code is not zero if the frame cannot be right, or is larger than max.
func Cut(b []byte, masked bool, max int) (f Frame, size int, code uint16) {
	if len(b) < 2 {
		return f, 0, 0
	}
	const mask, reserved, control = 0x80, 0x70, 0x08
	length, at := uint64(b[1]&^mask), 2
	switch {
	case (b[1]&mask != 0) != masked, b[0]&reserved != 0, b[0]&control != 0 && (length > 125 || b[0]&Final == 0):
		return f, 0, CloseProtocol
	case length == 126 && len(b) >= 4:
		length, at = uint64(binary.BigEndian.Uint16(b[2:])), 4
	case length == 127 && len(b) >= 10:
		length, at = binary.BigEndian.Uint64(b[2:]), 10
	case length >= 126:
		return f, 0, 0
	}
	if length > uint64(max) {
		return f, 0, CloseTooLarge
	}
	key := at
	if masked {
		at += MaskSize
	}
	size = at + int(length)
	if len(b) < size {
		return f, 0, 0
	}
	f = Frame{b[0], b[at:size]}
	if masked {
		mangle(f.Payload, [MaskSize]byte(b[key:]))
	}
	return f, size, 0
}

// PutHead writes the head of a server's frame so that it ends at the end of dst, and returns where it begins.
func PutHead(dst *[HeadMax]byte, head byte, size int) (start int) {
	start = HeadMax - HeadSize(size)
	b := dst[start:]
	b[0] = head
	switch len(b) {
	case 2:
		b[1] = byte(size)
	case 4:
		b[1] = 126
		binary.BigEndian.PutUint16(b[2:], uint16(size))
	default:
		b[1] = 127
		binary.BigEndian.PutUint64(b[2:], uint64(size))
	}
	return start
}

// AppendMasked appends a client's frame.
func AppendMasked(dst []byte, f Frame, key [MaskSize]byte) []byte {
	var head [HeadMax]byte
	start := PutHead(&head, f.Head, len(f.Payload))
	head[start+1] |= 0x80
	dst = append(append(dst, head[start:]...), key[:]...)
	dst = append(dst, f.Payload...)
	mangle(dst[len(dst)-len(f.Payload):], key)
	return dst
}

// mangle masks a payload, or undoes that.
func mangle(b []byte, key [MaskSize]byte) {
	word := uint64(binary.LittleEndian.Uint32(key[:]))
	word |= word << 32
	for ; len(b) >= 8; b = b[8:] {
		binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)^word)
	}
	for i := range b {
		b[i] ^= key[i%MaskSize]
	}
}

// Parts are the frames of a message that has come in part. The zero value is none.
type Parts struct{ b []byte }

// Begun says whether there are any.
func (p *Parts) Begun() bool { return p.b != nil }

// Add takes the next frame that is not about the connection itself. When the message is whole, it is returned, and holds for as
// long as the frame. Code is not zero if the frame cannot be right here, or makes the message larger than max.
func (p *Parts) Add(f Frame, max int) (message []byte, whole bool, code uint16) {
	switch {
	case f.Opcode() > Binary, (f.Opcode() == Continuation) != p.Begun():
		return nil, false, CloseProtocol
	case f.Final() && !p.Begun():
		return f.Payload, true, 0
	case len(p.b)+len(f.Payload) > max:
		return nil, false, CloseTooLarge
	}
	if p.b == nil {
		p.b = []byte{}
	}
	p.b = append(p.b, f.Payload...)
	if !f.Final() {
		return nil, false, 0
	}
	message, p.b = p.b, nil
	return message, true, 0
}
