package viewer

import (
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/aggregate"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/octree"
	"throng/world"
	"throng/world/wire"
)

// clouds are what a client is told of a crowd that is not shown one by one.
type clouds struct {
	told  []mechanism.Cloud // by the server, all that there are
	shown []mechanism.Cloud // less what is shown one by one
	fresh []mechanism.Cloud // scratch
	tick  world.Tick        // what was told describes
}

func (c *clouds) forget() { *c = clouds{told: c.told[:0], shown: c.shown[:0], fresh: c.fresh[:0]} }

// bytes is the memory that clouds take, where there are any.
func (c *clouds) bytes() int {
	return (cap(c.told) + cap(c.shown) + cap(c.fresh)) * int(unsafe.Sizeof(mechanism.Cloud{}))
}

// cloudsMax is how many clouds are believed to be in a datagram.
const cloudsMax = 1 << 13

// receiveClouds takes what there is beyond what the client is told of one by one: all of it each time. What comes late is left out.
func (n *Client) receiveClouds(msg []byte, out *mechanism.Outbox) {
	r := wire.NewReader(msg[1:])
	tag, tick := input.ReadClouds(&r)
	space, schema := octree.Enclose(n.world.Schema().Bounds), n.world.Schema()
	n.far.fresh = n.far.fresh[:0]
	for r.Len() > 0 && len(n.far.fresh) < cloudsMax {
		n.far.fresh = append(n.far.fresh, aggregate.Read(&r, space, schema))
	}
	switch {
	case r.Done() != nil:
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(msg))})
	case n.Ready() && tag == n.Identity.Tag() && tick >= n.far.tick:
		n.far.told, n.far.fresh = n.far.fresh, n.far.told
		n.far.tick = tick
	}
}

// Clouds are the crowds that the user sees from afar. Who is shown alone is no part of them.
func (n *Client) Clouds() []mechanism.Cloud {
	c := &n.far
	c.shown = append(c.shown[:0], c.told...)
	if len(c.shown) == 0 {
		return nil
	}
	for o := range n.view.All() {
		for i := range c.shown {
			if x := &c.shown[i]; x.Kind == o.Kind && x.Count > 0 && x.Box.Contains(o.Pos) {
				x.Count--
				break
			}
		}
	}
	return c.shown
}
