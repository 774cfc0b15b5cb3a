package protocol

import (
	"throng/mechanism"
	"throng/world/wire"
)

// Item is one datagram of the mechanism inside a data frame. Peer is the other end: the receiver in what a client sends, the
// sender in what it gets.
type Item struct {
	Peer    mechanism.NodeID
	Class   mechanism.Class
	Payload []byte
}

// ItemOverhead is how many bytes an item takes at most beyond its payload.
const ItemOverhead = 5 + 1 + 5

// AppendData begins a data frame. Items follow.
func AppendData(dst []byte) []byte { return append(dst, byte(KindData)) }

// AppendItem appends one datagram to a data frame.
func AppendItem(dst []byte, peer mechanism.NodeID, class mechanism.Class, payload []byte) []byte {
	dst = wire.AppendUint(dst, uint64(peer))
	dst = append(dst, byte(class))
	return wire.AppendBytes(dst, payload)
}

// Items takes the datagrams off a data frame:
//
//	items := protocol.ReadData(frame)
//	for item, ok := items.Next(); ok; item, ok = items.Next() {
//		…
//	}
//	if err := items.Err(); err != nil {
//
// The items before a malformed one are good.
type Items struct {
	r wire.Reader
}

// ReadData begins to read a data frame.
func ReadData(frame []byte) Items { return Items{open(frame, KindData)} }

// Next returns the next datagram. Its payload points into the frame.
func (it *Items) Next() (item Item, ok bool) {
	if it.r.Len() == 0 {
		return Item{}, false
	}
	item = Item{
		Peer:    mechanism.NodeID(it.r.UintMax(1<<32 - 1)),
		Class:   mechanism.Class(it.r.Byte()),
		Payload: it.r.Bytes(),
	}
	if item.Peer == 0 || item.Class > mechanism.Signal {
		it.r.Fail()
	}
	if it.r.Failed() {
		return Item{}, false
	}
	return item, true
}

// Err says whether all that was read was sound.
func (it *Items) Err() error {
	if it.r.Failed() {
		return wire.ErrMalformed
	}
	return nil
}
