package zonal

import (
	"throng/mechanism"
	"throng/world"
)

// crook is what a peer needs that an experiment has made to cheat. It takes part as others do, and tells the truth of its own things, so
// that it is trusted; but what others say it does not pass on, or late, or altered.
type crook struct {
	how   string // empty for who is honest
	held  []held // letters that are passed on later, in the order of their coming
	read  letter
	write writer
}

// held is a letter that waits.
type held struct {
	raw  []byte
	from mechanism.NodeID
	due  world.Time
}

const (
	heldFor = world.Second
	heldMax = 1 << 12
)

func newCrook(c *Config, s *world.Schema) crook {
	return crook{how: c.Cheat, write: writer{schema: s}}
}

// Cheats reports whether an experiment has made the peer cheat.
func (n *peer) Cheats() bool { return n.crook.how != "" }

// spreadWrongly is what a crook does instead of passing a letter on.
func (n *peer) spreadWrongly(now world.Time, l *letter, from mechanism.NodeID, out *mechanism.Outbox) {
	switch x := &n.crook; {
	case from == 0:
		n.spreadAround(now, l, from, out)
	case x.how == "delay" && len(x.held) < heldMax:
		x.held = append(x.held, held{append([]byte(nil), l.raw...), from, now + heldFor})
	case x.how == "alter":
		if x.read.read(n.schema, n.users, n.land.Len(), l.raw) == nil {
			n.alter(now, from, out)
		}
	}
}

// alter passes on a letter that says that things are elsewhere.
func (n *peer) alter(now world.Time, from mechanism.NodeID, out *mechanism.Outbox) {
	l, w := &n.crook.read, &n.crook.write
	w.head, w.next = *l, l.number
	for i := range l.objects {
		o := &l.objects[i]
		o.Pos.X += n.land.sight / 2
		n.schema.Confine(o)
		w.put(o)
	}
	for _, id := range l.removed {
		w.remove(id)
	}
	w.begin()
	l.raw = w.end()
	l.raw[0] = l.hops
	n.spreadAround(now, l, from, out)
}

// letGo passes on what has waited for long enough.
func (n *peer) letGo(now world.Time, out *mechanism.Outbox) {
	x := &n.crook
	done := 0
	for ; done < len(x.held) && x.held[done].due <= now; done++ {
		h := &x.held[done]
		if x.read.read(n.schema, n.users, n.land.Len(), h.raw) == nil {
			n.spreadAround(now, &x.read, h.from, out)
		}
	}
	x.held = x.held[:copy(x.held, x.held[done:])]
}
