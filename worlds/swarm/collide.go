package swarm

import (
	"math/bits"

	"throng/world"
	"throng/world/fixed"
)

// direct is the number of bees up to which looking at every pair is the fastest way to find those that are near.
const direct = 24

// collide finds the balls whose ways cross within this tick and lets them bounce: for each ball, in the order of IDs, those
// with a higher one within its reach, in the order of theirs. There are two ways of finding them, with the same outcome.
//
// Each ball's way is followed exactly from one bounce to the next. Where three balls meet within one tick, though, it is
// their IDs and not their times that decide which pair comes first; a meeting that is missed for that shows as an overlap,
// and balls that overlap bounce as soon as they do not move apart already.
func (h *hive) collide(w *world.Window) {
	if h.users <= direct {
		h.collideDirect(w)
	} else {
		h.collideByStrips(w)
	}
}

func (h *hive) collideDirect(w *world.Window) {
	var balls [direct + 1]*world.Object
	n := 0
	for o := range w.All() {
		if o.Kind == kindHoney {
			break
		}
		balls[n] = o
		n++
	}
	for i, a := range balls[:n] {
		reach := h.reach[a.Kind]
		for _, b := range balls[i+1 : n] {
			// Most pairs are told apart by this alone.
			if d := a.Pos.X - b.Pos.X; d <= reach && d >= -reach && a.Pos.Within(b.Pos, reach) {
				h.meet(w, a, b)
			}
		}
	}
}

// stripsMax is how many strips the box is cut into at most, in either direction.
const stripsMax = 62

// strips are the balls by where they are. The box is cut into upright strips and again into level ones, all at least as wide
// as any reach, so that only balls in the same or neighbouring strips of both directions can meet. A strip is a set of balls,
// with a bit for each: those that a ball may meet come out of a few operations for all of them, in the order of IDs. There is
// one more strip on either side, always empty.
type strips struct {
	balls          [maxBees + 1]*world.Object
	cells          [maxBees + 1]cell
	n              int
	words          int // that a set takes: only so much of upright and level is in use
	upright, level [(stripsMax + 2) * setWords]uint64
}

// setWords is how many words a set of balls takes at most.
const setWords = maxBees/64 + 1

// cell is the numbers of the upright and the level strip that a place lies in, from one.
type cell struct{ upright, level uint8 }

func (s *strips) add(o *world.Object, c cell) {
	word, bit := s.n/64, uint64(1)<<(s.n%64)
	s.upright[int(c.upright)*s.words+word] |= bit
	s.level[int(c.level)*s.words+word] |= bit
	s.balls[s.n], s.cells[s.n] = o, c
	s.n++
}

// near returns which of the balls of a word are in the same or neighbouring strips as the i-th.
func (s *strips) near(i, word int) uint64 {
	about := func(strips []uint64, at uint8) uint64 {
		middle := int(at)*s.words + word
		return strips[middle-s.words] | strips[middle] | strips[middle+s.words]
	}
	return about(s.upright[:], s.cells[i].upright) & about(s.level[:], s.cells[i].level)
}

func (h *hive) collideByStrips(w *world.Window) {
	s := strips{words: int(h.users)/64 + 1}
	for o := range w.All() {
		if o.Kind == kindHoney {
			break
		}
		s.add(o, h.cell(o.Pos))
	}
	for i, a := range s.balls[:s.n] {
		reach := h.reach[a.Kind]
		later := ^uint64(1) << (i % 64) // than the i-th, in its own word
		for word := i / 64; word < s.words; word++ {
			for near := s.near(i, word) & later; near != 0; near &= near - 1 {
				if b := s.balls[word*64+bits.TrailingZeros64(near)]; a.Pos.Within(b.Pos, reach) {
					h.meet(w, a, b)
				}
			}
			later = ^uint64(0)
		}
	}
}

// cell returns the strips that a place lies in.
func (h *hive) cell(at fixed.Vec) cell {
	at = h.schema.Bounds.Clamp(at).Sub(h.schema.Bounds.Min)
	return cell{uint8(1 + at.X/h.strips.X), uint8(1 + at.Y/h.strips.Y)}
}

// cutStrips makes as many strips as there may be.
func (h *hive) cutStrips() {
	size, reach := h.schema.Bounds.Size(), max(h.reach[kindQueen], h.reach[kindBee])
	h.strips = fixed.Vec{X: max(reach, size.X/stripsMax+1), Y: max(reach, size.Y/stripsMax+1)}
}

// meet lets two balls bounce if they touch within this tick: they exchange the parts of their velocities that lie along
// the line between their centres. Where only one of them may be changed, only that one notices.
func (h *hive) meet(w *world.Window, a, b *world.Object) {
	at, line, ok := h.contact(a, b)
	if !ok {
		return
	}
	exchange := line.Scale(a.Vel.Sub(b.Vel).Dot(line).Div(line.Dot(line)))
	if o := w.Edit(a.ID); o != nil {
		h.hit(w, o, exchange.Neg(), at)
	}
	if o := w.Edit(b.ID); o != nil {
		h.hit(w, o, exchange, at)
	}
}

// contact finds when within the tick, as a part of it, two balls touch while they approach, and the line from b to a
// then.
func (h *hive) contact(a, b *world.Object) (at fixed.F, line fixed.Vec, ok bool) {
	// Both ways are straight from the later of the balls' last bounces on.
	at = max(a.Fixed(attrSince), b.Fixed(attrSince))
	way := a.Vel.Sub(b.Vel).Scale(h.dt)
	line = a.Pos.Sub(b.Pos)
	if at != 0 {
		line = line.Add(way.Scale(at))
	}
	line.X += a.Fixed(attrShiftX) - b.Fixed(attrShiftX)
	line.Y += a.Fixed(attrShiftY) - b.Fixed(attrShiftY)

	approach := line.Dot(way)
	if approach >= 0 {
		return 0, fixed.Vec{}, false
	}
	radii := h.schema.Kinds[a.Kind].Radius + h.schema.Kinds[b.Kind].Radius
	gap := line.Dot(line) - radii.Mul(radii)
	if gap <= 0 {
		return at, line, true // they overlap
	}
	// |line + t·way| = radii is a quadratic equation for t, whose smaller solution is the first touch.
	length := way.Dot(way)
	root := approach.Mul(approach) - length.Mul(gap)
	if root < 0 || length == 0 {
		return 0, fixed.Vec{}, false
	}
	t := (-approach - root.Sqrt()).Div(length)
	if at+t >= fixed.One {
		return 0, fixed.Vec{}, false
	}
	return at + t, line.Add(way.Scale(t)), true
}

// hit changes a ball's velocity at a moment within the tick. A bee does not survive it.
func (h *hive) hit(w *world.Window, o *world.Object, change fixed.Vec, at fixed.F) {
	before := o.Vel
	o.Vel = before.Add(change).Limit(h.Speed)
	// The ball will be moved by its last velocity for the whole tick; what it did before this moment is made up for.
	shift := before.Sub(o.Vel).Scale(h.dt.Mul(at))
	o.Attr[attrShiftX] += int64(shift.X)
	o.Attr[attrShiftY] += int64(shift.Y)
	o.SetFixed(attrSince, at)
	if o.Kind == kindBee {
		o.Attr[attrDead], o.Attr[attrWakes] = 1, int64(w.Tick()+1+h.dead)
		h.accelerate(o, fixed.Vec{})
	}
}
