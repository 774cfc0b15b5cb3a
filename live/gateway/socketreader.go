package gateway

import (
	"syscall"
	"time"

	"throng/live/socket"
)

// readBuffer is what is held for a connection that cannot be read from otherwise. Frames from clients are small.
const readBuffer = 512

// socketReader hears a client that has a WebSocket. While nothing comes it holds no buffer, and no goroutine once the client has
// said who it is: until then something may have to be waited for.
type socketReader struct {
	client *client
	pipe   *socketPipe
	socket *socket.Socket // nil where it is not to be had, as under TLS
	buf    []byte         // to read into, without a socket
	come   arrivals
	parts  socket.Parts
}

func newSocketReader(c *client, p *socketPipe) *socketReader {
	r := &socketReader{client: c, pipe: p, socket: p.socket}
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
			r.pipe.relinquish()
			return
		}
	}
	r.client.ended(time.Now())
}

// wait waits for something to come. It reports false if nothing more can.
func (r *socketReader) wait() (more bool) {
	if r.socket != nil {
		raw, err := r.pipe.conn.(syscall.Conn).SyscallConn()
		if err != nil {
			return false
		}
		err = raw.Read(func(uintptr) bool {
			var some bool
			some, _, more = r.read()
			return some || !more
		})
		return more && err == nil
	}
	n, err := r.pipe.conn.Read(r.buf)
	r.come.add(r.buf[:n])
	return n > 0 || err == nil
}

// read takes in what has come by now. It reports whether anything has, whether that was all there was room for, and whether more
// can come.
func (r *socketReader) read() (some, full, more bool) {
	room := r.come.room()
	n, err := r.socket.Read(room)
	r.come.came(n)
	return n > 0, n == len(room), err == nil
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
func (r *socketReader) take(f socket.Frame, now time.Time) (code uint16) {
	c := r.client
	switch op := f.Opcode(); {
	case op == socket.Close:
		return socket.CloseNormal
	case op == socket.Ping:
		c.heard.Store(monotonic(now))
		if c.mayPing(len(f.Payload), now) {
			c.raw(append([]byte{opPong, byte(len(f.Payload))}, f.Payload...))
		}
	case op == socket.Pong:
		c.heard.Store(monotonic(now))
	case op == socket.Text && !r.parts.Begun():
		c.dismiss(endMalformed, now)
	default:
		message, whole, code := r.parts.Add(f, c.gate.config.Limits.FrameMax)
		if whole {
			r.deliver(message, now)
		}
		return code
	}
	return 0
}

func (r *socketReader) deliver(message []byte, now time.Time) {
	if e := r.client.take(message, now); e != nil {
		r.client.dismiss(e, now)
	}
}
