package play

import (
	"throng/mechanism"
	"throng/web/internal/display"
)

// Cloud is a crowd from afar, as the page reads it; a test holds the offsets.
type Cloud struct {
	X0, Y0, X1, Y1 float32
	VX, VY         float32 // how one of them moves in a second, on average
	Count          uint32
	Kind           uint32
}

// Clouds lists the crowds that the view does not show one by one. There are none where everything is in the view.
func (c *Client) Clouds() []Cloud {
	c.clouds = c.clouds[:0]
	if c.machine == nil {
		return nil
	}
	clouded, ok := c.machine.Node().(mechanism.Clouded)
	if !ok {
		return nil
	}
	for _, x := range clouded.Clouds() {
		c.clouds = append(c.clouds, Cloud{
			X0: float32(display.Float(x.Box.Min.X)), Y0: float32(display.Float(x.Box.Min.Y)),
			X1: float32(display.Float(x.Box.Max.X)), Y1: float32(display.Float(x.Box.Max.Y)),
			VX: float32(display.Float(x.Motion.X)), VY: float32(display.Float(x.Motion.Y)),
			Count: uint32(x.Count), Kind: uint32(x.Kind),
		})
	}
	return c.clouds
}
