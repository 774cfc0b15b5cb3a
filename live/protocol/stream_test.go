package protocol

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// However a stream is cut on its way, the same frames come out.
func TestSplitterPutsFramesTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 300)).Draw(t, "frames")
		var stream []byte
		for _, frame := range want {
			stream = append(AppendLength(stream, len(frame)), frame...)
		}
		s := NewSplitter(300)
		var got [][]byte
		for len(stream) > 0 {
			n := rapid.IntRange(1, len(stream)).Draw(t, "chunk")
			s.Write(stream[:n])
			stream = stream[n:]
			for {
				frame, err := s.Next()
				if err != nil {
					t.Fatal(err)
				}
				if frame == nil {
					break
				}
				got = append(got, bytes.Clone(frame))
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d frames of %d", len(got), len(want))
		}
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Fatalf("frame %d is %v, want %v", i, got[i], want[i])
			}
		}
	})
}

func TestSplitterRefusesLongFrames(t *testing.T) {
	for name, stream := range map[string][]byte{
		"too long":          AppendLength(nil, 11),
		"far too long":      AppendLength(nil, 1<<60),
		"an endless length": bytes.Repeat([]byte{0xff}, 20),
	} {
		s := NewSplitter(10)
		s.Write(stream)
		if _, err := s.Next(); !errors.Is(err, ErrTooLong) {
			t.Errorf("%s: %v", name, err)
		}
		s.Write(AppendLength(nil, 0))
		if frame, err := s.Next(); !errors.Is(err, ErrTooLong) {
			t.Errorf("%s: the stream goes on with %v, %v", name, frame, err)
		}
	}
}
