package gateway

import (
	"bytes"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/lxzan/gws"

	"throng/live/protocol"
	"throng/mechanism"
)

func TestUnwelcomeClientsAreShownOut(t *testing.T) {
	s := open(t, nil)
	other, _ := s.seat(t, "Ben")
	token := s.join(t, "Ada").Token
	hello := helloFrame(token, true)
	foreign := protocol.AppendHello(nil, protocol.Hello{Version: protocol.Version + 1, Token: []byte(token)})
	for _, c := range []struct {
		name   string
		frames [][]byte
		want   *ending
	}{
		{"wrong token", [][]byte{helloFrame("guess", true)}, endStranger},
		{"empty token", [][]byte{helloFrame("", true)}, endStranger},
		{"other version", [][]byte{foreign}, endVersion},
		{"data before hello", [][]byte{dataFrame(officeID, "echo")}, endManners},
		{"nothing", [][]byte{{}}, endManners},
		{"garbage", [][]byte{{0xff, 0xfe, 0xfd}}, endManners},
		{"half a hello", [][]byte{hello[:5]}, endManners},
		{"hello and more", [][]byte{append(bytes.Clone(hello), 1)}, endManners},
		{"hello twice", [][]byte{hello, hello}, endMalformed},
		{"a server's frame", [][]byte{hello, protocol.AppendPong(nil, 1, 2)}, endMalformed},
		{"an empty frame later", [][]byte{hello, {}}, endMalformed},
		{"half a datagram", [][]byte{hello, dataFrame(officeID, "echo")[:6]}, endMalformed},
		{"to nobody", [][]byte{hello, dataFrame(0, "echo")}, endMalformed},
		{"a ping and more", [][]byte{hello, append(protocol.AppendPing(nil, 1), 0)}, endMalformed},
		{"a bye and more", [][]byte{hello, append(protocol.AppendBye(nil), 0)}, endMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := s.dial(t)
			for _, f := range c.frames {
				g.send(t, f)
			}
			if reason := g.goodbye(t); reason != c.want.text {
				t.Errorf("goodbye: %q, want %q", reason, c.want.text)
			}
			other.send(t, dataFrame(officeID, "echo"))
			other.datagram(t)
		})
	}
}

func TestTextIsMalformed(t *testing.T) {
	s := open(t, nil)
	g := s.dial(t)
	if err := g.conn.WriteString("hello"); err != nil {
		t.Fatal(err)
	}
	if reason := g.goodbye(t); reason != endMalformed.text {
		t.Errorf("goodbye: %q", reason)
	}
}

func TestOversizedFrameEndsTheConnection(t *testing.T) {
	s := open(t, nil)
	g, _ := s.seat(t, "Ada")
	g.send(t, make([]byte, s.config.Limits.FrameMax+1))
	for range g.frames {
	}
	const tooLarge = 1009
	var closing *gws.CloseError
	if !errors.As(g.closed, &closing) || closing.Code != tooLarge {
		t.Errorf("closed: %v", g.closed)
	}
}

// A frame that claims to be huge must not make the server set memory aside for it.
func TestClaimedSizeIsNotBelieved(t *testing.T) {
	s := open(t, nil)
	g, _ := s.seat(t, "Ada")
	head := []byte{opBinary, 0x80 | 127, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4}
	if _, err := g.conn.NetConn().Write(head); err != nil {
		t.Fatal(err)
	}
	for range g.frames {
	}
	until(t, "the connection has ended", func() bool { return s.Clients() == 0 })
}

func TestBytesThatAreNoWebSocket(t *testing.T) {
	s := open(t, nil)
	for _, garbage := range [][]byte{{0}, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, bytes.Repeat([]byte{0x81}, 300), {opBinary, 0x05, 1, 2, 3, 4, 5}} {
		g, _ := s.seat(t, "Ada")
		if _, err := g.conn.NetConn().Write(garbage); err != nil {
			t.Fatal(err)
		}
		g.conn.NetConn().(*net.TCPConn).CloseWrite()
	}
	until(t, "the connections have ended", func() bool { return s.Clients() == 0 })
}

func TestClientsSpeakForThemselvesAndToServers(t *testing.T) {
	s := open(t, nil)
	ada, _ := s.seat(t, "Ada")
	ben, w := s.seat(t, "Ben")
	ada.send(t, dataFrame(w.Node, "psst"))
	ada.send(t, dataFrame(2, "to an artificial player"))
	ada.send(t, dataFrame(999, "to nobody"))
	ada.send(t, dataFrame(officeID, "echo"))
	ada.datagram(t)
	ben.send(t, dataFrame(officeID, "echo"))
	if item := ben.datagram(t); item.Peer != officeID || string(item.Payload) != "echo" {
		t.Errorf("Ben heard %+v", item)
	}
	if n := s.drops.stray.Load(); n != 3 {
		t.Errorf("%d strays", n)
	}
}

func TestPeersAreRelayed(t *testing.T) {
	s := open(t, nil, &office{peers: true})
	ada, a := s.seat(t, "Ada")
	ben, b := s.seat(t, "Ben")
	ada.send(t, dataFrame(b.Node, "hello Ben"))
	if item := ben.datagram(t); item.Peer != a.Node || string(item.Payload) != "hello Ben" {
		t.Errorf("Ben heard %+v", item)
	}
}

func TestTooMuchIsDroppedThenEnded(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.FramesPerSecond = 1 })
	g, _ := s.seat(t, "Ada")
	for range excessMax + 2 {
		if g.conn.WriteMessage(gws.OpcodeBinary, dataFrame(officeID, "?")) != nil {
			break
		}
	}
	if reason := g.goodbye(t); reason != endFlood.text {
		t.Errorf("goodbye: %q", reason)
	}
	if n := s.drops.rate.Load(); n < excessMax {
		t.Errorf("%d drops counted", n)
	}
}

func TestDatagramsAreLimitedNotOnlyFrames(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.DatagramsPerSecond = 10 })
	s.seat(t, "Ada")
	c := s.all()[0]
	frame := protocol.AppendData(nil)
	for range 100 {
		frame = protocol.AppendItem(frame, officeID, mechanism.Command, nil)
	}
	if e := c.take(frame, time.Now()); e != nil {
		t.Errorf("ended: %v", e)
	}
	if n := s.drops.rate.Load(); n != 90 {
		t.Errorf("%d dropped of 100 where 10 may come", n)
	}
}

// deaf seats a guest who reads nothing, and sends it so much that it is stuck.
func (s *site) deaf(t *testing.T) *client {
	t.Helper()
	conn, _, err := gws.NewClient(&guest{}, &gws.ClientOption{Addr: "ws" + s.http.URL[len("http"):] + "/ws"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.NetConn().Close() })
	if err := conn.WriteMessage(gws.OpcodeBinary, helloFrame(s.join(t, "Ada").Token, true)); err != nil {
		t.Fatal(err)
	}
	until(t, "the guest is seated", func() bool { return s.hub.Counters().People == 1 })
	c := s.all()[0]
	stuck := func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return !c.stuck.IsZero() && c.traffic.Dropped > 0
	}
	flood := mechanism.Message{From: officeID, To: mechanism.NodeID(c.info(time.Now()).Node), Payload: make([]byte, 1000)}
	until(t, "the guest is stuck", func() bool {
		for range 100 {
			s.hub.Route(flood)
		}
		return stuck()
	})
	return c
}

func TestSlowReaderHoldsUpNobody(t *testing.T) {
	s := open(t, nil)
	c := s.deaf(t)
	other, _ := s.seat(t, "Ben")
	for range 100 {
		other.send(t, dataFrame(officeID, "echo"))
		other.datagram(t)
	}
	s.sweep(time.Now()) // not yet
	c.mu.Lock()
	patient := c.end == nil
	c.mu.Unlock()
	if !patient {
		t.Error("shown out before its time")
	}
	s.sweep(time.Now().Add(time.Duration(s.config.Limits.Patience)))
	until(t, "the slow client is gone", func() bool { return s.Clients() == 1 })
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended[endSlow] != 1 {
		t.Errorf("endings: %v", s.ended)
	}
}

func TestHelloMustComeInTime(t *testing.T) {
	s := open(t, nil)
	g := s.dial(t)
	until(t, "the connection is there", func() bool { return s.Clients() == 1 })
	s.sweep(time.Now())
	s.sweep(time.Now().Add(time.Duration(s.config.Limits.Handshake)))
	if reason := g.goodbye(t); reason != endLate.text {
		t.Errorf("goodbye: %q", reason)
	}
}

func TestSilentClientIsAskedThenEnded(t *testing.T) {
	s := open(t, nil)
	g, _ := s.seat(t, "Ada")
	silence := time.Duration(s.config.Limits.Silence)
	s.sweep(time.Now().Add(silence / 2))
	<-g.pings
	s.sweep(time.Now().Add(silence))
	if reason := g.goodbye(t); reason != endSilent.text {
		t.Errorf("goodbye: %q", reason)
	}
}

func TestClientThatDoesNotHangUpIsCut(t *testing.T) {
	s := open(t, nil)
	s.seat(t, "Ada")
	c := s.all()[0]
	now := time.Now()
	c.mu.Lock()
	c.end, c.endSince = endFlood, now // told, but it does not listen
	c.mu.Unlock()
	s.sweep(now)
	if s.Clients() != 1 {
		t.Error("cut at once")
	}
	s.sweep(now.Add(linger))
	until(t, "the client is gone", func() bool { return s.Clients() == 0 })
}
