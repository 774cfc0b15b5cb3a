// Package pace has a server that cannot keep up do less by choice, before it does everything late.
//
// A server has something due many times a second, and is late for it only while it is still busy with what was due before. Its
// [Pace] takes note of that. While next to nothing is come to in time the level rises, and with each level a sixteenth more time
// passes between two updates to a client and between two inputs from it; once there is time to spare it falls again, both in longer
// and longer strides until they overshoot. Beyond some level nobody else is let in. Clients are told the level with every update, so that they say less themselves, wait longer before
// they repeat what was not answered, and show what is further apart as smoothly as before.
//
// It is lateness at its least that counts, not on average: a burst that is soon worked off is what queues are for, while a queue
// that never empties helps nobody (K. Nichols, V. Jacobson: Controlling Queue Delay, 2012).
package pace

import (
	"throng/world"
	"throng/world/fixed"
)

// Config says how far a server goes.
type Config struct {
	Stretch fixed.F `param:"stretch" default:"8" range:"1..9" help:"a server that does not keep up lets up to so many times as long pass between updates; 1 for never"`
	Refuse  fixed.F `param:"refuse" default:"1.5" range:"1..10" help:"once it is so many times as long, nobody else is let in; more than stretch for never"`
}

// LevelMax is the highest level there is.
const LevelMax = 40

const (
	window   = 120 * world.Millisecond // over which a server is judged
	looksMin = 4                       // how often it must have been looked at by then
	lateMin  = 2                       // for how many windows in a row everything is late before the level rises
	calmMin  = 2                       // for how many windows there is time to spare before the level falls to where everything was late
	around   = 2                       // up to how many levels lower that may still be so
	leap     = 4                       // by how many levels it rises, at least, where things are late by half an interval
)

// intervalMin is the shortest interval of which lateness is taken a part: by a few milliseconds everything is late on a machine that is
// busy with something else.
const intervalMin = 100 * world.Millisecond

// Pace is how far a server has slowed down. The zero Pace never does.
type Pace struct {
	top  int // the highest level
	full int // the level from which on nobody else is let in

	level  int
	since  world.Time // when the window began
	late   world.Time // how late the server was then
	looks  int        // how often something was due in it
	prompt int        // how often that was come to in time
	rest   world.Time // until when it is too early to judge what came of the last rise
	behind int        // windows in a row with next to nothing in time
	calm   int        // windows in a row with time to spare, since the level last fell
	edge   int        // the level at which everything was last late
	stride int        // by how much the level last fell where that was not so any more
}

// New returns the pace of a server that has nothing to do yet.
func New(c Config) Pace {
	p := Pace{full: LevelMax + 1}
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
func (p *Pace) Stretch(t world.Time) world.Time { return Stretch(t, p.level) }

// Level is how far the server has slowed down.
func (p *Pace) Level() int { return p.level }

// Full reports whether nobody else is to be let in.
func (p *Pace) Full() bool { return p.level >= p.full }

// Note takes note that the server has come to something by as much too late, which should be done once in every interval. It
// reports whether the level has changed.
func (p *Pace) Note(now, late, interval world.Time) (changed bool) {
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
	before := p.level
	p.level = min(max(p.level+p.step(now, late, interval), 0), p.top)
	p.looks, p.prompt = 0, 0
	return p.level != before
}

// step is by how much the level is to change at a window's end.
func (p *Pace) step(now, late, interval world.Time) int {
	behind, calm := p.behind+1, p.calm+1
	p.behind, p.calm = 0, 0
	switch {
	case p.prompt*16 <= p.looks:
		p.behind = behind
		return p.rise(now, late, interval)
	case p.prompt*2 < p.looks:
		return 0 // as busy as can be
	}
	p.calm = calm
	return -p.fall()
}

// fall is by how much the level is to fall when there is time to spare: bit by bit around where there was none, and from there on
// faster and faster, for what was too much then is there no more.
func (p *Pace) fall() int {
	switch {
	case p.level < p.edge-around:
		p.stride = 2
	case p.level <= p.edge && p.calm < calmMin:
		return 0
	default:
		p.stride = 1
	}
	p.calm = 0
	return p.stride
}

// rise is by how much the level is to rise when next to nothing was come to in time.
func (p *Pace) rise(now, late, interval world.Time) int {
	if p.behind < lateMin && late < max(interval, intervalMin)/2 || late < p.late {
		return 0 // it may have been something else, or it is catching up
	}
	p.edge = p.level
	p.rest = now + 2*late // what waits by now has to be worked off first
	least := 1
	if late > max(interval, intervalMin)/2 {
		least = leap
	}
	// What got later by a tenth of the time that passed wants a tenth more time.
	return max(least, 1+int(16*max(0, late-p.late)/(now-p.since)))
}
