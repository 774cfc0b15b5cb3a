package protocol

import (
	"encoding/binary"
	"errors"
)

// ErrTooLong is what a Splitter reports for a frame beyond its limit.
var ErrTooLong = errors.New("frame too long")

// AppendLength appends the length that goes before a frame on a stream.
func AppendLength(dst []byte, frame int) []byte { return binary.AppendUvarint(dst, uint64(frame)) }

// CutLength takes a frame with its length before it off the front of b. Where it is not complete the frame is nil.
func CutLength(b []byte) (frame, rest []byte) {
	length, n := binary.Uvarint(b)
	if n <= 0 || uint64(len(b)-n) < length {
		return nil, b
	}
	end := n + int(length)
	return b[n:end:end], b[end:]
}

// Splitter cuts a stream of bytes into frames. Bytes go in as they come; frames come out when they are complete.
type Splitter struct {
	max  int
	buf  []byte
	next int // where the next frame begins in buf
	err  error
}

// NewSplitter returns a splitter that refuses frames of more than max bytes.
func NewSplitter(max int) *Splitter { return &Splitter{max: max} }

// Write adds bytes from the stream. It invalidates frames that Next has returned.
func (s *Splitter) Write(b []byte) {
	if s.err != nil {
		return
	}
	rest := copy(s.buf, s.buf[s.next:])
	s.buf = append(s.buf[:rest], b...)
	s.next = 0
}

// Next returns the next complete frame, or nil if there is none yet. After an error the stream is of no more use.
func (s *Splitter) Next() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	rest := s.buf[s.next:]
	if length, n := binary.Uvarint(rest); n < 0 || length > uint64(s.max) {
		s.err = ErrTooLong
		return nil, s.err
	}
	frame, after := CutLength(rest)
	s.next += len(rest) - len(after)
	return frame, nil
}
