package gateway

import (
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/lxzan/gws"

	"throng/live/socket"
)

// sendBuffer is how much the system holds for a client. More would only grow old on the way to slow ones.
const sendBuffer = 64 << 10

// newUpgrader makes WebSockets of requests. It sees to the handshake only: its connections would hold half a kilobyte each,
// and a buffer besides, while nothing comes.
func (g *Gateway) newUpgrader() *gws.Upgrader {
	return gws.NewUpgrader(gws.BuiltinEventHandler{}, &gws.ServerOption{
		HandshakeTimeout: time.Duration(g.config.Limits.Handshake),
		NewSession:       func() gws.SessionStorage { return nil },
	})
}

// serveWebSocket takes in a client.
func (g *Gateway) serveWebSocket(w http.ResponseWriter, r *http.Request) { g.openWebSocket(w, r, nil) }

// openWebSocket takes in a client, which may be a thin one.
func (g *Gateway) openWebSocket(w http.ResponseWriter, r *http.Request, thin *thinClient) {
	from := g.sourceOf(r)
	if !g.mayConnect(w, r, from) {
		return
	}
	hijacker, ok := w.(http.Hijacker)
	if !ok || r.Method != http.MethodGet {
		g.admission.leave(from)
		http.Error(w, "a WebSocket is opened with GET over HTTP/1.1", http.StatusBadRequest)
		return
	}
	conn, buffered, err := hijacker.Hijack()
	if err != nil {
		g.admission.leave(from)
		return
	}
	conn.SetDeadline(time.Time{}) // those of requests; where that fails so will reading
	now := time.Now()
	c := g.newClient("websocket", from, now)
	c.counted = true
	pipe := newSocketPipe(conn, g.hasPollers)
	if thin != nil {
		thin.adopt(c, pipe)
	}
	c.pipe = pipe
	if !g.add(c) {
		g.admission.leave(from)
		pipe.end()
		return
	}
	if _, err := g.upgrader.UpgradeFromConn(&socketPlug{Conn: conn, client: c}, nil, r); err != nil {
		c.ended(now)
		return
	}
	early, _ := buffered.Reader.Peek(buffered.Reader.Buffered()) // a client need not wait for the answer to say hello
	newSocketReader(c, pipe).start(early)
}

// socketPlug is the connection during the handshake: what is answered takes its place among everything that goes out, and
// never makes anybody wait.
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

// SetDeadline does nothing: the connection may be but a shell by now.
func (p *socketPlug) SetDeadline(time.Time) error { return nil }

// socketPipe writes to a WebSocket.
type socketPipe struct {
	conn     net.Conn         // closed already if there is a detached socket
	detached *socket.Detached // nil where there is no poller
	socket   *socket.Socket   // nil where writing without waiting is not to be had, as under TLS
	rest     []byte           // what is still to be written, and what follows it
	next     []byte
	once     sync.Once
	op       byte // of the frames that are wrapped

	polling
}

// newSocketPipe returns a pipe to a client. Where sockets can be polled the connection is exchanged for its bare socket.
func newSocketPipe(conn net.Conn, polled func() bool) *socketPipe {
	p := &socketPipe{conn: conn, op: opBinary}
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return p
	}
	tcp.SetWriteBuffer(sendBuffer) // a wish: without it the system's default holds
	if polled() {
		if detached, err := socket.Detach(tcp); err == nil {
			p.detached, p.socket = detached, &detached.Socket
			return p
		}
	}
	p.socket = socket.Of(tcp)
	return p
}

// The first bytes of final frames.
const (
	opText   byte = socket.Final | socket.Text
	opBinary byte = socket.Final | socket.Binary
	opClose  byte = socket.Final | socket.Close
	opPing   byte = socket.Final | socket.Ping
	opPong   byte = socket.Final | socket.Pong
)

func (p *socketPipe) wrap(dst, frame []byte) []byte {
	var head [headMax]byte
	start := socket.PutHead(&head, p.op, len(frame))
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
	return appendClose(dst, code, e.text)
}

// appendClose appends a closing frame.
func appendClose(dst []byte, code uint16, text string) []byte {
	text = text[:min(len(text), closeReasonMax)]
	dst = append(dst, opClose, byte(2+len(text)))
	return append(binary.BigEndian.AppendUint16(dst, code), text...)
}

func (p *socketPipe) probe() string { return string([]byte{opPing, 0}) }

func (p *socketPipe) begin(control, data *buffer) (all bool, err error) {
	p.rest, p.next = nil, nil
	if data != nil {
		start := socket.PutHead((*[headMax]byte)(data.b), opBinary, len(data.b)-headMax)
		p.rest = data.b[start:]
	}
	if control != nil {
		p.rest, p.next = control.b[headMax:], p.rest
	}
	if p.socket == nil {
		return false, nil
	}
	return p.write()
}

// write writes as much as the socket takes, and reports whether that was all.
func (p *socketPipe) write() (all bool, err error) {
	for len(p.rest) > 0 {
		n, err := p.socket.Write(p.rest)
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
	if p.detached != nil {
		p.detached.CloseWrite()
	} else if half, ok := p.conn.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	}
}

// shut has those who read from the connection or write to it find its end; the socket is kept for as long as there are any.
func (p *socketPipe) shut() {
	half, ok := p.bare().(interface {
		CloseRead() error
		CloseWrite() error
	})
	if !ok {
		p.end()
		return
	}
	half.CloseRead()
	half.CloseWrite()
}

func (p *socketPipe) end() {
	p.once.Do(func() { p.bare().Close() })
}

// bare is what the connection comes down to: without TLS, which would say goodbye first, and that may take time.
func (p *socketPipe) bare() io.Closer {
	if p.detached != nil {
		return p.detached
	}
	if over, ok := p.conn.(*tls.Conn); ok {
		return over.NetConn()
	}
	return p.conn
}
