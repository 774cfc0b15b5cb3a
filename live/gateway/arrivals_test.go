package gateway

import (
	"bytes"
	"slices"
	"testing"

	"github.com/lxzan/gws"
	"pgregory.net/rapid"

	"throng/live/socket"
)

// masked is a frame as clients send it.
func masked(head byte, payload []byte) []byte {
	return socket.AppendMasked(nil, socket.Frame{Head: head, Payload: payload}, [socket.MaskSize]byte{0x12, 0x34, 0x56, 0x78})
}

// However frames are cut on their way, they come out as they were sent, and nothing is held afterwards.
func TestFramesComeOutWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.IntRange(0, 130), rapid.IntRange(0, 70_000))
		var stream []byte
		var want []socket.Frame
		for i := range rapid.IntRange(1, 5).Draw(t, "frames") {
			f := socket.Frame{Head: opBinary, Payload: bytes.Repeat([]byte{byte(i + 1)}, size.Draw(t, "size"))}
			want = append(want, f)
			stream = append(stream, masked(f.Head, f.Payload)...)
		}
		var a arrivals
		var got []socket.Frame
		for len(stream) > 0 {
			n := min(len(stream), rapid.IntRange(1, 6000).Draw(t, "cut"))
			a.add(stream[:n])
			stream = stream[n:]
			f, ok, code := a.next(70_000)
			for ; ok; f, ok, code = a.next(70_000) {
				got = append(got, socket.Frame{Head: f.Head, Payload: bytes.Clone(f.Payload)})
			}
			if code != 0 {
				t.Fatalf("closed with %d", code)
			}
			a.tidy()
		}
		same := func(x, y socket.Frame) bool { return x.Head == y.Head && bytes.Equal(x.Payload, y.Payload) }
		if !slices.EqualFunc(got, want, same) || a.buf != nil {
			t.Fatalf("%d of %d frames came out, and something is held: %v", len(got), len(want), a.buf != nil)
		}
	})
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
				taken += len(x.Payload)
				if len(x.Payload) > max {
					t.Fatalf("a frame of %d bytes", len(x.Payload))
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
	g.write(t, masked(socket.Binary, message[:3]))
	g.write(t, masked(opPing, []byte("between them")))
	g.write(t, masked(socket.Continuation, nil))
	g.write(t, masked(socket.Final|socket.Continuation, message[3:]))
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
		"a part of nothing":    {[][]byte{masked(socket.Final|socket.Continuation, nil)}, socket.CloseProtocol},
		"another in between":   {[][]byte{masked(socket.Binary, nil), masked(opBinary, nil)}, socket.CloseProtocol},
		"an unknown kind":      {[][]byte{masked(0x83, nil)}, socket.CloseProtocol},
		"parts that add up":    {[][]byte{masked(socket.Binary, half), masked(socket.Continuation, half)}, socket.CloseTooLarge},
		"a goodbye":            {[][]byte{masked(opClose, nil)}, socket.CloseNormal},
		"unmasked":             {[][]byte{{opBinary, 1, 1}}, socket.CloseProtocol},
		"an unknown last word": {[][]byte{masked(0x8f, nil)}, socket.CloseProtocol},
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
