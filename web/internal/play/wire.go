package play

import (
	"encoding/binary"

	"throng/live/protocol"
	"throng/mechanism"
	"throng/web/internal/trouble"
	"throng/world"
)

// frameMax is how long a data frame becomes where the connection sets no limit: half of what gateways take.
const frameMax = 8 << 10

// gathering is how long datagrams may wait for others to travel with. Where many peers speak, answering each of them at once
// would be more frames than gateways take.
const gathering = 8 * world.Millisecond

// outgoing collects frames for the owner to send. Each stands behind four bytes of length and one that says which way
// it is to go.
type outgoing struct {
	up    bool // there is a connection
	max   int  // bytes in a data frame
	data  []byte
	sent  world.Time // when the last data frame was ended
	list  []byte
	bytes int64 // of all frames so far
	tmp   [16]byte
}

// The ways of a frame, where there are two.
const (
	stream   = 0
	datagram = 1
)

func (o *outgoing) open(most int) {
	if most <= 0 {
		most = frameMax
	}
	o.up, o.max = true, most
	o.data, o.list = o.data[:0], o.list[:0]
}

func (o *outgoing) close() {
	o.up = false
	o.data, o.list = o.data[:0], o.list[:0]
}

// scratch is memory for a short frame.
func (o *outgoing) scratch() []byte { return o.tmp[:0] }

func (o *outgoing) control(frame []byte) {
	if o.up {
		o.put(frame, stream)
	}
}

// item adds a datagram to the data frame in the making. What does not fit any more goes into the next.
func (o *outgoing) item(peer mechanism.NodeID, class mechanism.Class, payload []byte) bool {
	if !o.up {
		return false
	}
	if len(o.data)+len(payload)+protocol.ItemOverhead > o.max {
		o.flush()
	}
	if len(o.data) == 0 {
		o.data = protocol.AppendData(o.data)
	}
	o.data = protocol.AppendItem(o.data, peer, class, payload)
	return true
}

// due is when the data frame in the making is to be ended, or world.Never if there is none.
func (o *outgoing) due() world.Time {
	if len(o.data) == 0 {
		return world.Never
	}
	return o.sent + gathering
}

// flushDue ends the data frame in the making if it has waited for long enough, or needs not wait.
func (o *outgoing) flushDue(now world.Time) {
	if o.due() <= now {
		o.sent = now
		o.flush()
	}
}

// flush ends the data frame in the making. One that is too long for a datagram goes over the stream.
func (o *outgoing) flush() {
	if len(o.data) == 0 {
		return
	}
	way := byte(datagram)
	if len(o.data) > o.max {
		way = stream
	}
	o.put(o.data, way)
	o.data = o.data[:0]
}

func (o *outgoing) put(frame []byte, way byte) {
	o.list = binary.LittleEndian.AppendUint32(o.list, uint32(len(frame)))
	o.list = append(o.list, way)
	o.list = append(o.list, frame...)
	o.bytes += int64(len(frame))
}

// Frames takes the frames that are to be sent: each with its length in four bytes, the lowest first, and a byte that is one
// for those that may be lost and zero for the others. They hold until the next call of any method.
func (c *Client) Frames() []byte {
	list := c.wire.list
	c.wire.list = list[:0]
	return list
}

// What parcels on the line are.
const (
	parcelItem = iota
	parcelPing
	parcelPong
)

// route sends a datagram: over the line, or straight into a frame.
func (c *Client) route(m mechanism.Message) {
	c.count.DatagramsOut++
	tag := trouble.Tag{What: parcelItem, Kind: uint8(m.Class), Peer: uint32(m.To)}
	if !c.line.Send(c.called, trouble.Out, tag, m.Payload) {
		c.carry(m.To, m.Class, m.Payload)
	}
}

func (c *Client) receiveData(now world.Time, frame []byte) {
	items := protocol.ReadData(frame)
	for item, ok := items.Next(); ok; item, ok = items.Next() {
		if item.Class != mechanism.Signal {
			c.incoming(now, item.Peer, item.Class, item.Payload)
		} else if c.direct != nil {
			c.direct.Signal(item.Peer, item.Payload)
		}
	}
	if items.Err() != nil {
		c.count.Malformed++
	}
}

// deliver hands the node a datagram. Those that come before it has begun are lost.
func (c *Client) deliver(now world.Time, tag trouble.Tag, payload []byte) {
	if !c.running() {
		return
	}
	c.machine.Receive(c.worldTime(now), mechanism.Message{
		From: mechanism.NodeID(tag.Peer), To: c.welcome.Node, Class: mechanism.Class(tag.Kind), Payload: payload,
	}, &c.out)
	c.finish()
}

// arrivals takes from the line what has got through by now.
func (c *Client) arrivals(now world.Time) {
	for p := c.line.Next(now); p != nil; p = c.line.Next(now) {
		switch {
		case p.Tag.What == parcelPing:
			c.wire.control(p.Payload)
		case p.Tag.What == parcelPong:
			c.pong(now, p.Payload)
		case p.Direction == trouble.Out:
			c.carry(mechanism.NodeID(p.Tag.Peer), mechanism.Class(p.Tag.Kind), p.Payload)
		default:
			c.deliverParcel(now, p)
		}
	}
}

// deliverParcel hands over a parcel whose memory the node's answers may take.
func (c *Client) deliverParcel(now world.Time, p *trouble.Parcel) {
	c.parcel = append(c.parcel[:0], p.Payload...)
	c.deliver(now, p.Tag, c.parcel)
}
