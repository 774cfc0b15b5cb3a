package area

import "throng/world/wire"

// Packer compresses what is not an Encoder's.
type Packer struct{ squeeze *squeezer }

// What something packed begins with, where it is not compressed.
const formPlain = 0xff

// Append appends a text, compressed if it gets shorter by that.
func (p *Packer) Append(dst, text []byte) []byte {
	if p.squeeze == nil {
		p.squeeze = newSqueezer()
	}
	start := len(dst)
	dst = p.squeeze.append(dst, text)
	if len(dst) == start || len(dst)-start == len(text) { // as it is
		return append(append(dst[:start], formPlain), text...)
	}
	return dst
}

// Unpacker undoes what a Packer does.
type Unpacker struct{ expand expander }

// Open returns the text. It holds until the next call.
func (u *Unpacker) Open(packed []byte) (text []byte, ok bool) {
	r := wire.NewReader(packed)
	switch r.Byte() {
	case formPlain:
		return r.Rest(), !r.Failed()
	case formSqueezed:
		text = u.expand.expand(&r)
		return text, !r.Failed()
	}
	return nil, false
}
