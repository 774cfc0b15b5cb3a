package loose

import "throng/world"

// skewMax is how far another host's clock may be off without anybody minding: within it, the age of an update is what the two
// clocks say.
const skewMax = world.Second

// clock is what a host knows of another's clock: by how many ticks the other's updates were ahead of its own clock at most. No
// update arrives before it is sent, so that the other's clock is ahead by at least that.
type clock struct {
	known bool
	ahead world.Tick
}

// here turns the tick at which an update was sent by the other's clock into one by this host's. Where the clocks cannot be told apart from
// the network's delay, they are taken to agree; else the update that was fastest is taken to have come at once. A clock that is
// far behind what it was belongs to another host in the same place.
func (c *clock) here(sent, now world.Tick, length world.Time) world.Tick {
	skew, ahead := world.TicksIn(skewMax, length), sent-now
	if !c.known || ahead > c.ahead || ahead < c.ahead-world.TicksIn(memory, length) {
		c.known, c.ahead = true, ahead
	}
	if -skew <= c.ahead && c.ahead <= skew {
		return sent
	}
	return sent - c.ahead
}
