package balance

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// Config is how a zone balances.
type Config struct {
	Undo    fixed.F    // parts are taken back when all would fit into this share of what the zone can hold
	Hold    world.Time // for how long they must, at first; and how long who was refused waits
	Repeat  world.Time // how often neighbours are told again
	Foresee world.Time // the load is taken to grow for so long as it has of late
}

// Load is what a zone has to carry.
type Load struct {
	Room  int   // how many it can hold
	Own   int   // how many are in it now, with those in the parts that it has taken
	Parts []int // of those, how many are in its own part next to each neighbour
	Taken []int // and how many in each neighbour's part next to it
}

// Note is all that one zone has to say to a neighbour.
type Note struct {
	Number  uint64 // of the wish: later ones have higher numbers
	Wished  bool   // take my part next to you
	Count   int    // so many are in it
	Answer  uint64 // the number of your last wish
	Granted bool   // I have taken your part
	Held    int    // so many of it are with me
}

// Zone is one zone's side of balancing.
type Zone struct {
	config Config
	shares []share
	hold   world.Time // how long there must be no need before parts are taken back
	calm   world.Time // since when there is none; never while there is
	undone world.Time // when parts were last taken back
	judged bool       // whether that was too early is known

	trend   trend
	changed bool
}

// trend is how a load grows. What parts that change hands bring or take is no growth.
type trend struct {
	since  world.Time // when it was last measured
	before int
	rising int // in a second
}

// share is what there is between a zone and one neighbour.
type share struct {
	mine   wish // about the zone's part
	theirs wish // about the neighbour's part
	after  world.Time
	wait   world.Time // how long after a refusal the neighbour is not asked again
	due    world.Time // when it is told again
}

// wish is a wish that a part be taken, and what became of it.
type wish struct {
	number  uint64
	wished  bool
	granted bool
	count   int // who would come
	held    int // who has
}

// New returns the zone's side, where it has so many neighbours. First is below all numbers of its wishes: the higher the later the zone began.
func New(c Config, neighbours int, first uint64) *Zone {
	z := &Zone{config: c, shares: make([]share, neighbours), hold: c.Hold, calm: world.Never, judged: true}
	for i := range z.shares {
		z.shares[i] = share{mine: wish{number: first}, wait: c.Hold, due: world.Never}
		if first > 0 {
			z.shares[i].due = 0 // whoever was here before may have wished something else
		}
	}
	return z
}

// Given reports whether a neighbour has the zone's part next to it.
func (z *Zone) Given(neighbour int) bool {
	m := &z.shares[neighbour].mine
	return m.wished && m.granted
}

// Has reports whether the zone has a neighbour's part next to it.
func (z *Zone) Has(neighbour int) bool { return z.shares[neighbour].theirs.granted }

// Changed reports whether what neighbours have was changed since it was last asked.
func (z *Zone) Changed() bool {
	changed := z.changed
	z.changed = false
	return changed
}

// Step looks at the load, and says what neighbours are to be told now.
func (z *Zone) Step(now world.Time, l *Load, tell func(neighbour int, n Note)) {
	fits := fixed.FromInt(int64(l.Room)).Mul(z.config.Undo)
	over := l.Own > l.Room
	if growth := z.growth(now, l.Own); fixed.FromInt(int64(l.Own)) > fits { // what would be taken back at once is not given
		over = l.Own+growth > l.Room
	}
	whole, sheds := l.Own, false
	for i := range z.shares {
		if m := &z.shares[i].mine; m.wished {
			sheds = true
			whole += m.held
		}
	}
	switch {
	case over:
		z.calm = world.Never
		z.shed(now)
	case !sheds || fixed.FromInt(int64(whole)) > fits:
		z.calm = world.Never
	case z.calm == world.Never:
		z.calm = now
	case now-z.calm >= z.hold:
		z.undo(now)
	}
	for i := range z.shares {
		if x := &z.shares[i]; x.due <= now {
			z.say(now, i, l, tell)
		}
	}
}

// growth is by how much the load will have grown, if it goes on as it has in the last second.
func (z *Zone) growth(now world.Time, load int) int {
	t := &z.trend
	if past := now - t.since; past >= world.Second {
		t.rising = int(int64(load-t.before) * int64(world.Second) / int64(past))
		t.before, t.since = load, now
	} else if past < 0 {
		t.before = load // people are still on their way
	}
	return max(0, int(int64(t.rising)*int64(z.config.Foresee)/int64(world.Second)))
}

// turn notes that parts have changed hands.
func (z *Zone) turn(now world.Time) { z.trend = trend{since: now + 2*z.config.Repeat} }

// shed hands back what the zone has taken, and wishes its own parts taken.
func (z *Zone) shed(now world.Time) {
	began := false
	for i := range z.shares {
		x := &z.shares[i]
		if x.theirs.granted {
			x.theirs.granted = false
			x.due = now
			z.turn(now)
		}
		if !x.mine.wished && x.after <= now {
			x.mine = wish{number: x.mine.number + 1, wished: true}
			x.due = now
			began = true
		}
	}
	if !began || z.judged {
		return
	}
	z.judged = true
	switch past := now - z.undone; {
	case past < 4*z.hold:
		z.hold = min(2*z.hold, holdMax) // that was too early
	case past > 16*z.hold:
		z.hold = max(z.hold/2, z.config.Hold)
	}
}

// holdMax is the longest that anything waits for.
const holdMax = 64 * world.Second

// undo takes all parts back.
func (z *Zone) undo(now world.Time) {
	z.calm, z.undone, z.judged = world.Never, now, false
	for i := range z.shares {
		if x := &z.shares[i]; x.mine.wished {
			z.changed = z.changed || x.mine.granted
			z.turn(now)
			x.mine = wish{number: x.mine.number + 1}
			x.wait, x.after = z.config.Hold, now
			x.due = now
		}
	}
}

// Hear takes what a neighbour says, and answers if it is a wish.
func (z *Zone) Hear(now world.Time, neighbour int, n Note, l *Load, tell func(neighbour int, n Note)) {
	x := &z.shares[neighbour]
	z.hearAnswer(now, x, &n)
	t := &x.theirs
	switch {
	case n.Number < t.number:
		return
	case n.Number == t.number:
		t.count = n.Count
		return
	}
	had := t.granted
	*t = wish{number: n.Number, wished: n.Wished, count: n.Count}
	t.granted = n.Wished && z.takes(l, n.Count)
	if t.granted != had {
		z.turn(now)
	}
	z.say(now, neighbour, l, tell)
}

// takes reports whether the zone has room for so many more, besides those who are on their way, and has no need itself.
func (z *Zone) takes(l *Load, count int) bool {
	coming := 0
	for i := range z.shares {
		if z.shares[i].mine.wished {
			return false
		}
		if t := &z.shares[i].theirs; t.granted {
			coming += max(t.count-l.Taken[i], 0)
		}
	}
	return l.Own+coming+count <= l.Room
}

// hearAnswer takes a neighbour's word on the zone's own wish.
func (z *Zone) hearAnswer(now world.Time, x *share, n *Note) {
	m := &x.mine
	if n.Answer != m.number || !m.wished {
		return
	}
	m.held = n.Held
	if n.Granted != m.granted {
		m.granted = n.Granted
		z.changed = true
		z.turn(now)
	}
	if !n.Granted {
		*m = wish{number: m.number + 1}
		x.after = now + x.wait
		x.wait = min(2*x.wait, holdMax)
		x.due = now
	}
}

// say tells a neighbour all there is to be said. It is said again from then on: there may be something between the two.
func (z *Zone) say(now world.Time, neighbour int, l *Load, tell func(int, Note)) {
	x := &z.shares[neighbour]
	tell(neighbour, Note{Number: x.mine.number, Wished: x.mine.wished, Count: l.Parts[neighbour],
		Answer: x.theirs.number, Granted: x.theirs.granted, Held: l.Taken[neighbour]})
	x.due = now + z.config.Repeat
}

// Append appends a note.
func (n *Note) Append(dst []byte) []byte {
	flags := byte(0)
	if n.Wished {
		flags |= 1
	}
	if n.Granted {
		flags |= 2
	}
	dst = append(wire.AppendUint(wire.AppendUint(dst, n.Number), n.Answer), flags)
	return wire.AppendUint(wire.AppendUint(dst, uint64(n.Count)), uint64(n.Held))
}

const (
	numberMax = 1<<62 - 1
	countMax  = 1 << 30
)

// Read reads a note.
func Read(r *wire.Reader) Note {
	n := Note{Number: r.UintMax(numberMax), Answer: r.UintMax(numberMax)}
	flags := r.Byte()
	if flags > 3 {
		r.Fail()
	}
	n.Wished, n.Granted = flags&1 != 0, flags&2 != 0
	n.Count, n.Held = int(r.UintMax(countMax)), int(r.UintMax(countMax))
	return n
}
