package fleet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/lxzan/gws"

	"throng/live/socket"
)

const (
	inSize   = 64<<10 + socket.HeadMax // what is read at once
	restMax  = 16 << 10                // beyond which a buffer for what is not whole is not kept
	queueMax = 1 << 20                 // how much may wait for a server to take it
	stuckMax = 10 * time.Second        // how long it may take to
)

var (
	errClosed   = errors.New("closed by the client")
	errStuck    = errors.New("the server takes nothing")
	errProtocol = errors.New("protocol error")
	errTooLarge = errors.New("message too large")
)

// direct is the way of a connection over plain TCP: its worker hears it along with all others, reads from its socket once for
// all that has come and writes to it without waiting.
type direct struct {
	conn   *Conn
	socket *socket.Detached      // used under the worker's lock
	over   atomic.Pointer[error] // why the connection ends; nil while it does not

	rest  []byte // of a frame that is not whole yet
	parts socket.Parts
	queue []byte        // what the socket has not taken
	since time.Duration // when it last took anything, if there is a queue
}

// listen hears the worker's connections until the poller is closed.
func (w *worker) listen() {
	for n := w.poller.Wait(); n > 0; n = w.poller.Wait() {
		w.mu.Lock()
		for i := range n {
			d := w.poller.Value(i)
			if err := d.turn(w.poller.Closing(i)); err != nil {
				d.hangUp(err)
			}
		}
		w.mu.Unlock()
	}
}

// turn writes what waits and takes what has come by now, of a connection that may end. It returns the reason if there will be no
// more.
func (d *direct) turn(ends bool) error {
	if err := d.over.Load(); err != nil {
		return *err
	}
	if len(d.queue) > 0 {
		if err := d.flush(); err != nil {
			return err
		}
	}
	in := d.conn.worker.in
	n, err := d.socket.Read(in)
	if err == nil {
		err = d.take(in[:n])
	}
	if err == nil && (ends || n == len(in)) {
		err = d.hearAgain()
	}
	return err
}

// take takes bytes that have come: frames, the last of which may not be whole yet.
func (d *direct) take(b []byte) error {
	if len(d.rest) > 0 {
		d.rest = append(d.rest, b...)
		b = d.rest
	}
	taken := 0
	for {
		f, size, code := socket.Cut(b[taken:], false, messageMax)
		if code != 0 {
			return d.refuse(code)
		}
		if size == 0 {
			break
		}
		taken += size
		if err := d.takeFrame(f); err != nil {
			return err
		}
		if err := d.over.Load(); err != nil {
			return *err
		}
	}
	if taken > 0 || len(d.rest) == 0 {
		d.rest = append(d.rest[:0], b[taken:]...)
	}
	if len(d.rest) == 0 && cap(d.rest) > restMax {
		d.rest = nil
	}
	return nil
}

func (d *direct) takeFrame(f socket.Frame) error {
	switch f.Opcode() {
	case socket.Close:
		return d.dismissed(f.Payload)
	case socket.Ping:
		d.write(socket.Frame{Head: socket.Final | socket.Pong, Payload: f.Payload})
	case socket.Pong:
	default:
		message, whole, code := d.parts.Add(f, messageMax)
		if code != 0 {
			return d.refuse(code)
		}
		if whole {
			d.conn.take(message)
		}
	}
	return nil
}

// dismissed answers a closing frame. It returns the reason that stands there.
func (d *direct) dismissed(payload []byte) error {
	var code []byte
	e := &gws.CloseError{}
	if len(payload) >= 2 {
		code = binary.BigEndian.AppendUint16(nil, socket.CloseNormal)
		e.Code, e.Reason = binary.BigEndian.Uint16(payload), bytes.Clone(payload[2:])
	}
	d.write(socket.Frame{Head: socket.Final | socket.Close, Payload: code})
	return e
}

// refuse tells the server that what it sends cannot be right, by a code. It returns what is wrong.
func (d *direct) refuse(code uint16) error {
	d.farewell(code)
	if code == socket.CloseTooLarge {
		return errTooLarge
	}
	return errProtocol
}

// farewell tells the server why the connection ends.
func (d *direct) farewell(code uint16) {
	d.write(socket.Frame{Head: socket.Final | socket.Close, Payload: binary.BigEndian.AppendUint16(nil, code)})
}

// hangUp ends the connection.
func (d *direct) hangUp(err error) {
	if err == errClosed {
		d.farewell(socket.CloseNormal)
	}
	d.over.Store(&err)
	d.conn.worker.poller.Remove(&d.socket.Socket)
	d.socket.Close()
	d.conn.end(err)
}

func (d *direct) close() { d.fail(errClosed) }

// fail has the connection end for a reason, unless it has one already: the poller finds that nothing more can come.
func (d *direct) fail(err error) {
	if d.over.CompareAndSwap(nil, &err) {
		d.socket.CloseRead()
	}
}

func (d *direct) send(message []byte) bool {
	if d.over.Load() != nil {
		return false
	}
	return d.write(socket.Frame{Head: socket.Final | socket.Binary, Payload: message})
}

// write writes a frame, or queues it if others wait. It reports whether that can be.
func (d *direct) write(f socket.Frame) bool {
	w := d.conn.worker
	var key [socket.MaskSize]byte
	binary.LittleEndian.PutUint32(key[:], rand.Uint32())
	w.out = socket.AppendMasked(w.out[:0], f, key)
	if len(d.queue) > 0 {
		if len(d.queue)+len(w.out) > queueMax || w.fleet.Now()-d.since > stuckMax {
			d.fail(errStuck)
			return false
		}
		d.queue = append(d.queue, w.out...)
		return true
	}
	n, err := d.socket.Write(w.out)
	if err == nil && n < len(w.out) {
		d.queue, d.since = append(d.queue, w.out[n:]...), w.fleet.Now()
		err = d.hearAgain()
	}
	if err != nil {
		d.fail(err)
	}
	return err == nil
}

// hearAgain has the poller tell of the connection again.
func (d *direct) hearAgain() error {
	return d.conn.worker.poller.Watch(&d.socket.Socket, len(d.queue) > 0)
}

// flush writes what waits, as far as it goes.
func (d *direct) flush() error {
	w := d.conn.worker
	n, err := d.socket.Write(d.queue)
	if err != nil || n == 0 {
		return err
	}
	if d.since = w.fleet.Now(); n < len(d.queue) {
		d.queue = append(d.queue[:0], d.queue[n:]...)
		return nil
	}
	d.queue = nil
	return d.hearAgain()
}
