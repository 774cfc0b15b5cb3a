package play

import (
	"encoding/binary"
	"time"

	"throng/live/direct"
	"throng/mechanism"
	"throng/web/internal/trouble"
	"throng/world"
)

// Order is what the owner is to do about a connection to another player.
type Order byte

// The orders.
const (
	OrderOpen   Order = iota // make an offer or, if there is a text, answer that
	OrderAnswer              // take the other's answer to the offer
	OrderSend
	OrderClose
)

// News is what the owner tells of a connection.
type News byte

// The news.
const (
	NewsDescribed News = iota // its own description is complete
	NewsOpened
	NewsMessage
	NewsClosed
	NewsFull // too much waits to be sent
	NewsFree // no longer
)

// ordersMax is how many bytes may wait for the owner: what is late is of no use.
const ordersMax = 256 << 10

// owner opens direct connections for a client by asking whoever owns it, who has the browser's. It implements direct.Way.
type owner struct {
	orders []byte
	conns  map[uint32]*pageConn
	last   uint32
	bytes  int64 // sent so far
}

// pageConn is one of them.
type pageConn struct {
	owner  *owner
	number uint32
	full   bool
	direct.Handler
}

func (o *owner) order(what Order, number uint32, body ...byte) {
	o.orders = binary.LittleEndian.AppendUint32(o.orders, uint32(len(body)))
	o.orders = append(o.orders, byte(what))
	o.orders = binary.LittleEndian.AppendUint32(o.orders, number)
	o.orders = append(o.orders, body...)
}

// Open implements direct.Way.
func (o *owner) Open(offer string, h direct.Handler) (direct.Conn, error) {
	o.last++
	c := &pageConn{owner: o, number: o.last, Handler: h}
	o.conns[c.number] = c
	o.order(OrderOpen, c.number, []byte(offer)...)
	return c, nil
}

// Answered implements direct.Conn.
func (c *pageConn) Answered(description string) error {
	c.owner.order(OrderAnswer, c.number, []byte(description)...)
	return nil
}

// Send implements direct.Conn.
func (c *pageConn) Send(message []byte) bool {
	if c.full || len(c.owner.orders) > ordersMax {
		return false
	}
	c.owner.order(OrderSend, c.number, message...)
	c.owner.bytes += int64(len(message))
	return true
}

// Close implements direct.Conn.
func (c *pageConn) Close() {
	delete(c.owner.conns, c.number)
	c.owner.order(OrderClose, c.number)
}

// Meet lets the client connect to other players directly from when it is next given a node on, or not. They may be on this machine if the
// server is.
func (c *Client) Meet(may, local bool) { c.meets, c.local = may, local }

// meet has the node that was just built connect to those whom it talks to.
func (c *Client) meet(self mechanism.NodeID) {
	c.part()
	if !c.meets {
		return
	}
	servers := map[mechanism.NodeID]bool{}
	for _, p := range c.session.Places {
		servers[p.ID] = p.User == 0
	}
	c.direct = direct.New(direct.Config{
		Self: self, Way: &c.owner, Most: direct.Usual, Local: c.local,
		Peer:   func(id mechanism.NodeID) bool { return !servers[id] },
		Signal: func(to mechanism.NodeID, payload []byte) { c.wire.item(to, mechanism.Signal, payload) },
		Take:   c.takeDirectly,
		Post:   func(f func()) { f() },
		Now:    func() time.Duration { return time.Duration(c.called) },
	})
}

// part closes all direct connections.
func (c *Client) part() {
	if c.direct != nil {
		c.direct.Close()
	}
	c.direct = nil
}

// carry sends a datagram on its way: directly, or by the server.
func (c *Client) carry(to mechanism.NodeID, class mechanism.Class, payload []byte) {
	if c.gone(to) {
		return
	}
	if c.direct == nil || !c.direct.Send(mechanism.Message{From: c.welcome.Node, To: to, Class: class, Payload: payload}) {
		c.wire.item(to, class, payload)
	}
}

// takeDirectly takes a datagram that did not come by the server.
func (c *Client) takeDirectly(m mechanism.Message) {
	c.count.BytesIn += int64(len(m.Payload)) + 1
	c.incoming(c.called, m.From, m.Class, m.Payload)
}

// incoming takes a datagram, over the line if that is bad.
func (c *Client) incoming(now world.Time, from mechanism.NodeID, class mechanism.Class, payload []byte) {
	if c.gone(from) {
		return
	}
	c.count.DatagramsIn++
	tag := trouble.Tag{What: parcelItem, Kind: uint8(class), Peer: uint32(from)}
	if !c.line.Send(now, trouble.In, tag, payload) {
		c.deliver(now, tag, payload)
	}
}

// Orders takes what the owner is to do: each order with the length of its text or message in four bytes, the lowest first, the order
// itself and the connection's number in four. They hold until the next call of any method.
func (c *Client) Orders() []byte {
	list := c.owner.orders
	c.owner.orders = list[:0]
	return list
}

// Hear takes news of a connection.
func (c *Client) Hear(now world.Time, number uint32, what News, body []byte) {
	c.call(now)
	conn := c.owner.conns[number]
	if conn == nil {
		return // it was closed meanwhile
	}
	switch what {
	case NewsDescribed:
		conn.Described(string(body))
	case NewsOpened:
		conn.Opened()
	case NewsMessage:
		conn.Message(body)
	case NewsClosed:
		conn.Closed()
	case NewsFull, NewsFree:
		conn.full = what == NewsFull
	}
	c.wire.flushDue(now)
}
