package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"

	"throng/live/protocol"
	"throng/mechanism"
)

// serveFast adds WebTransport to a site.
func (s *site) serveFast(t *testing.T) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := s.ServeWebTransport(conn); err != nil {
		t.Fatal(err)
	}
}

// flyer is a client over WebTransport that trusts the server by its certificate's fingerprint, as browsers do.
type flyer struct {
	session  *webtransport.Session
	stream   *webtransport.Stream
	splitter *protocol.Splitter
}

func dialFast(t *testing.T, at *WebTransport, header http.Header) (*flyer, error) {
	t.Helper()
	transport := &webtransport.Transport{
		TLSClientConfig: &tls.Config{
			NextProtos:         []string{http3.NextProtoH3},
			InsecureSkipVerify: true, // what follows verifies instead
			VerifyConnection: func(state tls.ConnectionState) error {
				sum := sha256.Sum256(state.PeerCertificates[0].Raw)
				if base64.StdEncoding.EncodeToString(sum[:]) != at.Certificate {
					return errors.New("another certificate than announced")
				}
				return nil
			},
		},
		QUICConfig: &quic.Config{EnableDatagrams: true, EnableStreamResetPartialDelivery: true},
	}
	t.Cleanup(func() { transport.Close() })
	_, session, err := transport.Dial(t.Context(), at.URL, header)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { session.CloseWithError(0, "") })
	stream, err := session.OpenStreamSync(t.Context())
	return &flyer{session, stream, protocol.NewSplitter(1 << 20)}, err
}

func (f *flyer) send(t *testing.T, frame []byte) {
	t.Helper()
	if _, err := f.stream.Write(append(protocol.AppendLength(nil, len(frame)), frame...)); err != nil {
		t.Fatal(err)
	}
}

// next is the next frame on the stream.
func (f *flyer) next() ([]byte, error) {
	var buf [4096]byte
	for {
		frame, err := f.splitter.Next()
		if frame != nil || err != nil {
			return frame, err
		}
		n, err := f.stream.Read(buf[:])
		f.splitter.Write(buf[:n])
		if n == 0 && err != nil {
			return nil, err
		}
	}
}

func (f *flyer) hello(t *testing.T, token string) protocol.Welcome {
	t.Helper()
	f.send(t, helloFrame(token, true))
	frame, err := f.next()
	if err != nil {
		t.Fatal(err)
	}
	w, err := protocol.ReadWelcome(frame)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// seatFast joins and connects over WebTransport.
func (s *site) seatFast(t *testing.T) (*flyer, protocol.Welcome) {
	t.Helper()
	reply := s.join(t, "Ada")
	f, err := dialFast(t, reply.WebTransport, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f, f.hello(t, reply.Token)
}

func TestPersonFlies(t *testing.T) {
	s := open(t, nil)
	s.serveFast(t)
	f, w := s.seatFast(t)
	if w.User != 3 {
		t.Errorf("%+v", w)
	}
	if err := f.session.SendDatagram(dataFrame(officeID, "echo")); err != nil {
		t.Fatal(err)
	}
	frame, err := f.session.ReceiveDatagram(t.Context())
	if err != nil || !bytes.Equal(frame, dataFrame(officeID, "echo")) {
		t.Errorf("%v %v", frame, err)
	}
	f.send(t, protocol.AppendPing(nil, 7))
	if frame, err = f.next(); err != nil {
		t.Fatal(err)
	}
	if client, _, err := protocol.ReadPong(frame); err != nil || client != 7 {
		t.Errorf("pong %v %v", client, err)
	}
}

func TestManyDatagramsArePacked(t *testing.T) {
	s := open(t, nil)
	s.serveFast(t)
	f, w := s.seatFast(t)
	c := s.idle(t)
	for range 20 {
		s.hub.Route(mechanism.Message{From: officeID, To: w.Node, Payload: make([]byte, 100)})
	}
	large := bytes.Repeat([]byte{7}, 5000)
	s.hub.Route(mechanism.Message{From: officeID, To: w.Node, Payload: large})
	c.sent(nil)

	got := 0
	for got < 20 {
		frame, err := f.session.ReceiveDatagram(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(frame) > datagramMax {
			t.Errorf("a datagram of %d bytes", len(frame))
		}
		items := protocol.ReadData(frame)
		for _, ok := items.Next(); ok; _, ok = items.Next() {
			got++
		}
		if got < 10 && items.Err() != nil {
			t.Errorf("%d datagrams of 100 bytes in the first: %v", got, items.Err())
		}
	}
	frame, err := f.next()
	if err != nil {
		t.Fatal(err)
	}
	items := protocol.ReadData(frame)
	if item, ok := items.Next(); !ok || !bytes.Equal(item.Payload, large) {
		t.Error("what is too large for a datagram did not come on the stream")
	}
}

func TestFlyerIsToldOfTheEnd(t *testing.T) {
	s := open(t, nil)
	s.serveFast(t)
	f, _ := s.seatFast(t)
	done := make(chan error)
	go func() { done <- s.Close(t.Context(), "the fair is over") }()
	frame, err := f.next()
	if err != nil {
		t.Fatal(err)
	}
	if reason, err := protocol.ReadGoodbye(frame); err != nil || string(reason) != "the fair is over" {
		t.Errorf("goodbye %q %v", reason, err)
	}
	if _, err := f.next(); err != io.EOF {
		t.Errorf("after the goodbye: %v", err)
	}
	f.session.CloseWithError(0, "")
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestUnwelcomeFlyersAreShownOut(t *testing.T) {
	s := open(t, nil)
	s.serveFast(t)
	reply := s.join(t, "Ada")
	for _, c := range []struct {
		name  string
		bytes []byte
		want  *ending
	}{
		{"wrong token", append(protocol.AppendLength(nil, len(helloFrame("x", true))), helloFrame("x", true)...), endStranger},
		{"garbage", []byte{3, 0xff, 0xff, 0xff}, endManners},
		{"too long", protocol.AppendLength(nil, s.config.Limits.FrameMax+1), endMalformed},
		{"endless", bytes.Repeat([]byte{0xff}, 64), endMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := dialFast(t, reply.WebTransport, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.stream.Write(c.bytes); err != nil {
				t.Fatal(err)
			}
			frame, err := f.next()
			if err != nil {
				t.Fatal(err)
			}
			if reason, err := protocol.ReadGoodbye(frame); err != nil || string(reason) != c.want.text {
				t.Errorf("goodbye %q %v, want %q", reason, err, c.want.text)
			}
		})
	}
}

func TestDatagramsBeforeHelloAreLost(t *testing.T) {
	s := open(t, nil)
	s.serveFast(t)
	reply := s.join(t, "Ada")
	f, err := dialFast(t, reply.WebTransport, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.session.SendDatagram(dataFrame(officeID, "echo")); err != nil {
		t.Fatal(err)
	}
	if w := f.hello(t, reply.Token); w.User != 3 {
		t.Errorf("%+v", w)
	}
}

func TestPagesFromElsewhereDoNotFly(t *testing.T) {
	s := open(t, nil)
	s.serveFast(t)
	reply := s.join(t, "Ada")
	if _, err := dialFast(t, reply.WebTransport, http.Header{"Origin": {"https://elsewhere.example"}}); err == nil {
		t.Error("let in")
	}
}

func TestFlyerWhoNeverOpensAStreamIsCut(t *testing.T) {
	s := open(t, nil)
	s.serveFast(t)
	f, err := dialFast(t, s.join(t, "Ada").WebTransport, nil)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the session is there", func() bool { return s.Clients() == 1 })
	s.sweep(time.Now().Add(time.Duration(s.config.Limits.Handshake)))
	<-f.session.Context().Done()
	until(t, "the session is gone", func() bool { return s.Clients() == 0 })
}

// QUIC itself sees to it that a client is alive: one that has nothing to say stays.
func TestQuietFlyerStays(t *testing.T) {
	s := open(t, nil)
	s.serveFast(t)
	f, _ := s.seatFast(t)
	half := time.Duration(s.config.Limits.Silence) / 2
	for now, i := time.Now(), 1; i < 5; i++ {
		s.sweep(now.Add(time.Duration(i) * half))
	}
	if err := f.session.SendDatagram(dataFrame(officeID, "echo")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.session.ReceiveDatagram(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSlowFlyerIsCut(t *testing.T) {
	s := open(t, nil)
	s.serveFast(t)
	f, _ := s.seatFast(t)
	c := s.idle(t)
	c.mu.Lock()
	c.stuck = time.Now() // as if it took nothing
	c.mu.Unlock()
	s.sweep(time.Now().Add(time.Duration(s.config.Limits.Patience)))
	<-f.session.Context().Done()
	c.sent(context.Canceled)
	until(t, "the session is gone", func() bool { return s.Clients() == 0 })
}
