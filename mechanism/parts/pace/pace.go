// Package pace has a server that cannot keep up do less by choice, before it does everything late.
//
// A server has something due many times a second, and is late for it only while it is still busy with what was due before. Its
// [Pace] takes note of that. At each level a sixteenth more time passes between two updates to a client and between two inputs from it.
// Clients are told the level with every update, so that they say less themselves, wait longer before they repeat what was not answered, and
// show what is further apart as smoothly as before. Beyond some level nobody else is let in.
//
// It is lateness at its least that counts, not on average: a burst that is soon worked off is what queues are for, while a queue
// that never empties helps nobody (K. Nichols, V. Jacobson: Controlling Queue Delay, 2012).
//
// What has piled up has to be worked off first: a server that is late serves clients of which nothing is at hand any more, and may be
// so slow at that that it never catches up, though it could keep up well (N. Bronson et al.: Metastable Failures in Distributed Systems,
// 2021). So while next to nothing is come to in time the level rises by a good deal, and falls back at once when it is again. If that
// happens again soon it was no accident: then the level that is kept in between rises too, in longer and longer strides. It falls slowly down to where
// everything was last late, stays above that for a while, and for longer each time that trying less turns out to be too early. Once there is time to spare where there was
// none, or clients have left, it falls fast.
package pace

import (
	"throng/world"
	"throng/world/fixed"
)

// Config says how far a server goes.
type Config struct {
	Stretch fixed.F `param:"stretch" default:"8" range:"1..9" help:"a server that does not keep up lets up to so many times as long pass between updates; 1 for never"`
	Refuse  fixed.F `param:"refuse" default:"3" range:"1..10" help:"once it is so many times as long, nobody else is let in; more than stretch for never"`
}

// LevelMax is the highest level there is.
const LevelMax = 40

const (
	window   = 120 * world.Millisecond // over which a server is judged
	looksMin = 4                       // how often it must have been looked at by then
	again    = world.Second            // within which being late once more is no accident
	strideUp = 4                       // by how many levels what is kept rises, at most
	lift     = 3                       // levels beyond those by which what has piled up would be worked off in two windows
	holdMin  = world.Second            // for how long nothing less is tried above where everything was late,
	holdMax  = 4 * world.Second        // and for how long at most, if it has turned out to be too early
)

// intervalMin is the shortest interval of which lateness is taken a part: by a few milliseconds everything is late on a machine that is
// busy with something else.
const intervalMin = 100 * world.Millisecond

// Pace is how far a server has slowed down. The zero Pace never does.
type Pace struct {
	top  int // the highest level
	full int // the level from which on nobody else is let in

	kept int // the level while everything is come to in time
	more int // levels beyond it until what has piled up is worked off

	since  world.Time // when the window began
	late   world.Time // how late the server was then
	looks  int        // how often something was due in it
	prompt int        // how often that was come to in time
	rest   world.Time // until when it is too early to judge what came of the last rise

	eased   world.Time // when the level last fell, or the server last was late
	edge    int        // what was kept when everything was last late; -1 if that was an accident
	level   int        // what has been kept since
	clients int        // and how many there were
	hold    world.Time // for how long nothing less is tried
	up      int        // by how many levels what is kept last rose
	down    int        // and fell
}

// New returns the pace of a server that has nothing to do yet.
func New(c Config) Pace {
	p := Pace{full: LevelMax + 1, eased: -again, edge: -1, hold: holdMin}
	for level := 1; level <= LevelMax; level++ {
		stretch := fixed.F(Stretch(world.Time(fixed.One), level))
		if stretch <= c.Stretch {
			p.top = level
		}
		if stretch >= c.Refuse && level < p.full {
			p.full = level
		}
	}
	return p
}

// Stretch is how long a time becomes at a level.
func Stretch(t world.Time, level int) world.Time {
	for range level {
		t += t / 16
	}
	return t
}

// Stretch is how long a time becomes at the present level.
func (p *Pace) Stretch(t world.Time) world.Time { return Stretch(t, p.Level()) }

// Level is how far the server has slowed down.
func (p *Pace) Level() int { return min(p.kept+p.more, p.top) }

// Slowed is how long it is between two updates, in hundredths of how long it ought to be.
func (p *Pace) Slowed() int { return int(p.Stretch(100_000) / 1000) }

// Full reports whether nobody else is to be let in.
func (p *Pace) Full() bool { return p.kept >= p.full }

// Note takes note that the server has come to something by as much too late, which should be done once in every interval for each of so many
// clients. It reports whether the level has changed.
func (p *Pace) Note(now, late, interval world.Time, clients int) (changed bool) {
	if now < p.rest {
		return false
	}
	if p.looks == 0 {
		p.since, p.late = now, late
	}
	p.looks++
	if late <= max(interval, intervalMin)/4 {
		p.prompt++
	}
	if now-p.since < window || p.looks < looksMin {
		return false
	}
	before := p.Level()
	switch {
	case p.prompt*16 <= p.looks:
		p.rise(now, late, clients)
	case p.prompt*2 >= p.looks:
		p.fall(now, clients)
	}
	p.kept = min(max(p.kept, 0), p.top)
	p.looks, p.prompt = 0, 0
	return p.Level() != before
}

// rise has the level rise, since next to nothing was come to in time.
func (p *Pace) rise(now, late world.Time, clients int) {
	if late < p.late {
		return // it is catching up
	}
	was := p.kept
	switch {
	case p.more > 0: // and that was not enough
		p.up = strideUp
	case now-p.eased < again:
		p.up = min(max(1, 2*p.up), strideUp)
	default:
		p.up = 0 // it may have been an accident
	}
	if p.up > 0 {
		if was <= p.edge { // it was too early to try less
			p.hold = min(2*p.hold, holdMax)
		}
		p.kept += p.up
		p.edge, p.level, p.clients = was, p.kept, clients
	}
	p.more = lift + int(16*late/(2*window))
	p.eased, p.down = now, 0
	p.rest = now + late // what waits by now has to be worked off first
}

// fall has the level fall, since there is time to spare.
func (p *Pace) fall(now world.Time, clients int) {
	held := now - p.eased
	switch {
	case p.more > 0:
		p.more = 0
		p.eased = now
		return
	case p.kept == 0:
		p.edge, p.hold, p.up = -1, holdMin, 0
		return
	case p.relieved(clients):
	case p.kept > p.edge+1:
		p.kept--
	case p.kept == p.edge+1 && held < p.hold:
		return
	case p.kept == p.edge+1:
		p.kept--
	case held >= 2*window: // there is no such edge any more
		p.hold = holdMin
		p.down++
		p.kept -= p.down
		p.edge = p.kept
	default:
		return
	}
	p.eased = now
}

// relieved has the level fall by as much as there are fewer clients than when it was set.
func (p *Pace) relieved(clients int) (fell bool) {
	const fine = 1 << 16
	for p.kept > 0 && int64(Stretch(fine, p.kept-1))*int64(p.clients) >= int64(Stretch(fine, p.level))*int64(clients) {
		p.kept--
		fell = true
	}
	if fell {
		p.edge = min(p.edge, p.kept-1)
	}
	return fell
}
