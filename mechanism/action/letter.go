package action

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/wire"
)

// letter is news to a client in the making.
type letter struct {
	server *server
	member *member
	buf    []byte
	empty  int    // how long a sheet is without news
	last   uint64 // the last position in it
}

// write begins news to a client.
func (n *server) write(m *member) *letter {
	w := &n.letter
	w.server, w.member = n, m
	w.begin()
	return w
}

func (w *letter) begin() {
	w.last = w.server.protocol.floor(w.member)
	w.buf = wire.AppendUint(append(w.buf[:0], kindNews, w.member.out), w.last)
	w.empty = len(w.buf)
}

// value adds how an object is at the last installed position.
func (w *letter) value(now world.Time, id world.ID, out *mechanism.Outbox) {
	w.buf = wire.AppendUint(append(w.buf, newsValue), uint64(id))
	w.buf = appendValue(w.buf, w.server.order.start, id, w.server.state.Get(id))
	out.Count(mechanism.Update, 1)
	w.turn(now, out)
}

// entry adds what stands at a position. Of its own entry a client need only be told where that is.
func (w *letter) entry(now world.Time, position uint64, out *mechanism.Outbox) {
	e := w.server.order.at(position)
	step := int64(position - w.last)
	w.last = position
	if e.isOf(w.member) {
		w.buf = wire.AppendInt(append(w.buf, newsOwn), step)
		w.buf = wire.AppendUint(w.buf, uint64(e.number))
	} else {
		w.buf = wire.AppendInt(append(w.buf, newsEntry), step)
		w.buf = appendEntry(w.buf, &e.Entry)
		if e.owner == w.member.slot && w.server.config.Completion == Owner {
			w.buf = wire.AppendUint(append(w.buf, newsClaim), position) // it is in this client's name
		}
	}
	out.Count(mechanism.Command, 1)
	w.turn(now, out)
}

// turn begins another sheet when one is full.
func (w *letter) turn(now world.Time, out *mechanism.Outbox) {
	if len(w.buf) >= newsBytes {
		w.flush(now, out)
		w.begin()
	}
}

// flush sends what there is to send.
func (w *letter) flush(now world.Time, out *mechanism.Outbox) {
	if len(w.buf) > w.empty {
		w.server.link.Send(now, w.member.Node, mechanism.Command, w.buf, link.Ordered, out)
		w.member.out++
	}
}
