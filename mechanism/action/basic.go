package action

import (
	"throng/mechanism"
	"throng/world"
)

// basic is the first protocol: whoever submits an entry is sent everything that has got its place since they last did, and
// carries all of it out. So everybody carries out everything.
type basic struct{ *server }

func (b basic) admits(*entry) bool { return true }

func (b basic) placed(now world.Time, m *member, _ uint64, out *mechanism.Outbox) {
	b.catchUp(now, m, out)
}

func (b basic) looked(now world.Time, m *member, _ world.Set, _ bool, out *mechanism.Outbox) {
	b.catchUp(now, m, out)
}

// catchUp sends a client all that it has not been sent.
func (b basic) catchUp(now world.Time, m *member, out *mechanism.Outbox) {
	w := b.write(m)
	for m.sent+1 < b.order.next {
		m.sent++
		if e := b.order.at(m.sent); !e.void {
			e.sent.add(m.slot)
			e.executed = true
			w.entry(now, m.sent, out)
		}
	}
	w.flush(now, out)
}

func (b basic) push(world.Time, *mechanism.Outbox) {}

func (b basic) next() world.Time { return world.Never }

func (b basic) floor(m *member) uint64 { return min(m.sent, b.order.installed) }

// keep: those who have not asked for a while still need what others have long installed.
func (b basic) keep() uint64 {
	first := b.order.next
	for _, m := range b.members.slots {
		if m != nil {
			first = min(first, m.sent+1)
		}
	}
	return first
}

func (b basic) stands(world.Time, *member, *place) {}

func (b basic) left(*member) {}
