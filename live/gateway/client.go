package gateway

import (
	"bytes"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"throng/live/hub"
	"throng/live/protocol"
	"throng/mechanism"
)

// client is one connection. This file is about what comes from it; outgoing.go about what goes to it.
type client struct {
	gate  *Gateway
	pipe  pipe
	kind  string // "websocket", "webtransport" or "thin"
	from  source
	began time.Time
	heard atomic.Int64 // when anything last came from it, as monotonic has it

	counted bool        // by admission, for itself: a WebTransport session is counted with its connection
	closing atomic.Bool // it has been told to go: what it still sends does not count

	// Reading: a WebTransport session has a stream and datagrams at once.
	reading   sync.Mutex
	ticket    *ticket // nil until it has said hello; written under mu too
	claiming  bool    // it has said hello, and its seat is being seen to
	over      bool    // nothing more comes
	frames    bucket
	bytes     bucket
	datagrams bucket
	excess    bucket // of frames that were dropped
	signals   bucket

	partners atomic.Int64 // clients to whom it is connected, as it says

	thin *thinClient // of one whose node runs here; nil for others

	outgoing
}

// excessMax is how many frames in a minute may be over the limits before a client is shown out.
const excessMax = 1000

func (g *Gateway) newClient(kind string, from source, now time.Time) *client {
	c := &client{gate: g, kind: kind, from: from, began: now}
	c.heard.Store(monotonic(now))
	return c
}

// admit counts a frame of any kind and of some size, of the protocol or of the transport. It reports whether it may be taken; after
// an ending the connection is to be closed with it.
func (c *client) admit(size int, now time.Time) (allowed bool, e *ending) {
	c.heard.Store(monotonic(now))
	l := &c.gate.config.Limits
	c.reading.Lock()
	defer c.reading.Unlock()
	if c.frames.take(now, 1, l.FramesPerSecond, time.Second) && c.bytes.take(now, size, l.BytesPerSecond, time.Second) {
		return true, nil
	}
	c.gate.drops.rate.Add(1)
	if !c.closing.Load() && !c.excess.take(now, 1, excessMax, time.Minute) {
		return false, endFlood
	}
	return false, nil
}

// take takes one frame from the client that was admitted. After an ending the connection is to be closed with it.
func (c *client) take(frame []byte, now time.Time) *ending {
	c.reading.Lock()
	defer c.reading.Unlock()
	if c.closing.Load() {
		return nil
	}
	if c.thin != nil {
		return c.thin.take(frame, now)
	}
	if c.ticket == nil {
		if c.claiming {
			return nil // it was to wait for the welcome
		}
		return c.hello(frame)
	}
	switch protocol.KindOf(frame) {
	case protocol.KindData:
		return c.deliver(frame, now)
	case protocol.KindPing:
		return c.ping(frame)
	case protocol.KindBye:
		if protocol.ReadBye(frame) != nil {
			return c.malformed()
		}
		c.gate.hub.Leave(c.ticket.seat, endLeft.text)
		return endLeft
	}
	return c.malformed()
}

func (c *client) malformed() *ending {
	c.gate.drops.malformed.Add(1)
	return endMalformed
}

// deliver hands the hub what the client's node has sent. What it says about the sender does not matter; the seat does. Whoever
// wants something of a node that is gone for good, rather than still acknowledges what came from there, is told so.
func (c *client) deliver(frame []byte, now time.Time) *ending {
	var count int64
	items := protocol.ReadData(frame)
	for item, ok := items.Next(); ok; item, ok = items.Next() {
		switch {
		case !c.datagrams.take(now, 1, c.gate.datagramsPerSecond, time.Second):
			c.gate.drops.rate.Add(1)
		case item.Class == mechanism.Signal:
			c.signal(item, now)
		case !c.gate.addressable(item.Peer):
			c.gate.drops.stray.Add(1)
		case item.Class != mechanism.Receipt && c.gate.hub.Lost(item.Peer):
			return endBroken
		default:
			count++
			if !c.gate.isServer[item.Peer] {
				c.gate.meeting.relayed.Add(1)
			}
			c.gate.hub.Deliver(c.ticket.seat, mechanism.Message{To: item.Peer, Class: item.Class, Payload: item.Payload})
		}
	}
	c.mu.Lock()
	c.traffic.DatagramsIn += count
	c.traffic.FramesIn++
	c.traffic.BytesIn += int64(len(frame))
	c.mu.Unlock()
	if items.Err() != nil {
		return c.malformed()
	}
	return nil
}

func (c *client) ping(frame []byte) *ending {
	sent, err := protocol.ReadPing(frame)
	if err != nil {
		return c.malformed()
	}
	var pong [32]byte
	c.say(protocol.AppendPong(pong[:0], sent, c.gate.hub.Now()))
	return nil
}

// hello finds the seat that the client has a token for, and welcomes it.
func (c *client) hello(frame []byte) *ending {
	h, err := protocol.ReadHello(frame)
	switch {
	case err != nil:
		return endManners
	case h.Version != protocol.Version:
		return endVersion
	}
	if c.gate.config.Seats != nil {
		c.claim(bytes.Clone(h.Token), h.Fresh, c.greet)
		return nil
	}
	k, err := c.gate.tokens.show(h.Token, c.gate.hub.Seat)
	if err != nil {
		return c.gate.refused(err)
	}
	if k == nil {
		return endStranger
	}
	epoch, err := c.gate.hub.Attach(k.seat, c, h.Fresh)
	if err != nil {
		c.gate.tokens.hide(k)
		return c.gate.unclaimed(err)
	}
	return c.greet(k, epoch)
}

// greet tells a client who it is and what the world is, in a seat that it was given.
func (c *client) greet(k *ticket, epoch uint32) *ending {
	c.mu.Lock()
	c.ticket = k
	c.mu.Unlock()
	place := k.seat.Place()
	c.welcome(protocol.AppendWelcome(nil, &protocol.Welcome{
		Node: place.ID, User: place.User, Epoch: epoch, Time: c.gate.hub.Now(), Tick: c.gate.hub.World().Schema().Tick,
		Role: []byte(place.Role), Description: c.gate.hub.Description(),
	}))
	c.gate.log.Info("attached", c.attrs("epoch", epoch)...)
	return nil
}

// conn is what the hub knows the client by.
func (c *client) conn() hub.Conn {
	if c.thin != nil {
		return c.thin
	}
	return c
}

// refused is the ending for somebody who gets no seat, for a reason that the hub gives.
func (g *Gateway) refused(err error) *ending {
	switch {
	case errors.Is(err, hub.ErrFull):
		g.admission.count(refusedFull)
		return endFull
	case errors.Is(err, hub.ErrBusy):
		g.admission.count(refusedBusy)
		return endBusy
	case errors.Is(err, hub.ErrBroken):
		return &ending{endBroken.code, err.Error()}
	case errors.Is(err, hub.ErrClosed):
		return endShutdown
	case errors.Is(err, hub.ErrOften):
		g.admission.count(refusedJoins)
		return endOften
	}
	return &ending{endFull.code, err.Error()}
}

// known reports whether the client has said who it is.
func (c *client) known() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ticket != nil
}

// attrs are what a log says about a client, and more.
func (c *client) attrs(more ...any) []any {
	c.mu.Lock()
	defer c.mu.Unlock()
	attrs := []any{"host", c.from.addr, "by", c.kind}
	if c.ticket != nil {
		attrs = append(attrs, "node", c.ticket.seat.Place().ID, "user", c.ticket.seat.User(), "name", c.ticket.seat.Name)
		if c.ticket.seat.Account != "" {
			attrs = append(attrs, "account", c.ticket.seat.Account)
		}
	}
	return append(attrs, more...)
}

// ended is called once when nothing more comes from the client.
func (c *client) ended(now time.Time) {
	c.reading.Lock()
	k := c.ticket
	c.over = true
	c.reading.Unlock()
	if k != nil {
		c.gate.hub.Detach(k.seat, c.conn())
		c.gate.tokens.hide(k)
	}
	if c.thin != nil {
		c.thin.stop()
	}
	c.finishReading()
}
