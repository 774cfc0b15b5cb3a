package play

import (
	"throng/mechanism"
	"throng/web/internal/display"
	"throng/world"
	"throng/world/fixed"
)

// Area is one of the areas that the world falls into for the user, as the page reads it; a test holds the offsets.
type Area struct {
	X0, Y0, X1, Y1 float32
	Server         uint32
	Role           uint32  // a mechanism.AreaRole
	Bytes          float64 // received for it so far
	Work           float64 // spent on it so far
}

// Areas lists how the client treats the parts of the world. It is empty where the mechanism knows no parts.
func (c *Client) Areas() []Area {
	c.areas = c.areas[:0]
	if c.machine == nil {
		return nil
	}
	mapped, ok := c.machine.Node().(mechanism.Mapped)
	if !ok {
		return nil
	}
	c.parts = mapped.Areas(c.parts[:0])
	for _, a := range c.parts {
		c.areas = append(c.areas, Area{
			X0: float32(display.Float(a.Box.Min.X)), Y0: float32(display.Float(a.Box.Min.Y)),
			X1: float32(display.Float(a.Box.Max.X)), Y1: float32(display.Float(a.Box.Max.Y)),
			Server: uint32(a.Server), Role: uint32(a.Role), Bytes: float64(a.Bytes), Work: float64(a.Work),
		})
	}
	return c.areas
}

// Watch says which part of the world is on the user's screen.
func (c *Client) Watch(now world.Time, x0, y0, x1, y1 float64) {
	c.call(now)
	if c.phase != Playing {
		return
	}
	c.machine.Watch(c.worldTime(now), c.box(x0, y0, x1, y1), &c.out)
	c.finish()
	c.wire.flushDue(now)
}

// box is what lies between two corners, as far as it is in the world.
func (c *Client) box(x0, y0, x1, y1 float64) fixed.Box {
	bounds := c.session.World.Schema().Bounds
	return fixed.Box{
		Min: bounds.Clamp(fixed.Vec{X: display.Fixed(x0), Y: display.Fixed(y0), Z: bounds.Min.Z}),
		Max: bounds.Clamp(fixed.Vec{X: display.Fixed(x1), Y: display.Fixed(y1), Z: bounds.Max.Z}),
	}
}

// Segment is a piece of scenery: a wall, say.
type Segment struct{ X0, Y0, X1, Y1 float32 }

// Scenery lists what never changes between two corners of the world.
func (c *Client) Scenery(x0, y0, x1, y1 float64) []Segment {
	if c.session == nil {
		return nil
	}
	scenic, ok := c.session.World.(world.Scenic)
	if !ok {
		return nil
	}
	c.segments = scenic.Scenery(c.segments[:0], c.description.Seed, c.box(x0, y0, x1, y1))
	c.scenery = c.scenery[:0]
	for _, s := range c.segments {
		c.scenery = append(c.scenery, Segment{
			float32(display.Float(s.From.X)), float32(display.Float(s.From.Y)), float32(display.Float(s.To.X)), float32(display.Float(s.To.Y)),
		})
	}
	return c.scenery
}
