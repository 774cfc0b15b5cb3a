package fleet

import (
	"time"

	"throng/live/socket"
)

// messageMax is how large a message from the server may be.
const messageMax = 16 << 20

// Conn is a client's connection. Its methods are for the client, within calls to it; only Close may be called at any time.
type Conn struct {
	worker *worker
	client Client
	way    way
	place  int // of its alarm among the worker's
}

// way is how messages come and go. Whoever reads from it calls open, take and end with the worker's lock held.
type way interface {
	// send sends a message, and reports whether that can be. The caller holds the worker's lock.
	send(message []byte) bool
	// close has the connection closed; end follows.
	close()
}

// Send sends a message. It is copied. When the connection is broken the client will learn that by Closed.
func (c *Conn) Send(frame []byte) {
	if c.way.send(frame) {
		c.worker.stats.FramesOut++
		c.worker.stats.BytesOut += int64(len(frame) + socket.HeadSize(len(frame)) + socket.MaskSize)
	}
}

// WakeAt asks for Wake to be called at a time, or as soon as possible if that has passed. It replaces what was asked before.
func (c *Conn) WakeAt(t time.Duration) {
	if t = max(t, 0); c.worker.alarms.of(c) != t {
		c.worker.alarms.set(c, t)
	}
}

// Close closes the connection.
func (c *Conn) Close() { c.way.close() }

func (c *Conn) open() {
	w := c.worker
	c.client.Open(c, w.fleet.Now())
	w.ring()
}

func (c *Conn) take(message []byte) {
	w := c.worker
	w.stats.FramesIn++
	w.stats.BytesIn += int64(len(message) + socket.HeadSize(len(message)))
	c.client.Frame(message, w.fleet.Now())
	w.ring()
}

func (c *Conn) end(err error) {
	w := c.worker
	c.client.Closed(err, w.fleet.Now())
	w.alarms.set(c, Never)
	delete(w.conns, c)
	w.fleet.open.Done()
}
