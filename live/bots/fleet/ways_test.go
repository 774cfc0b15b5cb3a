package fleet

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"throng/live/socket"
)

// peer is a server's end of a connection, past any library.
type peer struct {
	conn net.Conn
	in   *bufio.Reader
	rest []byte
}

// host accepts one connection and says something along with the answer to the handshake.
func host(t *testing.T, early []byte) (url string, accept func() *peer) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	accepted := make(chan *peer, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		p := &peer{conn: conn, in: bufio.NewReader(conn)}
		request, err := http.ReadRequest(p.in)
		if err != nil {
			return
		}
		sum := sha1.Sum([]byte(request.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
		answer := "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
			base64.StdEncoding.EncodeToString(sum[:]) + "\r\n\r\n"
		conn.Write(append([]byte(answer), early...))
		accepted <- p
	}()
	return "ws://" + l.Addr().String(), func() *peer {
		p := <-accepted
		t.Cleanup(func() { p.conn.Close() })
		return p
	}
}

func (p *peer) say(t *testing.T, frames ...[]byte) {
	t.Helper()
	if _, err := p.conn.Write(bytes.Join(frames, nil)); err != nil {
		t.Fatal(err)
	}
}

// hear returns the next frame that the client sends.
func (p *peer) hear(t *testing.T) (head byte, payload string) {
	t.Helper()
	for {
		f, size, code := socket.Cut(p.rest, true, messageMax)
		if code != 0 {
			t.Fatalf("the client's frame is wrong: %d", code)
		}
		if size > 0 {
			p.rest = p.rest[size:]
			return f.Head, string(f.Payload)
		}
		var piece [4 << 10]byte
		n, err := p.in.Read(piece[:])
		if err != nil {
			t.Fatal(err)
		}
		p.rest = append(p.rest, piece[:n]...)
	}
}

func frame(head byte, payload string) []byte {
	var h [socket.HeadMax]byte
	return append(h[socket.PutHead(&h, head, len(payload)):], payload...)
}

const whole = socket.Final | socket.Binary

// hearer hands on what it hears.
type hearer struct {
	conn   *Conn
	opened chan struct{}
	heard  chan string
	closed chan error
}

func newHearer() *hearer {
	return &hearer{opened: make(chan struct{}), heard: make(chan string, 10), closed: make(chan error, 1)}
}

func (h *hearer) Open(c *Conn, _ time.Duration)         { h.conn = c; close(h.opened) }
func (h *hearer) Wake(time.Duration)                    {}
func (h *hearer) Frame(message []byte, _ time.Duration) { h.heard <- string(message) }
func (h *hearer) Closed(err error, _ time.Duration)     { h.closed <- err }

// hide makes a connection one that is not known to have a socket.
func hide(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	return struct{ net.Conn }{conn}, err
}

// connected returns a fleet with one client, and its server, which says something early. The fleet is closed in the end.
func connected(t *testing.T, dial Dial, early []byte) (*Fleet, *hearer, *peer) {
	t.Helper()
	f := New(1, dial)
	t.Cleanup(f.Close)
	url, accept := host(t, early)
	h := newHearer()
	if err := f.Connect(t.Context(), url, 0, h); err != nil {
		t.Fatal(err)
	}
	return f, h, accept()
}

// either tests something on both ways that a connection can have.
func either(t *testing.T, early []byte, test func(*testing.T, *Fleet, *hearer, *peer)) {
	for name, dial := range map[string]Dial{"direct": nil, "library": hide} {
		t.Run(name, func(t *testing.T) {
			f, h, p := connected(t, dial, early)
			<-h.opened
			test(t, f, h, p)
		})
	}
}

func TestWhatComesWithTheHandshakeIsHeard(t *testing.T) {
	early := append(frame(whole, "welcome"), frame(whole, "aboard")[:3]...)
	either(t, early, func(t *testing.T, _ *Fleet, h *hearer, p *peer) {
		p.say(t, frame(whole, "aboard")[3:])
		for _, want := range []string{"welcome", "aboard"} {
			if got := <-h.heard; got != want {
				t.Errorf("heard %q, want %q", got, want)
			}
		}
	})
}

func TestMessagesInPartsAndPings(t *testing.T) {
	either(t, nil, func(t *testing.T, _ *Fleet, h *hearer, p *peer) {
		p.say(t, frame(socket.Binary, "in "), frame(socket.Final|socket.Ping, "there?"), frame(socket.Continuation, "three "),
			frame(socket.Final|socket.Pong, ""), frame(socket.Final|socket.Continuation, "parts"), frame(socket.Final|socket.Text, "text"))
		for _, want := range []string{"in three parts", "text"} {
			if got := <-h.heard; got != want {
				t.Errorf("heard %q, want %q", got, want)
			}
		}
		if head, payload := p.hear(t); head != socket.Final|socket.Pong || payload != "there?" {
			t.Errorf("the ping is answered with %x %q", head, payload)
		}
	})
}

func TestLargeMessages(t *testing.T) {
	large := string(bytes.Repeat([]byte("large"), 100_000))
	either(t, nil, func(t *testing.T, f *Fleet, h *hearer, p *peer) {
		go p.conn.Write(append(frame(whole, large), frame(whole, "small")...))
		for _, want := range []string{large, "small"} {
			if got := <-h.heard; got != want {
				t.Errorf("%d bytes came, want %d", len(got), len(want))
			}
		}
		go f.Do(0, func() { h.conn.Send([]byte(large)) })
		if head, payload := p.hear(t); head != whole || payload != large {
			t.Errorf("a message of %d bytes was sent, want %d", len(payload), len(large))
		}
	})
}

// However a connection ends, the client learns why, and the server is told where it can be.
func TestEndings(t *testing.T) {
	for name, c := range map[string]struct {
		say  []byte
		why  string // as the client learns, with or without the library's name
		tell string // the code that the server is told
	}{
		"the server's":      {frame(socket.Final|socket.Close, "\x03\xe9enough"), "connection closed, code=1001, reason=enough", "\x03\xe8"},
		"without a code":    {frame(socket.Final|socket.Close, ""), "connection closed, code=0, reason=", ""},
		"masked":            {[]byte{whole, 0x80, 1, 2, 3, 4}, "protocol error", "\x03\xea"},
		"a part of nothing": {frame(socket.Final|socket.Continuation, ""), "protocol error", "\x03\xea"},
		"too large":         {[]byte{whole, 127, 0, 0, 0, 0, 1, 0, 0, 1}, "message too large", "\x03\xf1"},
	} {
		t.Run(name, func(t *testing.T) {
			either(t, nil, func(t *testing.T, f *Fleet, h *hearer, p *peer) {
				p.say(t, c.say)
				if err := <-h.closed; strings.TrimPrefix(err.Error(), "gws: ") != c.why {
					t.Errorf("the client learns %q, want %q", err, c.why)
				}
				if head, payload := p.hear(t); head != socket.Final|socket.Close || payload[:min(2, len(payload))] != c.tell {
					t.Errorf("the server hears %x %q, want %q", head, payload, c.tell)
				}
				if open := f.Stats().Open; open != 0 {
					t.Errorf("%d connections are open", open)
				}
			})
		})
	}
}

func TestLostConnections(t *testing.T) {
	either(t, nil, func(t *testing.T, _ *Fleet, h *hearer, p *peer) {
		p.conn.Close()
		if err := <-h.closed; err != io.EOF {
			t.Errorf("the client learns %v, want %v", err, io.EOF)
		}
	})
}

func TestClientsHangUp(t *testing.T) {
	either(t, nil, func(t *testing.T, f *Fleet, h *hearer, p *peer) {
		f.Do(0, func() {
			h.conn.Send([]byte("bye"))
			h.conn.Close()
			h.conn.Send([]byte("more"))
		})
		<-h.closed
		if head, payload := p.hear(t); head != whole || payload != "bye" {
			t.Errorf("the server hears %x %q", head, payload)
		}
		if head, payload := p.hear(t); head != socket.Final|socket.Close || payload != "\x03\xe8" {
			t.Errorf("the server hears %x %q", head, payload)
		}
		if out := f.Stats().FramesOut; out != 1 {
			t.Errorf("%d messages count as sent", out)
		}
	})
}
