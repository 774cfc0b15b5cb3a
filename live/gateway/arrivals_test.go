package gateway

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/lxzan/gws"
	"pgregory.net/rapid"
)

// masked is a frame as clients send it.
func masked(head byte, payload []byte) []byte {
	b := []byte{head}
	switch n := len(payload); {
	case n < 126:
		b = append(b, 0x80|byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(n))
	}
	key := [maskSize]byte{0x12, 0x34, 0x56, 0x78}
	b = append(b, key[:]...)
	for i, c := range payload {
		b = append(b, c^key[i%maskSize])
	}
	return b
}

// However frames are cut on their way, they come out as they were sent, and nothing is held afterwards.
func TestFramesComeOutWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.IntRange(0, 130), rapid.IntRange(0, 70_000))
		var stream []byte
		var want []frame
		for i := range rapid.IntRange(1, 5).Draw(t, "frames") {
			f := frame{opBinary, bytes.Repeat([]byte{byte(i + 1)}, size.Draw(t, "size"))}
			want = append(want, f)
			stream = append(stream, masked(f.head, f.payload)...)
		}
		var a arrivals
		var got []frame
		for len(stream) > 0 {
			n := min(len(stream), rapid.IntRange(1, 6000).Draw(t, "cut"))
			a.add(stream[:n])
			stream = stream[n:]
			f, ok, code := a.next(70_000)
			for ; ok; f, ok, code = a.next(70_000) {
				got = append(got, frame{f.head, bytes.Clone(f.payload)})
			}
			if code != 0 {
				t.Fatalf("closed with %d", code)
			}
			a.tidy()
		}
		same := func(x, y frame) bool { return x.head == y.head && bytes.Equal(x.payload, y.payload) }
		if !slices.EqualFunc(got, want, same) || a.buf != nil {
			t.Fatalf("%d of %d frames came out, and something is held: %v", len(got), len(want), a.buf != nil)
		}
	})
}

func TestFramesThatCannotBe(t *testing.T) {
	const max = 1000
	for name, c := range map[string]struct {
		bytes []byte
		code  uint16
	}{
		"unmasked":            {[]byte{opBinary, 5}, closeProtocol},
		"reserved bits":       {masked(0x40|opBinary, nil), closeProtocol},
		"a ping in parts":     {masked(byte(gws.OpcodePing), nil), closeProtocol},
		"a long ping":         {masked(opPing, make([]byte, 126)), closeProtocol},
		"too large":           {masked(opBinary, make([]byte, max+1))[:8], closeTooLarge},
		"much too large":      {[]byte{opBinary, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, closeTooLarge},
		"as large as it gets": {masked(opBinary, make([]byte, max)), 0},
		"half a size":         {[]byte{opBinary, 0xff, 0xff, 0xff}, 0},
	} {
		var a arrivals
		a.add(c.bytes)
		if _, _, code := a.next(max); code != c.code {
			t.Errorf("%s: %d, want %d", name, code, c.code)
		}
	}
}

// Whatever comes, it is taken for frames within the limit or for something else, and never for more than has come.
func FuzzArrivals(f *testing.F) {
	f.Add(masked(opBinary, []byte("hello")), 3)
	f.Add(masked(opPing, nil), 1)
	f.Add([]byte{opBinary, 0xfe, 0, 1, 2, 3, 4, 5, 6}, 2)
	f.Fuzz(func(t *testing.T, stream []byte, cut int) {
		const max = 64
		var a arrivals
		taken := 0
		for _, part := range [][]byte{stream[:min(len(stream), int(uint(cut)%64))], stream[min(len(stream), int(uint(cut)%64)):]} {
			a.add(part)
			for {
				x, ok, code := a.next(max)
				if code != 0 {
					return
				}
				if !ok {
					break
				}
				taken += len(x.payload)
				if len(x.payload) > max {
					t.Fatalf("a frame of %d bytes", len(x.payload))
				}
			}
			a.tidy()
		}
		if taken > len(stream) {
			t.Fatalf("%d bytes of %d", taken, len(stream))
		}
	})
}

// write sends bytes past the library.
func (g *guest) write(t testing.TB, b []byte) {
	t.Helper()
	if _, err := g.conn.NetConn().Write(b); err != nil {
		t.Fatal(err)
	}
}

func TestMessageInSeveralFrames(t *testing.T) {
	s := open(t, nil)
	g, _ := s.seat(t, "Ada")
	message := dataFrame(officeID, "echo in parts")
	g.write(t, masked(byte(gws.OpcodeBinary), message[:3]))
	g.write(t, masked(opPing, []byte("between them")))
	g.write(t, masked(byte(gws.OpcodeContinuation), nil))
	g.write(t, masked(0x80|byte(gws.OpcodeContinuation), message[3:]))
	if item := g.datagram(t); string(item.Payload) != "echo in parts" {
		t.Errorf("heard %q", item.Payload)
	}
}

// What is no WebSocket message ends the connection, with the code for it.
func TestBrokenMessages(t *testing.T) {
	s := open(t, nil)
	half := make([]byte, s.config.Limits.FrameMax/2+1)
	for name, c := range map[string]struct {
		frames [][]byte
		code   uint16
	}{
		"a part of nothing":    {[][]byte{masked(0x80|byte(gws.OpcodeContinuation), nil)}, closeProtocol},
		"another in between":   {[][]byte{masked(byte(gws.OpcodeBinary), nil), masked(opBinary, nil)}, closeProtocol},
		"an unknown kind":      {[][]byte{masked(0x83, nil)}, closeProtocol},
		"parts that add up":    {[][]byte{masked(byte(gws.OpcodeBinary), half), masked(byte(gws.OpcodeContinuation), half)}, closeTooLarge},
		"a goodbye":            {[][]byte{masked(opClose, nil)}, closeNormal},
		"unmasked":             {[][]byte{{opBinary, 1, 1}}, closeProtocol},
		"an unknown last word": {[][]byte{masked(0x8f, nil)}, closeProtocol},
	} {
		g, _ := s.seat(t, "Ada")
		for _, f := range c.frames {
			g.write(t, f)
		}
		for range g.frames {
		}
		if closing, ok := g.closed.(*gws.CloseError); !ok || closing.Code != c.code {
			t.Errorf("%s: %v, want %d", name, g.closed, c.code)
		}
	}
	until(t, "the connections have ended", func() bool { return s.Clients() == 0 })
}

// What it costs to take a frame of a client's out of what has come.
func BenchmarkArrivals(b *testing.B) {
	stream := masked(opBinary, make([]byte, 40))
	var a arrivals
	b.ReportAllocs()
	for b.Loop() {
		a.add(stream)
		if _, ok, _ := a.next(1 << 10); !ok {
			b.Fatal("no frame")
		}
		a.tidy()
	}
}
