package gateway

import (
	"net"
	"time"

	"github.com/lxzan/gws"
)

// readBuffer is what is held for a connection that cannot be read from otherwise. Frames from clients are small.
const readBuffer = 512

// socketReader hears a client that has a WebSocket. While nothing comes it holds no buffer, and no goroutine once the client has
// said who it is: until then something may have to be waited for.
type socketReader struct {
	client *client
	conn   net.Conn
	socket *socket // nil where it is not to be had, as under TLS
	buf    []byte  // to read into, without a socket
	come   arrivals
	parts  []byte // of a message in several frames; nil for none
}

func newSocketReader(c *client, p *socketPipe) *socketReader {
	r := &socketReader{client: c, conn: p.conn, socket: p.socket}
	if r.socket == nil {
		r.buf = make([]byte, readBuffer)
	}
	return r
}

// run hears the client until there is nothing more to hear.
func (r *socketReader) run() {
	for r.wait() {
		if !r.hear(time.Now()) {
			break
		}
		if r.socket != nil && r.client.known() && r.client.gate.listen(r) {
			return
		}
	}
	r.client.ended(time.Now())
}

// wait waits for something to come.
func (r *socketReader) wait() bool {
	if r.socket != nil {
		return r.socket.wait(&r.come)
	}
	n, err := r.conn.Read(r.buf)
	r.come.add(r.buf[:n])
	return n > 0 || err == nil
}

// hear takes the frames that have come. It reports whether there is more to be heard.
func (r *socketReader) hear(now time.Time) bool {
	defer r.come.tidy()
	for {
		f, ok, code := r.come.next(r.client.gate.config.Limits.FrameMax)
		if ok {
			code = r.take(f, now)
		}
		switch {
		case code != 0:
			r.client.raw(appendClose(nil, code, ""))
			return false
		case !ok:
			return true
		}
	}
}

// take takes a frame. It returns the code to close the connection with, or zero.
func (r *socketReader) take(f frame, now time.Time) (code uint16) {
	const final, opcode = 0x80, 0x0f
	c := r.client
	switch op := gws.Opcode(f.head & opcode); {
	case op == gws.OpcodeCloseConnection:
		return closeNormal
	case op == gws.OpcodePing:
		c.heard.Store(now.UnixNano())
		if c.mayPing(len(f.payload), now) {
			c.raw(append([]byte{opPong, byte(len(f.payload))}, f.payload...))
		}
	case op == gws.OpcodePong:
		c.heard.Store(now.UnixNano())
	case op > gws.OpcodeBinary, (op == gws.OpcodeContinuation) != (r.parts != nil):
		return closeProtocol
	case op == gws.OpcodeText:
		c.dismiss(endMalformed, now)
	case f.head&final != 0 && r.parts == nil:
		r.deliver(f.payload, now)
	default:
		return r.join(f.payload, f.head&final != 0, now)
	}
	return 0
}

// join puts together a message that comes in several frames.
func (r *socketReader) join(part []byte, last bool, now time.Time) (code uint16) {
	if len(r.parts)+len(part) > r.client.gate.config.Limits.FrameMax {
		return closeTooLarge
	}
	if r.parts == nil {
		r.parts = []byte{}
	}
	r.parts = append(r.parts, part...)
	if last {
		r.deliver(r.parts, now)
		r.parts = nil
	}
	return 0
}

func (r *socketReader) deliver(message []byte, now time.Time) {
	if e := r.client.take(message, now); e != nil {
		r.client.dismiss(e, now)
	}
}
