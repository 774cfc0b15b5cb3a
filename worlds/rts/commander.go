package rts

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// commander is an artificial user of the measured game: at regular intervals it sends any one of its avatars to a place by
// the mobility model. It knows its avatars by their numbers and looks at nothing but its base, once.
type commander struct {
	march    *march
	user     world.User
	random   random.Stream
	mobility *mobility
	next     world.Tick // when the next command is due

	called      fixed.Vec  // where the avatars were called to, and for how long
	calledUntil world.Tick //
}

var _ world.Patient = (*commander)(nil)

// press is how near to a place avatars stand that were called there, in tiles.
const press = 8

var _ world.Gatherer = (*commander)(nil)

// Gather implements world.Gatherer: until then all commands lead there.
func (c *commander) Gather(at fixed.Vec, until world.Tick) { c.called, c.calledUntil = at, until }

// Due implements world.Patient.
func (c *commander) Due() world.Tick { return c.next }

// Play gives a command if one is due.
func (c *commander) Play(v world.View, act func(world.Action)) {
	now := v.State.Tick()
	if c.mobility == nil {
		base := v.State.Get(c.march.baseOf(c.user))
		if base == nil {
			return // not there yet
		}
		c.mobility = newMobility(&c.march.Config, v.State.Seed(), base.Pos, &c.random)
		c.next = now + world.Tick(c.random.Below(uint64(c.march.Command)))
	}
	if now < c.next {
		return
	}
	c.next = now + world.Tick(c.march.Command)
	avatar := int(c.random.Below(uint64(c.march.Avatars)))
	to := c.mobility.next(&c.random)
	if now < c.calledUntil {
		to = c.march.schema.Bounds.Clamp(c.called.Add(fixed.Polar(c.random.Between(0, press*tile), c.random.Angle())))
	}
	act(goTo(c.march.avatarOf(c.user, avatar), to))
}
