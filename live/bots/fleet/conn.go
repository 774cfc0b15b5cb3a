package fleet

import (
	"context"
	"net"
	"time"

	"github.com/lxzan/gws"
)

// readBuffer is what a connection at rest keeps for reading. Larger messages are read past it.
const readBuffer = 512

// Conn is a client's connection. Its methods are for the client, within calls to it; only Close may be called at any time.
type Conn struct {
	gws.BuiltinEventHandler
	worker *worker
	client Client
	socket *gws.Conn
	alarm  time.Duration
	at     int // where it stands among the worker's alarms
}

// Send sends a message. It is copied. When the connection is broken the client will learn that by Closed.
func (c *Conn) Send(frame []byte) {
	if c.socket.WriteMessage(gws.OpcodeBinary, frame) == nil {
		c.worker.stats.FramesOut++
		c.worker.stats.BytesOut += int64(len(frame) + headerSize(len(frame)) + maskSize)
	}
}

// WakeAt asks for Wake to be called at a time, or as soon as possible if that has passed. It replaces what was asked before.
func (c *Conn) WakeAt(t time.Duration) {
	if c.alarm != t {
		c.worker.alarms.set(c, t)
	}
}

// Close closes the connection.
func (c *Conn) Close() { _ = c.socket.WriteClose(1000, nil) }

// maskSize is what the masking of a client's messages takes.
const maskSize = 4

// headerSize is what stands before a message.
func headerSize(n int) int {
	switch {
	case n < 126:
		return 2
	case n < 1<<16:
		return 4
	}
	return 10
}

// OnOpen, OnMessage and OnClose are called by the goroutine that reads.

func (c *Conn) OnOpen(socket *gws.Conn) {
	w := c.worker
	w.mu.Lock()
	defer w.mu.Unlock()
	c.client.Open(c, w.fleet.Now())
	w.ring()
}

func (c *Conn) OnMessage(_ *gws.Conn, m *gws.Message) {
	defer m.Close()
	frame := m.Bytes()
	w := c.worker
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stats.FramesIn++
	w.stats.BytesIn += int64(len(frame) + headerSize(len(frame)))
	c.client.Frame(frame, w.fleet.Now())
	w.ring()
}

func (c *Conn) OnClose(_ *gws.Conn, err error) {
	w := c.worker
	w.mu.Lock()
	defer w.mu.Unlock()
	c.client.Closed(err, w.fleet.Now())
	w.alarms.set(c, Never)
	delete(w.conns, c)
}

// dialer dials until its context is done.
type dialer struct {
	ctx  context.Context
	dial Dial
}

func (d dialer) Dial(network, address string) (net.Conn, error) {
	return d.dial(d.ctx, network, address)
}
