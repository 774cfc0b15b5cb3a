package turn

import (
	"throng/mechanism"
	"throng/world"
)

// Number counts turns from zero, which begins with the world.
type Number int64

// Pace is how time falls into turns and ticks.
type Pace struct {
	Tick  world.Time // how long a tick takes
	Ticks world.Tick // how many of them a turn has
}

// NewPace returns the pace of turns of a length: of as many whole ticks as that takes, and of one at least.
func NewPace(length, tick world.Time) Pace {
	return Pace{Tick: tick, Ticks: max(world.TicksIn(length, tick), 1)}
}

// Length is how long a turn takes.
func (p Pace) Length() world.Time { return mechanism.TimeOf(p.Ticks, p.Tick) }

// Of is the turn that a tick belongs to. The tick is that of a state before its step.
func (p Pace) Of(t world.Tick) Number { return Number(t / p.Ticks) }

// First is the tick that a turn begins with.
func (p Pace) First(n Number) world.Tick { return world.Tick(n) * p.Ticks }

// Begins reports whether a turn begins with a tick.
func (p Pace) Begins(t world.Tick) bool { return t%p.Ticks == 0 }
