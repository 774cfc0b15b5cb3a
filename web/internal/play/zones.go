package play

import (
	"throng/mechanism"
	"throng/web/internal/display"
	"throng/world"
)

func (c *Client) zoned() (mechanism.Zoned, bool) {
	if c.machine == nil || !c.running() {
		return nil, false
	}
	z, ok := c.machine.Node().(mechanism.Zoned)
	return z, ok
}

// Zones writes, as JSON, the zones of the world and whom the user's node deals with in them; null where the mechanism has none. Places are
// in the world's unit, times in milliseconds, roles are numbers as mechanism has them.
func (c *Client) Zones() []byte {
	zoned, ok := c.zoned()
	if !ok {
		return []byte("null")
	}
	c.zones, c.ties = zoned.Zones(c.zones[:0]), zoned.Ties(c.ties[:0])
	j := display.NewText()
	j.Open("")
	j.List("zones")
	for _, z := range c.zones {
		j.Open("")
		j.List("outline")
		for _, v := range z.Outline {
			j.Number("", display.Float(v.X))
			j.Number("", display.Float(v.Y))
		}
		j.EndList()
		j.Number("band", display.Float(z.Band))
		j.Int("role", int64(z.Role))
		j.Int("given", int64(z.Given))
		j.Close()
	}
	j.EndList()
	j.List("ties")
	for _, t := range c.ties {
		j.Open("")
		j.Int("node", int64(t.Node))
		j.Int("user", int64(t.User))
		j.Int("role", int64(t.Role))
		j.Int("zone", int64(t.Zone))
		j.Int("level", int64(t.Level))
		j.Number("trip", milliseconds(t.Trip))
		j.Number("silent", milliseconds(t.Silent))
		j.Int("sent", t.Sent)
		j.Int("relayed", t.Relayed)
		j.Int("received", t.Received)
		j.Bool("direct", c.direct != nil && c.direct.Connected(t.Node))
		j.Close()
	}
	j.EndList()
	j.Close()
	return j.Bytes()
}

func milliseconds(t world.Time) float64 { return float64(t) / float64(world.Millisecond) }

// shunning is for how long a node is cut off from another that it is to lose.
const shunning = 30 * world.Second

// Vanish cuts the user's node off from another, as though that one's machine were gone.
func (c *Client) Vanish(now world.Time, node mechanism.NodeID) {
	c.call(now)
	c.shunned, c.shunnedUntil = node, now+shunning
}

// gone reports whether nothing is to go to a node, and nothing to come from it.
func (c *Client) gone(node mechanism.NodeID) bool {
	return c.shunned == node && node != 0 && c.called < c.shunnedUntil
}
