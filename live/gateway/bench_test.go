package gateway

import (
	"io"
	"net"
	"testing"

	"throng/live/account"
	"throng/live/protocol"
	"throng/mechanism"
)

// deadEnd is a pipe that takes everything at once.
type deadEnd struct{}

func (deadEnd) wrap(dst, frame []byte) []byte             { return append(dst, frame...) }
func (deadEnd) farewell(dst []byte, _ *ending) []byte     { return dst }
func (deadEnd) probe() string                             { return "" }
func (deadEnd) begin(control, data *buffer) (bool, error) { return true, nil }
func (deadEnd) later() bool                               { return false }
func (deadEnd) resume() (bool, error)                     { return false, nil }
func (deadEnd) wait() error                               { return nil }
func (deadEnd) finish()                                   {}
func (deadEnd) shut()                                     {}
func (deadEnd) end()                                      {}

// attach returns clients that sit in the hub but have no connection.
func attach(b *testing.B, s *site, count int, p func() pipe) []mechanism.NodeID {
	b.Helper()
	var nodes []mechanism.NodeID
	for range count {
		seat, err := s.hub.Join("")
		if err != nil {
			b.Fatal(err)
		}
		c := s.newClient("websocket", source{}, s.began)
		c.pipe, c.welcomed = p(), true
		if _, err := s.hub.Attach(seat, c, true); err != nil {
			b.Fatal(err)
		}
		nodes = append(nodes, seat.Place().ID)
	}
	return nodes
}

// What it costs to have a datagram sent, without the system's part: finding the client, its buffer, its turn.
func BenchmarkSend(b *testing.B) {
	s := open(b, nil)
	nodes := attach(b, s, 1000, func() pipe { return deadEnd{} })
	payload := make([]byte, 160)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.hub.Route(mechanism.Message{From: officeID, To: nodes[i%len(nodes)], Class: mechanism.Update, Payload: payload})
	}
}

// The same down to the socket, one frame for each datagram. The other ends read and forget.
func BenchmarkSendToSockets(b *testing.B) {
	s := open(b, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	nodes := attach(b, s, 100, func() pipe {
		far, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		near, err := l.Accept()
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { near.Close(); far.Close() })
		go io.Copy(io.Discard, far)
		return newSocketPipe(near, func() bool { return false })
	})
	payload := make([]byte, 160)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.hub.Route(mechanism.Message{From: officeID, To: nodes[i%len(nodes)], Class: mechanism.Update, Payload: payload})
	}
}

// What it costs to take a frame with one datagram from a client.
func BenchmarkTake(b *testing.B) {
	s := open(b, func(c *Config) {
		c.Limits.FramesPerSecond, c.Limits.BytesPerSecond, c.Limits.DatagramsPerSecond = 1<<40, 1<<40, 1<<40
	})
	c := s.newClient("websocket", source{}, s.began)
	c.pipe = deadEnd{}
	if e := c.take(helloFrame(s.tokens.issue(account.Account{}, s.began), true), s.began); e != nil {
		b.Fatal(e.text)
	}
	frame := protocol.AppendItem(protocol.AppendData(nil), officeID, mechanism.Command, make([]byte, 24))
	b.ReportAllocs()
	for b.Loop() {
		if allowed, _ := c.admit(len(frame), s.began); !allowed {
			b.Fatal("too much")
		}
		if e := c.take(frame, s.began); e != nil {
			b.Fatal(e.text)
		}
	}
}
