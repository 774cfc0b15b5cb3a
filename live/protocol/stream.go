package protocol

import (
	"encoding/binary"
	"errors"
)

// ErrTooLong is what a Splitter reports for a frame beyond its limit.
var ErrTooLong = errors.New("frame too long")

// AppendLength appends the length that goes before a frame on a stream.
func AppendLength(dst []byte, frame int) []byte { return binary.AppendUvarint(dst, uint64(frame)) }

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
	length, n := binary.Uvarint(rest)
	switch {
	case n == 0:
		return nil, nil
	case n < 0 || length > uint64(s.max):
		s.err = ErrTooLong
		return nil, s.err
	case uint64(len(rest)-n) < length:
		return nil, nil
	}
	end := n + int(length)
	s.next += end
	return rest[n:end:end], nil
}
