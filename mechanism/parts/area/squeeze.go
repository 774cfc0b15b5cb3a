package area

import (
	"bytes"
	"compress/flate"

	"throng/world/wire"
)

// messageMax is how long a message may be once it is no longer compressed.
const messageMax = 1 << 17

// squeezer compresses messages, each by itself.
type squeezer struct {
	writer *flate.Writer
	out    appender
}

// appender is a slice that can be written to.
type appender struct{ buf []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.buf = append(a.buf, p...)
	return len(p), nil
}

func newSqueezer() *squeezer {
	s := &squeezer{}
	writer, err := flate.NewWriter(&s.out, flate.DefaultCompression)
	if err != nil {
		panic(err) // the level is one of the package's own
	}
	s.writer = writer
	return s
}

// append appends a message compressed, or as it is where that is shorter.
func (s *squeezer) append(dst, msg []byte) []byte {
	s.out.buf = append(dst, formSqueezed)
	s.out.buf = wire.AppendUint(s.out.buf, uint64(len(msg)))
	s.writer.Reset(&s.out)
	_, _ = s.writer.Write(msg) // appending cannot fail
	_ = s.writer.Close()
	if len(s.out.buf)-len(dst) < len(msg) {
		return s.out.buf
	}
	return append(dst, msg...)
}

// expander undoes what a squeezer does.
type expander struct {
	source bytes.Reader
	reader interface {
		flate.Resetter
		Read(p []byte) (int, error)
	}
	buf []byte
}

// expand returns the message in a compressed one, after its form. It holds until the next call.
func (x *expander) expand(r *wire.Reader) []byte {
	size := int(r.UintMax(messageMax))
	x.source.Reset(r.Rest())
	if x.reader == nil {
		x.reader = flate.NewReader(&x.source).(interface {
			flate.Resetter
			Read(p []byte) (int, error)
		})
	} else if x.reader.Reset(&x.source, nil) != nil {
		r.Fail()
	}
	x.buf = x.buf[:0]
	for len(x.buf) < size && !r.Failed() {
		// Memory grows with what really comes out, not with what the message claims.
		chunk := min(size-len(x.buf), 4096)
		x.buf = append(x.buf, make([]byte, chunk)...)
		n, err := x.reader.Read(x.buf[len(x.buf)-chunk:])
		x.buf = x.buf[:len(x.buf)-chunk+n]
		if err != nil && len(x.buf) < size {
			r.Fail()
		}
	}
	return x.buf
}
