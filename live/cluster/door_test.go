package cluster

import (
	"context"
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"throng/live/livetest"
)

// deafHandler takes note of nothing but frames.
type deafHandler struct{ frames chan byte }

func (h *deafHandler) frame(_ *peer, kind byte, _ []byte) {
	select {
	case h.frames <- kind:
	default:
	}
}
func (h *deafHandler) lost(*peer) {}
func (h *deafHandler) beat(*peer) {}

func openMesh(t *testing.T, token string) (*mesh, *deafHandler) {
	t.Helper()
	m, err := newMesh("127.0.0.1:0", token, time.Second, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	h := &deafHandler{frames: make(chan byte, 1)}
	m.start(h)
	t.Cleanup(m.close)
	return m, h
}

// Strangers who connect and say nothing, or too much, or the wrong thing, are few at a time, learn nothing, and are soon gone; who has the
// token gets in.
func TestStrangersAtTheDoor(t *testing.T) {
	m, _ := openMesh(t, "sesame")
	wrong := hello{token: "guess", instance: 7, address: "127.0.0.1:1"}
	huge := binary.LittleEndian.AppendUint32(nil, 1<<30)
	sayings := [][]byte{nil, appendFrame(nil, kindName, wrong.append(nil)), append(huge, kindRaft), appendFrame(nil, kindEnd, []byte("over")), []byte("GET / HTTP/1.1\r\n\r\n")}
	ended := make(chan int64, 1000)
	var d net.Dialer
	for i := range 400 {
		conn, err := d.DialContext(context.Background(), "tcp", m.address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.Write(sayings[i%len(sayings)])
		go func() {
			n, _ := io.Copy(io.Discard, conn)
			ended <- n
		}()
	}
	m.door.mu.Lock()
	inside := m.door.all
	m.door.mu.Unlock()
	if inside > strangersPerHost {
		t.Errorf("%d strangers are at the door", inside)
	}
	for range 400 {
		if n := <-ended; n > 0 {
			t.Errorf("a stranger was told %d bytes", n)
		}
	}
	livetest.Until(t, "nobody is at the door", func() bool {
		m.door.mu.Lock()
		defer m.door.mu.Unlock()
		return m.door.all == 0 && len(m.door.from) == 0
	})
	friend, heard := openMesh(t, "sesame")
	m.meet(friend.address)
	livetest.Until(t, "both know each other", func() bool { return len(m.all()) == 1 && len(friend.all()) == 1 })
	m.all()[0].send(kindPing, nil)
	<-heard.frames
	if _, err := friend.dial(m.address, time.Second); err != nil {
		t.Error(err)
	}
	stranger, _ := openMesh(t, "guess")
	if _, err := stranger.dial(m.address, time.Second); err == nil {
		t.Error("one with the wrong token gets in")
	}
}
