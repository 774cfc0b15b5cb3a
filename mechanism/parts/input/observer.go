package input

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/update"
	"throng/world"
)

// Observer reports when the effects of actions show: those of others, and the user's own where nothing foresees them. The zero
// Observer has seen nothing.
type Observer struct {
	last    map[world.User]uint32 // the latest action that has been heard of each user
	waiting []effect              // what has been heard and does not show yet
}

// effect is some actions of a user, and at which moment of a server's time they show.
type effect struct {
	server      int
	moment      world.Time
	user        world.User
	first, last uint32
}

// waitingMax is how much may wait for its moment; beyond that it is reported at once.
const waitingMax = 4096

// Hear takes an object that has changed by a moment of a server's time. Of actions that were taken before the object came into sight it is not
// known when they would have been seen.
func (o *Observer) Hear(c *update.Change, server int, moment world.Time, own world.User, out *mechanism.Outbox) {
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
	o.add(effect{server, moment, u, max(last+1, c.Action-min(c.Action, ActionsMax)), c.Action}, out)
}

// Own takes that an action of the user's own has had its effect by a moment.
func (o *Observer) Own(a *world.Action, server int, moment world.Time, out *mechanism.Outbox) {
	o.add(effect{server, moment, a.User, a.Seq, a.Seq}, out)
}

func (o *Observer) add(e effect, out *mechanism.Outbox) {
	if len(o.waiting) >= waitingMax {
		e.report(out)
		return
	}
	o.waiting = append(o.waiting, e)
}

// Show reports what shows when the view is at a moment of a server's time.
func (o *Observer) Show(server int, moment world.Time, out *mechanism.Outbox) {
	o.waiting = slices.DeleteFunc(o.waiting, func(e effect) bool {
		if e.server != server || e.moment > moment {
			return false
		}
		e.report(out)
		return true
	})
}

func (e *effect) report(out *mechanism.Outbox) {
	for seq := e.first; seq <= e.last && seq != 0; seq++ {
		out.Report(mechanism.Event{Name: mechanism.Applied, User: e.user, Seq: seq})
	}
}

// Bytes is the memory that the observer holds.
func (o *Observer) Bytes() int { return 16*len(o.last) + 32*cap(o.waiting) }
