package gateway

import (
	"syscall"
	"time"

	"throng/live/socket"
)

// readBuffer is what is held for a connection that cannot be read from otherwise. Frames from clients are small.
const readBuffer = 512

// socketReader hears a client that has a WebSocket. While nothing comes it holds no buffer and, where there is a poller, no
// goroutine: but for the moment in which the client says who it is, when something may have to be waited for.
type socketReader struct {
	client *client
	pipe   *socketPipe
	socket *socket.Socket // nil where it is not to be had, as under TLS
	buf    []byte         // to read into, without a socket
	come   arrivals
	parts  socket.Parts
	known  bool // the client has said who it is
	spoken int  // how many bytes have come since it was told to go
}

// spokenMax is how much a client may say after it was told to go, such as what was on its way. Its connection is then cut, whether
// it has heard or not.
const spokenMax = 64 << 10

func newSocketReader(c *client, p *socketPipe) *socketReader {
	r := &socketReader{client: c, pipe: p, socket: p.socket}
	if r.socket == nil {
		r.buf = make([]byte, readBuffer)
	}
	return r
}

// start begins to hear the client, of which something may have been read already.
func (r *socketReader) start(early []byte) {
	if len(early) > 0 || !r.poll() {
		r.come.add(early)
		go r.run() // the request's goroutine and memory are let go
	}
}

// poll has a poller hear the client from now on. It reports false if there is none.
func (r *socketReader) poll() bool {
	if r.pipe.detached == nil {
		return false
	}
	if r.pipe.watch(r.client.gate.nextPoller(), r) != nil {
		r.end(time.Now())
	}
	return true
}

// run hears the client until a poller does, or until there is nothing more to hear.
func (r *socketReader) run() {
	for more := r.hear(time.Now()); more; more = r.wait() && r.hear(time.Now()) {
		r.known = r.client.known()
		if r.poll() {
			return
		}
	}
	r.end(time.Now())
}

// ready is called by a poller when something has come from the client, or can be sent to it.
func (r *socketReader) ready(closing bool, now time.Time) {
	r.client.resume()
	some, full, more := r.read()
	switch {
	case more && some && !r.known:
		r.pipe.unwatch()
		go r.run()
	case !more || !r.hear(now):
		r.pipe.unwatch()
		r.end(now)
	case full || closing:
		r.pipe.rearm()
	}
}

// end is called when there is nothing more to hear.
func (r *socketReader) end(now time.Time) {
	r.client.ended(now)
	if err := r.pipe.abandon(); err != nil {
		r.client.sent(err)
	}
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
	return (n > 0 || err == nil) && r.mayGoOn(n)
}

// read takes in what has come by now. It reports whether anything has, whether that was all there was room for, and whether more
// can come.
func (r *socketReader) read() (some, full, more bool) {
	room := r.come.room()
	n, err := r.socket.Read(room)
	r.come.came(n)
	return n > 0, n == len(room), err == nil && r.mayGoOn(n)
}

// mayGoOn reports whether a client of which so many bytes have come is still listened to.
func (r *socketReader) mayGoOn(n int) bool {
	if r.client.closing.Load() {
		r.spoken += n
	}
	return r.spoken <= spokenMax
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

// take takes a frame. It returns the code to close the connection with, or zero. Whatever a frame is, it counts.
func (r *socketReader) take(f socket.Frame, now time.Time) (code uint16) {
	c := r.client
	allowed, e := c.admit(len(f.Payload), now)
	if e != nil {
		c.dismiss(e, now)
		return 0
	}
	switch op := f.Opcode(); {
	case op == socket.Close:
		return socket.CloseNormal
	case op == socket.Ping:
		if allowed {
			c.raw(append([]byte{opPong, byte(len(f.Payload))}, f.Payload...))
		}
	case op == socket.Pong:
	case op == socket.Text && !r.parts.Begun() && r.pipe.op != opText:
		c.dismiss(endMalformed, now)
	default:
		message, whole, code := r.parts.Add(f, c.gate.config.Limits.FrameMax)
		if whole && allowed {
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
