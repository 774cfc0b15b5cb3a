package input

import (
	"throng/mechanism"
	"throng/mechanism/parts/update"
	"throng/world"
)

// Observer reports when the effects of others' actions arrive. The zero Observer has seen nothing.
type Observer struct {
	last map[world.User]uint32 // the latest action that has been seen of each user
}

// Hear takes an object that has changed. Of actions that were taken before the object came into sight it is not known when
// they would have been seen.
func (o *Observer) Hear(c *update.Change, own world.User, out *mechanism.Outbox) {
	u := c.Object.User
	if u == own || u == 0 || c.What == update.Left {
		return
	}
	last, known := o.last[u]
	if o.last == nil {
		o.last = map[world.User]uint32{}
	}
	if c.What == update.Entered || !known || c.Action < last {
		o.last[u] = max(last, c.Action)
		return
	}
	if c.Action == last {
		return
	}
	o.last[u] = c.Action
	for seq := max(last+1, c.Action-min(c.Action, ActionsMax)); seq <= c.Action && seq != 0; seq++ {
		out.Report(mechanism.Event{Name: mechanism.Applied, User: u, Seq: seq})
	}
}

// Bytes is the memory that the observer holds.
func (o *Observer) Bytes() int { return 16 * len(o.last) }
