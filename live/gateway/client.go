package gateway

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"throng/live/hub"
	"throng/live/protocol"
	"throng/mechanism"
)

// pipe is how frames get to a client. One goroutine writes at a time; shut may be called by any.
type pipe interface {
	// data sends a frame of datagrams, whole or in part; it may block as long as the client's patience allows.
	data(frame []byte, deadline time.Time) error
	// control sends any other frame, in order.
	control(frame []byte, deadline time.Time) error
	// shut closes the connection at once.
	shut()
}

// client is one connection with what it has to say. It implements hub.Conn.
type client struct {
	gate *Gateway
	pipe pipe
	host string // the address that it counts against

	// Reading, by the goroutine that reads.
	ticket *ticket // nil until it has said hello
	frames bucket
	bytes  bucket
	excess int // frames dropped in a row

	// Writing.
	mu      sync.Mutex
	waiting []byte // a frame of datagrams in the making
	answers []byte // control frames, each behind its length
	writing bool
	closed  bool
	spare   []byte // the buffer that is not in use
	since   atomic.Int64
}

var (
	errStranger  = errors.New("the token is unknown or no longer valid; join again")
	errManners   = errors.New("the first frame must be a hello")
	errVersion   = errors.New("the client speaks another version; reload the page")
	errFlood     = errors.New("too much was sent")
	errMalformed = errors.New("a frame could not be read")
)

// excessMax is how many frames in a row may be over the limit before a client is shown out.
const excessMax = 1000

// frame takes one frame from the client. After an error the connection is to be closed with it as the reason.
func (c *client) frame(f []byte, now time.Time) error {
	if c.ticket == nil {
		return c.hello(f)
	}
	if !c.frames.take(now, 1, float64(c.gate.config.FramesPerSecond)) || !c.bytes.take(now, float64(len(f)), float64(c.gate.config.BytesPerSecond)) {
		c.gate.counters.excess.Add(1)
		if c.excess++; c.excess > excessMax {
			return errFlood
		}
		return nil
	}
	c.excess = 0
	switch protocol.KindOf(f) {
	case protocol.KindData:
		return c.datagrams(f)
	case protocol.KindPing:
		sent, err := protocol.ReadPing(f)
		if err != nil {
			return errMalformed
		}
		c.answer(func(dst []byte) []byte { return protocol.AppendPong(dst, sent, c.gate.hub.Now()) })
		return nil
	case protocol.KindBye:
		c.gate.hub.Leave(c.ticket.seat, "")
		return nil
	}
	return errMalformed
}

func (c *client) datagrams(f []byte) error {
	items := protocol.ReadData(f)
	for {
		it, ok := items.Next()
		if !ok {
			break
		}
		c.gate.counters.in(len(it.Payload))
		c.gate.hub.Deliver(c.ticket.seat, mechanism.Message{To: it.Peer, Class: it.Class, Payload: it.Payload})
	}
	if items.Err() != nil {
		c.gate.counters.malformed.Add(1)
		return errMalformed
	}
	return nil
}

// hello finds the seat that the client has a token for, and welcomes it.
func (c *client) hello(f []byte) error {
	h, err := protocol.ReadHello(f)
	switch {
	case err != nil:
		return errManners
	case h.Version != protocol.Version:
		return errVersion
	}
	k := c.gate.tokens.open(h.Token)
	if k == nil {
		return errStranger
	}
	epoch, err := c.gate.hub.Attach(k.seat, c, h.Fresh)
	if err != nil {
		c.gate.tokens.close(k, time.Now())
		if errors.Is(err, hub.ErrGone) {
			return errStranger
		}
		return err
	}
	c.ticket = k
	c.answer(func(dst []byte) []byte {
		place := k.seat.Place()
		return protocol.AppendWelcome(dst, &protocol.Welcome{
			Node: place.ID, User: place.User, Epoch: epoch, Time: c.gate.hub.Now(), Tick: c.gate.hub.World().Schema().Tick,
			Role: []byte(place.Role), Description: c.gate.hub.Description(),
		})
	})
	return nil
}

// ended is called once when the connection has ended, for whatever reason.
func (c *client) ended(now time.Time) {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	if c.ticket != nil {
		c.gate.hub.Detach(c.ticket.seat, c)
		c.gate.tokens.close(c.ticket, now)
	}
	c.gate.doormen.leave(c.host)
}

// Send implements hub.Conn.
func (c *client) Send(m mechanism.Message) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || len(c.waiting)+len(m.Payload) > c.gate.config.Queue {
		c.gate.counters.slow.Add(1)
		return false
	}
	if len(c.waiting) == 0 {
		c.waiting = protocol.AppendData(c.waiting)
	}
	c.waiting = protocol.AppendItem(c.waiting, m.From, m.Class, m.Payload)
	c.gate.counters.out(len(m.Payload))
	c.write()
	return true
}

// answer queues a control frame.
func (c *client) answer(appendFrame func(dst []byte) []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || len(c.answers) > c.gate.config.Queue {
		return
	}
	frame := appendFrame(nil)
	c.answers = append(protocol.AppendLength(c.answers, len(frame)), frame...)
	c.write()
}

// Close implements hub.Conn: the client is told why, if it listens.
func (c *client) Close(reason string) {
	c.gate.counters.closed(reason)
	c.answer(func(dst []byte) []byte { return protocol.AppendGoodbye(dst, reason) })
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if !c.writing {
		c.pipe.shut()
	}
}

// write sees to it that somebody writes what waits. The caller holds the lock.
func (c *client) write() {
	if !c.writing {
		c.writing = true
		go c.flush()
	}
}

// flush writes until nothing waits. A client at rest has no goroutine for writing.
func (c *client) flush() {
	for {
		c.mu.Lock()
		answers, waiting := c.answers, c.waiting
		if len(answers) == 0 && len(waiting) == 0 {
			c.writing = false
			if c.closed {
				c.pipe.shut()
			}
			c.mu.Unlock()
			return
		}
		c.answers = nil
		c.waiting, c.spare = c.spare[:0], nil
		c.mu.Unlock()

		err := c.deliver(answers, waiting)

		c.mu.Lock()
		c.spare = waiting[:0]
		if err != nil {
			c.closed, c.writing = true, false
			c.pipe.shut()
		}
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (c *client) deliver(answers, waiting []byte) error {
	deadline := time.Now().Add(c.gate.config.Patience)
	for len(answers) > 0 {
		var frame []byte
		frame, answers = protocol.CutLength(answers)
		if err := c.pipe.control(frame, deadline); err != nil {
			return err
		}
	}
	if len(waiting) > 0 {
		return c.pipe.data(waiting, deadline)
	}
	return nil
}
