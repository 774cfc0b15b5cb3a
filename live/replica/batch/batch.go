// Package batch is the form in which a log says what servers' nodes were handed: a time, and the datagrams that had come by
// then.
package batch

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// Batch is what nodes are to be handed at a time, in the making.
type Batch struct {
	text []byte
	n    int
}

// Reset begins a batch. Of two batches the later one must not have the earlier time; who applies them sees to that.
func (b *Batch) Reset(now world.Time) {
	b.text = wire.AppendUint(b.text[:0], uint64(max(now, 0)))
	b.n = 0
}

// Add adds a datagram. The payload is copied.
func (b *Batch) Add(m mechanism.Message) {
	b.text = wire.AppendUint(b.text, uint64(m.From))
	b.text = wire.AppendUint(b.text, uint64(m.To))
	b.text = append(b.text, byte(m.Class))
	b.text = wire.AppendBytes(b.text, m.Payload)
	b.n++
}

// Len is how many datagrams are in the batch.
func (b *Batch) Len() int { return b.n }

// Entry is the batch as it goes into the log. It holds until the next Reset.
func (b *Batch) Entry() []byte { return b.text }

// Time is the time of a batch.
func Time(entry []byte) world.Time {
	r := wire.NewReader(entry)
	return world.Time(r.UintMax(uint64(world.Never)))
}

// Read hands each of a batch's datagrams to receive, in their order. Payloads hold as long as the entry does.
func Read(entry []byte, receive func(mechanism.Message)) {
	r := wire.NewReader(entry)
	r.UintMax(uint64(world.Never))
	for r.Len() > 0 {
		m := mechanism.Message{From: mechanism.NodeID(r.Uint()), To: mechanism.NodeID(r.Uint()), Class: mechanism.Class(r.Byte()), Payload: r.Bytes()}
		if r.Failed() {
			panic("batch: an entry of the log is no batch") // it was written by one of us
		}
		receive(m)
	}
}
