package action

import (
	"throng/mechanism"
	"throng/world"
)

// incomplete is the second protocol, the incomplete world: whoever submits an entry is sent what it depends on, directly or
// through others, as far as they lack it; and before that, as blind writes, how those objects are that nothing under way
// has written.
type incomplete struct{ basic }

func (i incomplete) placed(now world.Time, m *member, position uint64, out *mechanism.Outbox) {
	i.order.begin(&i.closure)
	i.need(m, position)
	e := i.order.at(position)
	out.Report(mechanism.Event{Name: mechanism.Closure, User: e.Action.User, Seq: e.Action.Seq, Value: int64(len(i.closure.positions))})
	i.send(now, m, out)
}

// looked answers with what is installed. What is not is left to the next look, unless it is sent for other reasons: nobody
// should have to carry out what they only see.
func (i incomplete) looked(now world.Time, m *member, ids world.Set, all bool, out *mechanism.Outbox) {
	i.order.begin(&i.closure)
	for _, id := range ids {
		i.order.value(m, id, &i.closure)
	}
	if all {
		for _, r := range i.order.records {
			if r.id != 0 {
				i.order.value(m, r.id, &i.closure)
			}
		}
	}
	i.send(now, m, out)
}

// need adds the entry at a position to the closure. What it did is known by now if it is installed.
func (i incomplete) need(m *member, position uint64) {
	e := i.order.at(position)
	if position > i.order.installed {
		i.order.gather(m, position, &i.closure)
		return
	}
	if e.void || e.sent.has(m.slot) {
		return
	}
	for _, id := range e.Footprint.Writes {
		i.order.object(m, id, &i.closure)
	}
	if e.isOf(m) {
		i.closure.positions = append(i.closure.positions, position)
	}
}

// send sends a client the closure.
func (i incomplete) send(now world.Time, m *member, out *mechanism.Outbox) {
	c := &i.closure
	i.order.tell(m, c)
	i.work += world.Work(len(c.positions) + len(c.values))
	w := i.write(m)
	for _, id := range c.values {
		w.value(now, id, out)
	}
	for _, p := range c.positions {
		w.entry(now, p, out)
	}
	w.flush(now, out)
}

func (i incomplete) floor(*member) uint64 { return i.order.installed }

func (i incomplete) keep() uint64 { return i.order.installed + 1 }
