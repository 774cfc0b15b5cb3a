package zonal

import (
	"throng/mechanism"
	"throng/world"
)

// arrivals is which of somebody's numbered messages have come: each counts once, although it may come along several ways.
type arrivals struct {
	last uint64 // the highest number
	mask uint64 // of those before it, the next lower one in the lowest bit
}

// take reports whether a number has not come before. What is further back than can be remembered has.
func (a *arrivals) take(number uint64) bool {
	if number > a.last {
		shift := number - a.last
		if shift > 64 {
			a.mask = 0
		} else {
			a.mask = a.mask<<shift | 1<<(shift-1)
		}
		a.last = number
		return true
	}
	back := a.last - number
	if back == 0 || back > 64 || a.mask&(1<<(back-1)) != 0 {
		return false
	}
	a.mask |= 1 << (back - 1)
	return true
}

// post is what a node remembers of somebody's letters: which have come, and how the writer's clock goes.
type post struct {
	arrivals
	fast  int64 // the least that clock and delay made together, in milliseconds
	heard world.Time
}

// skewMax is how far clocks may differ without anybody minding, in milliseconds.
const skewMax = 1000

// mail is what a node remembers of everybody's letters.
type mail struct {
	posts  recent[post]
	marks  recent[*marks] // where peers audit their parents
	audits bool
}

// take reports whether a letter is new, and how old it is.
func (m *mail) take(now world.Time, l *letter) (age world.Time, ok bool) {
	p, known := m.posts.get(l.origin)
	ahead := int64(now/world.Millisecond) - l.sent
	if !known {
		p = post{arrivals: arrivals{last: l.number}, fast: ahead}
	} else if !p.take(l.number) {
		return 0, false
	}
	p.heard = now
	p.fast = min(p.fast, ahead)
	m.posts.set(l.origin, p)
	if m.audits {
		m.keep(l)
	}
	if p.fast < -skewMax || p.fast > skewMax {
		ahead -= p.fast
	}
	return world.Time(min(max(ahead, 0), 10*skewMax)) * world.Millisecond, true
}

// recent holds something for each of the nodes that have been dealt with lately: some thousands at least, and twice as many at most.
// It has two generations. What is put in goes into the younger one; when that is full it becomes the older one, and what was in the
// older one and has not been put in again meanwhile is forgotten.
type recent[V any] struct {
	young, old world.ByID[V]
}

// generation is for how many nodes there is room in a generation.
const generation = 1 << 13

func (t *recent[V]) get(id mechanism.NodeID) (v V, ok bool) {
	if v, ok = t.young.Get(world.ID(id)); !ok {
		v, ok = t.old.Get(world.ID(id))
	}
	return v, ok
}

func (t *recent[V]) set(id mechanism.NodeID, v V) {
	if t.young.Len() >= generation {
		if _, ok := t.young.Get(world.ID(id)); !ok {
			t.young, t.old = t.old, t.young
			t.young.Clear()
		}
	}
	t.young.Set(world.ID(id), v)
}

// len is for how many nodes there is something; those in both generations count twice.
func (t *recent[V]) len() int { return t.young.Len() + t.old.Len() }
