package socket

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const (
	binary1 = Final | Binary // a message in one frame
	ping    = Final | Ping
)

// unmasked is a frame as servers send it.
func unmasked(f Frame) []byte {
	var head [HeadMax]byte
	return append(head[PutHead(&head, f.Head, len(f.Payload)):], f.Payload...)
}

func masked(f Frame) []byte { return AppendMasked(nil, f, [MaskSize]byte{0x12, 0x34, 0x56, 0x78}) }

// The examples of RFC 6455, section 5.7.
func TestFramesOfTheStandard(t *testing.T) {
	hello := Frame{Final | Text, []byte("Hello")}
	if got, want := unmasked(hello), []byte{0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f}; !bytes.Equal(got, want) {
		t.Errorf("unmasked % x, want % x", got, want)
	}
	want := []byte{0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58}
	if got := AppendMasked(nil, hello, [MaskSize]byte{0x37, 0xfa, 0x21, 0x3d}); !bytes.Equal(got, want) {
		t.Errorf("masked % x, want % x", got, want)
	}
}

func TestHeads(t *testing.T) {
	for _, test := range []struct {
		size int
		head []byte
	}{
		{0, []byte{0x82, 0}},
		{125, []byte{0x82, 125}},
		{126, []byte{0x82, 126, 0, 126}},
		{1<<16 - 1, []byte{0x82, 126, 0xff, 0xff}},
		{1 << 16, []byte{0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0}},
	} {
		var head [HeadMax]byte
		if got := head[PutHead(&head, binary1, test.size):]; !bytes.Equal(got, test.head) {
			t.Errorf("a frame of %d bytes begins with % x, want % x", test.size, got, test.head)
		}
		if got := HeadSize(test.size); got != len(test.head) {
			t.Errorf("a frame of %d bytes begins with %d, want %d", test.size, got, len(test.head))
		}
	}
}

// Frames come out as they went in, from either side, and not before they are whole.
func TestFramesAreCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.IntRange(0, 130), rapid.IntRange(0, 70_000)).Draw(t, "size")
		sent := Frame{binary1, bytes.Repeat([]byte{7}, size)}
		mask := rapid.Bool().Draw(t, "masked")
		b := unmasked(sent)
		if mask {
			b = masked(sent)
		}
		part := slices.Clone(b[:rapid.IntRange(0, len(b)-1).Draw(t, "part")])
		if _, n, code := Cut(part, mask, 70_000); n != 0 || code != 0 {
			t.Fatalf("%d bytes of %d are taken for a frame of %d, or closed with %d", len(part), len(b), n, code)
		}
		got, n, code := Cut(append(b, 1, 2, 3), mask, 70_000)
		if n != len(b) || code != 0 || got.Head != sent.Head || !bytes.Equal(got.Payload, sent.Payload) {
			t.Fatalf("a frame of %d bytes, of which %d are payload, code %d; want %d and %d", n, len(got.Payload), code, len(b), size)
		}
	})
}

func TestFramesThatCannotBe(t *testing.T) {
	const max = 1000
	for name, c := range map[string]struct {
		frame Frame
		code  uint16
	}{
		"reserved bits":       {Frame{0x40 | binary1, nil}, CloseProtocol},
		"a ping in parts":     {Frame{Ping, nil}, CloseProtocol},
		"a long ping":         {Frame{ping, make([]byte, 126)}, CloseProtocol},
		"too large":           {Frame{binary1, make([]byte, max+1)}, CloseTooLarge},
		"as large as it gets": {Frame{binary1, make([]byte, max)}, 0},
	} {
		for _, mask := range []bool{false, true} {
			right, wrong := unmasked(c.frame), masked(c.frame)
			if mask {
				right, wrong = wrong, right
			}
			if _, _, code := Cut(right, mask, max); code != c.code {
				t.Errorf("%s, masked %v: %d, want %d", name, mask, code, c.code)
			}
			if _, _, code := Cut(wrong, mask, max); code != CloseProtocol {
				t.Errorf("%s, masked %v though it may not be: %d", name, !mask, code)
			}
		}
	}
	if _, _, code := Cut([]byte{binary1, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, false, max); code != CloseTooLarge {
		t.Errorf("much too large: %d", code)
	}
}

func TestMessagesInParts(t *testing.T) {
	const max = 6
	begin, more, end := Frame{Binary, []byte("ab")}, Frame{Continuation, []byte("cd")}, Frame{Final | Continuation, []byte("ef")}
	for name, c := range map[string]struct {
		frames []Frame
		want   string // the message, if there is one
		code   uint16
	}{
		"one frame":          {[]Frame{{binary1, []byte("ab")}}, "ab", 0},
		"three":              {[]Frame{begin, more, end}, "abcdef", 0},
		"empty ones":         {[]Frame{{Binary, nil}, {Continuation, nil}, {Final | Continuation, nil}}, "", 0},
		"one after another":  {[]Frame{begin, end, {binary1, []byte("gh")}}, "gh", 0},
		"too much together":  {[]Frame{begin, more, more, end}, "", CloseTooLarge},
		"a part of nothing":  {[]Frame{end}, "", CloseProtocol},
		"another in between": {[]Frame{begin, {binary1, nil}}, "", CloseProtocol},
		"an unknown kind":    {[]Frame{{Final | 3, nil}}, "", CloseProtocol},
	} {
		var p Parts
		for i, f := range c.frames {
			message, whole, code := p.Add(f, max)
			if last := i == len(c.frames)-1; code != 0 || last {
				if code != c.code || string(message) != c.want || whole != (code == 0) {
					t.Errorf("%s: %q, whole %v, code %d; want %q and %d", name, message, whole, code, c.want, c.code)
				}
				break
			}
			if whole != f.Final() {
				t.Errorf("%s: whole after frame %d: %v", name, i, whole)
			}
		}
	}
}

// Whatever comes, from either side, it is taken for a frame within the limit or for something else, and never for more than has
// come.
func FuzzCut(f *testing.F) {
	f.Add(masked(Frame{binary1, []byte("hello")}), true)
	f.Add(unmasked(Frame{binary1, make([]byte, 126)}), false)
	f.Add(unmasked(Frame{ping, nil}), false)
	f.Add([]byte{binary1, 0x7e, 0, 1, 2, 3, 4, 5, 6}, false)
	f.Add([]byte{binary1, 0x7f, 0, 0, 0, 0, 0, 0, 0, 1, 2}, false)
	f.Fuzz(func(t *testing.T, stream []byte, mask bool) {
		const max = 200
		for len(stream) > 0 {
			x, n, code := Cut(stream, mask, max)
			if n == 0 || code != 0 {
				if n != 0 || x.Payload != nil {
					t.Fatalf("a frame of %d bytes that is none", n)
				}
				return
			}
			if len(x.Payload) > max || n > len(stream) || n < HeadSize(len(x.Payload))+len(x.Payload) {
				t.Fatalf("a frame of %d bytes with %d of payload, from %d", n, len(x.Payload), len(stream))
			}
			stream = stream[n:]
		}
	})
}
