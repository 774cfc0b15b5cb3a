package gateway

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"throng/live/socket"
)

// rawReader reads what a server sends to a client that has no library between itself and the wire.
type rawReader struct{ in *bufio.Reader }

const upgradeRequest = "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

// raw opens a WebSocket by hand. What is sent first may be changed.
func (s *site) raw(t testing.TB, change func(request []byte) []byte) (net.Conn, *rawReader) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.http.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	request := []byte(upgradeRequest)
	if change != nil {
		request = change(request)
	}
	if _, err := conn.Write(request); err != nil {
		t.Fatal(err)
	}
	r := &rawReader{bufio.NewReader(conn)}
	response, err := http.ReadResponse(r.in, nil)
	if err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v, %v", response, err)
	}
	return conn, r
}

// frame is the payload of the next frame.
func (r *rawReader) frame(t testing.TB) []byte {
	t.Helper()
	_, payload, err := r.next()
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

func (r *rawReader) next() (head byte, payload []byte, err error) {
	var b [8]byte
	if _, err := io.ReadFull(r.in, b[:2]); err != nil {
		return 0, nil, err
	}
	head = b[0]
	length := uint64(b[1])
	switch length {
	case 126:
		_, err = io.ReadFull(r.in, b[:2])
		length = uint64(binary.BigEndian.Uint16(b[:]))
	case 127:
		_, err = io.ReadFull(r.in, b[:8])
		length = binary.BigEndian.Uint64(b[:])
	}
	if err == nil {
		payload = make([]byte, length)
		_, err = io.ReadFull(r.in, payload)
	}
	return head, payload, err
}

// clientFrame is a frame as a client sends it.
func clientFrame(head byte, payload []byte) []byte {
	return socket.AppendMasked(nil, socket.Frame{Head: head, Payload: payload}, [4]byte{1, 2, 3, 4})
}
