package gateway

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/lxzan/gws"
)

const (
	// readBuffer is what a connection reads at once. Frames from clients are small, and idle clients many.
	readBuffer = 512

	// sendBuffer is how much the system holds for a client. More would only grow old on the way to slow ones.
	sendBuffer = 64 << 10
)

// newUpgrader makes WebSockets of requests. What comes over them goes to their clients.
func (g *Gateway) newUpgrader() *gws.Upgrader {
	return gws.NewUpgrader(socketEvents{}, &gws.ServerOption{
		ReadMaxPayloadSize: g.config.Limits.FrameMax,
		HandshakeTimeout:   time.Duration(g.config.Limits.Handshake),
		NewSession:         func() gws.SessionStorage { return &socketOwner{} },
	})
}

// socketOwner takes the place of a connection's storage, to find its client without a search.
type socketOwner struct {
	gws.SessionStorage
	client *client
}

func ownerOf(s *gws.Conn) *client { return s.Session().(*socketOwner).client }

// serveWebSocket takes in a client.
func (g *Gateway) serveWebSocket(w http.ResponseWriter, r *http.Request) {
	host := g.hostOf(r)
	if !g.mayConnect(w, r, host) {
		return
	}
	hijacker, ok := w.(http.Hijacker)
	if !ok || r.Method != http.MethodGet {
		g.doormen.leave(host)
		http.Error(w, "a WebSocket is opened with GET over HTTP/1.1", http.StatusBadRequest)
		return
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		g.doormen.leave(host)
		return
	}
	now := time.Now()
	c := g.newClient("websocket", host, now)
	c.counted = true
	c.pipe = newSocketPipe(conn)
	if !g.add(c) {
		g.doormen.leave(host)
		conn.Close()
		return
	}
	plug := &socketPlug{Conn: conn, client: c}
	socket, err := g.upgrader.UpgradeFromConn(plug, bufio.NewReaderSize(plug, readBuffer), r)
	if err != nil {
		c.ended(now)
		return
	}
	socket.Session().(*socketOwner).client = c
	go socket.ReadLoop() // the request's goroutine and memory are let go
}

// socketEvents hands clients what their sockets hear.
type socketEvents struct{}

func (socketEvents) OnOpen(*gws.Conn) {}

func (socketEvents) OnClose(s *gws.Conn, _ error) { ownerOf(s).ended(time.Now()) }

func (socketEvents) OnMessage(s *gws.Conn, m *gws.Message) {
	c, now := ownerOf(s), time.Now()
	e := endMalformed
	if m.Opcode == gws.OpcodeBinary {
		e = c.take(m.Bytes(), now)
	}
	m.Close()
	if e != nil {
		c.dismiss(e, now)
	}
}

func (socketEvents) OnPing(s *gws.Conn, payload []byte) {
	c, now := ownerOf(s), time.Now()
	c.heard.Store(now.UnixNano())
	if c.mayPing(len(payload), now) {
		s.WritePong(payload)
	}
}

func (socketEvents) OnPong(s *gws.Conn, _ []byte) { ownerOf(s).heard.Store(time.Now().UnixNano()) }

// socketPlug is the connection as the WebSocket library has it: what the library writes of its own, such as its answer to a
// handshake or to a closing frame, takes its place among everything else and never makes the reading side wait.
type socketPlug struct {
	net.Conn
	client *client
}

func (p *socketPlug) Write(b []byte) (int, error) {
	p.client.raw(b)
	return len(b), nil
}

// Close does nothing yet: what waits still goes out, then the client closes the connection.
func (p *socketPlug) Close() error { return nil }

// socketPipe writes to a WebSocket.
type socketPipe struct {
	conn net.Conn
	try  *attempt // nil where writing without waiting is not to be had, as under TLS
	rest []byte   // what is still to be written, and what follows it
	next []byte
	once sync.Once
}

func newSocketPipe(conn net.Conn) *socketPipe {
	p := &socketPipe{conn: conn}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetWriteBuffer(sendBuffer) // a wish: without it the system's default holds
		p.try = newAttempt(tcp)
	}
	return p
}

// The first bytes of final frames.
const (
	opBinary = 0x80 | byte(gws.OpcodeBinary)
	opClose  = 0x80 | byte(gws.OpcodeCloseConnection)
	opPing   = 0x80 | byte(gws.OpcodePing)
)

// putHead writes the head of a WebSocket message so that it ends at the end of dst, and returns where it begins.
func putHead(dst *[headMax]byte, size int) int {
	switch {
	case size < 126:
		dst[headMax-2], dst[headMax-1] = opBinary, byte(size)
		return headMax - 2
	case size < 1<<16:
		dst[headMax-4], dst[headMax-3] = opBinary, 126
		binary.BigEndian.PutUint16(dst[headMax-2:], uint16(size))
		return headMax - 4
	default:
		dst[0], dst[1] = opBinary, 127
		binary.BigEndian.PutUint64(dst[2:], uint64(size))
		return 0
	}
}

func (p *socketPipe) wrap(dst, frame []byte) []byte {
	var head [headMax]byte
	start := putHead(&head, len(frame))
	return append(append(dst, head[start:]...), frame...)
}

// closeReasonMax is how long the reason in a closing frame may be.
const closeReasonMax = 123

func (p *socketPipe) farewell(dst []byte, e *ending) []byte {
	const goingAway, policyViolation = 1001, 1008
	code := uint16(policyViolation)
	if e.code == endShutdown.code || e.code == endLeft.code {
		code = goingAway
	}
	text := e.text[:min(len(e.text), closeReasonMax)]
	dst = append(dst, opClose, byte(2+len(text)))
	return append(binary.BigEndian.AppendUint16(dst, code), text...)
}

func (p *socketPipe) probe() string { return string([]byte{opPing, 0}) }

func (p *socketPipe) begin(control, data *buffer) (all bool, err error) {
	p.rest, p.next = nil, nil
	if data != nil {
		start := putHead((*[headMax]byte)(data.b), len(data.b)-headMax)
		p.rest = data.b[start:]
	}
	if control != nil {
		p.rest, p.next = control.b[headMax:], p.rest
	}
	if p.try == nil {
		return false, nil
	}
	for len(p.rest) > 0 {
		n, err := p.try.write(p.rest)
		if err != nil {
			return false, err
		}
		if p.rest = p.rest[n:]; len(p.rest) > 0 {
			return false, nil
		}
		p.rest, p.next = p.next, nil
	}
	return true, nil
}

func (p *socketPipe) wait() error {
	for _, part := range [][]byte{p.rest, p.next} {
		if len(part) > 0 {
			if _, err := p.conn.Write(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish closes our half: closing all of it would make the system drop what the client has not read, if the client has sent
// anything that we have not.
func (p *socketPipe) finish() {
	if half, ok := p.conn.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	}
}

// shut does not say goodbye where there is TLS, since that may take time.
func (p *socketPipe) shut() {
	conn := p.conn
	if over, ok := conn.(*tls.Conn); ok {
		conn = over.NetConn()
	}
	p.once.Do(func() { conn.Close() })
}
