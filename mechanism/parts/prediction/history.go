package prediction

import (
	"math/bits"

	"throng/world"
)

// history is what was expected of the user's objects: a fingerprint of them at each tick and after each action.
type history struct {
	moments []moment
	first   int // those before it are over
}

type moment struct {
	tick world.Tick
	seq  uint32
	sum  uint64
}

// historyMax is how many moments are remembered. Older ones are forgotten, and found wrong if the server tells of them.
const historyMax = 1024

func (h *history) restart() { h.moments, h.first = h.moments[:0], 0 }

// add puts a moment at the end.
func (h *history) add(tick world.Tick, seq uint32, sum uint64) {
	if len(h.moments) == historyMax && h.first == 0 {
		h.first = historyMax / 2
	}
	if h.first > 0 && len(h.moments) == cap(h.moments) {
		h.moments, h.first = h.moments[:copy(h.moments, h.moments[h.first:])], 0
	}
	h.moments = append(h.moments, moment{tick, seq, sum})
}

// confirm reports whether the moment of a tick after an action was just so, and forgets those before it.
func (h *history) confirm(tick world.Tick, seq uint32, sum uint64) bool {
	for ; h.first < len(h.moments); h.first++ {
		m := &h.moments[h.first]
		switch {
		case m.tick == tick && m.seq == seq:
			return m.sum == sum
		case m.tick > tick || m.tick == tick && m.seq > seq:
			return false
		}
	}
	return false
}

func (h *history) bytes() int { return cap(h.moments) * 24 }

// fingerprint condenses objects into one number: not the same for others, unless by an odd chance.
func fingerprint(objects []world.Object) (sum uint64) {
	for i := range objects {
		sum = mix(sum, &objects[i])
	}
	return sum
}

// mix adds an object to a fingerprint.
func mix(sum uint64, o *world.Object) uint64 {
	sum = fold(sum, uint64(o.ID))
	sum = fold(sum, uint64(o.User)<<16|uint64(o.Kind))
	for _, v := range [...]int64{int64(o.Pos.X), int64(o.Pos.Y), int64(o.Pos.Z), int64(o.Vel.X), int64(o.Vel.Y), int64(o.Vel.Z)} {
		sum = fold(sum, uint64(v))
	}
	for _, v := range o.Attr {
		sum = fold(sum, uint64(v))
	}
	return sum
}

func fold(sum, v uint64) uint64 {
	high, low := bits.Mul64(sum^v^0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9)
	return high ^ bits.RotateLeft64(low, 29) + v
}

// lead is how many ticks after the user takes an action the server carries it out.
type lead struct {
	ticks world.Tick
	known bool
	trend int        // in how many answers on end it was more, or less
	least world.Tick // by how much, at least: more or less
}

// patience is how many answers on end must agree that the lead has changed. A single late one is jitter: following it would
// make the view jump twice.
const patience = 4

// observe takes an action's delay into account.
func (l *lead) observe(ticks world.Tick) {
	off := ticks - l.ticks
	switch {
	case !l.known:
		l.ticks, l.known = ticks, true
		return
	case off == 0:
		l.trend = 0
		return
	case off > 0 && l.trend > 0:
		l.trend++
		l.least = min(l.least, off)
	case off < 0 && l.trend < 0:
		l.trend--
		l.least = max(l.least, off)
	case off > 0:
		l.trend, l.least = 1, off
	default:
		l.trend, l.least = -1, off
	}
	if l.trend == patience || l.trend == -patience {
		l.ticks += l.least
		l.trend = 0
	}
}
