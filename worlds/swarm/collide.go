package swarm

import (
	"slices"

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

// stripsMax is how many strips the box is cut into at most.
const stripsMax = 256

// strips are the balls by where they are. The box is cut into upright strips at least as wide as any reach, so that only
// balls in the same or a neighbouring strip can meet; those lie side by side here. There is one more strip on either side,
// always empty.
type strips struct {
	balls [maxBees + 1]*world.Object
	of    [maxBees + 1]int16   // the strip of each ball
	spots [maxBees + 1]spot    // strip by strip, within each in the order of IDs
	first [stripsMax + 3]int16 // where the spots of each strip begin
	n     int
}

// spot is where a ball is.
type spot struct {
	x, y fixed.F
	ball int16
}

func (s *strips) add(o *world.Object, strip int16) {
	s.balls[s.n], s.of[s.n] = o, strip
	s.first[strip+1]++
	s.n++
}

// arrange puts the balls into their strips.
func (s *strips) arrange() {
	for c := 1; c < len(s.first); c++ {
		s.first[c] += s.first[c-1]
	}
	free := s.first
	for i, o := range s.balls[:s.n] {
		c := s.of[i]
		s.spots[free[c]] = spot{o.Pos.X, o.Pos.Y, int16(i)}
		free[c]++
	}
}

// near appends the balls after the i-th that are within its reach, in the order of IDs.
func (s *strips) near(i int, reach fixed.F, found []int16) []int16 {
	at, c := s.balls[i].Pos, s.of[i]
	for _, o := range s.spots[s.first[c-1]:s.first[c+2]] {
		dx, dy := at.X-o.x, at.Y-o.y
		// Most are told apart by this alone.
		if int(o.ball) > i && dx <= reach && dx >= -reach && dy <= reach && dy >= -reach && at.Within(s.balls[o.ball].Pos, reach) {
			found = append(found, o.ball)
		}
	}
	slices.Sort(found)
	return found
}

func (h *hive) collideByStrips(w *world.Window) {
	var s strips
	for o := range w.All() {
		if o.Kind == kindHoney {
			break
		}
		s.add(o, h.strip(o.Pos.X))
	}
	s.arrange()
	var found [32]int16
	for i, a := range s.balls[:s.n] {
		for _, j := range s.near(i, h.reach[a.Kind], found[:0]) {
			h.meet(w, a, s.balls[j])
		}
	}
}

// strip is the number of the strip, from one, that a coordinate lies in.
func (h *hive) strip(x fixed.F) int16 {
	return int16(1 + (x-h.schema.Bounds.Min.X).Clamp(0, h.stripsEnd)/h.stripWidth)
}

// cutStrips makes as many strips as there may be.
func (h *hive) cutStrips() {
	width := h.schema.Bounds.Max.X - h.schema.Bounds.Min.X
	h.stripWidth = max(h.reach[kindQueen], h.reach[kindBee], width/stripsMax+1)
	h.stripsEnd = width
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
	line = a.Pos.Sub(b.Pos).Add(way.Scale(at))
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
