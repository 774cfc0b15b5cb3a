package play

import (
	"throng/web/internal/display"
	"throng/world"
	"throng/world/wire"
)

// guessMax is how far objects are moved on from the moment that the truth is of.
const guessMax = world.Second / 2

// Reveal takes what is really so, as the server encodes a state. Where users' own machines decide about what is theirs, what the server
// says of this user's is hearsay and left out. It reports whether the state makes sense.
func (c *Client) Reveal(state []byte, owners bool) bool {
	if c.session == nil {
		return false
	}
	r := wire.NewReader(state)
	s, err := world.Decode(c.session.World.Schema(), &r)
	if err != nil || r.Done() != nil {
		c.truth = nil
		return false
	}
	c.truth, c.hearsay = s, owners
	return true
}

// Truths lists what is really so now, as far as was revealed: what moves is moved on by its rules since then.
func (c *Client) Truths(now world.Time) []display.Record {
	if c.truth == nil || c.session == nil || c.truth.Schema() != c.session.World.Schema() {
		return nil
	}
	schema := c.session.World.Schema()
	passed := min(max(0, c.worldTime(now)-world.Time(c.truth.Tick())*schema.Tick), guessMax)
	if c.moved == nil {
		c.moved = world.NewState(schema, 0)
	}
	c.moved.CopyFrom(c.truth)
	for o := range c.truth.All() {
		switch {
		case c.hearsay && o.User == c.welcome.User:
			c.moved.Remove(o.ID)
		case passed > 0:
			c.session.World.Extrapolate(c.moved.Edit(o.ID), passed)
		}
	}
	c.truths = c.screen.List(c.truths, c.moved, c.welcome.User)
	return c.truths
}
