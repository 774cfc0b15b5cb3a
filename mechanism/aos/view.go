package aos

import (
	"throng/world"
)

// view is what a user sees: of every object the best that the client knows. That is what it simulates, else what it is told,
// else what it has heard of it as a neighbour of what it simulates.
type view struct {
	client *client
	state  *world.State
	tick   world.Tick
	stale  bool // replicas have moved since it was brought up to date
}

func (v *view) begin(n *client) {
	v.client = n
	v.state = world.NewState(n.session.World.Schema(), n.session.Start.Seed())
	v.tick = -1
}

// pass lets a tick pass.
func (v *view) pass(tick world.Tick) {
	v.tick = tick
	v.state.SetTick(tick)
}

// refresh brings the view up to date. It costs in proportion to what has moved.
func (v *view) refresh() *world.State {
	if !v.stale {
		return v.state
	}
	v.stale = false
	for i := range v.client.regions {
		if x := &v.client.regions[i]; x.replica != nil {
			v.follow(x)
		}
	}
	v.state.SetTick(max(v.tick, 0))
	return v.state
}

// follow takes over how a replica has changed.
func (v *view) follow(x *region) {
	for c := range world.Diff(x.shown, x.replica.state()) {
		was := c.Old != nil && x.replica.owns(c.Old)
		is := c.New != nil && x.replica.owns(c.New)
		if was {
			x.own--
		}
		switch {
		case is:
			x.own++
			v.put(c.New)
		case c.New == nil:
			v.fallBack(c.Old.ID)
		case !v.simulated(c.New.ID) && v.told(c.New.ID) == nil:
			v.put(c.New)
		}
	}
	x.shown.CopyFrom(x.replica.state())
}

// without takes out what was shown of an area that is no longer simulated.
func (v *view) without(x *region) {
	for o := range x.shown.All() {
		v.fallBack(o.ID)
	}
	x.own = 0
}

func (v *view) put(o *world.Object) { v.state.Put(*o) }

// simulated reports whether the client moves an object itself.
func (v *view) simulated(id world.ID) bool {
	for i := range v.client.regions {
		if x := &v.client.regions[i]; x.replica != nil {
			if o := x.replica.state().Get(id); o != nil && x.replica.owns(o) {
				return true
			}
		}
	}
	return false
}

// told is an object as the client was told of it, or nil.
func (v *view) told(id world.ID) *world.Object {
	for i := range v.client.regions {
		if f := &v.client.regions[i].feed; f.receiver != nil {
			if o := f.known.Get(id); o != nil {
				return o
			}
		}
	}
	return nil
}

// fallBack shows an object as the next best source has it, or not at all.
func (v *view) fallBack(id world.ID) {
	var best *world.Object
	for i := range v.client.regions {
		x := &v.client.regions[i]
		if x.replica == nil {
			continue
		}
		if o := x.replica.state().Get(id); o != nil && (best == nil || x.replica.owns(o)) {
			best = o
			if x.replica.owns(o) {
				v.put(o)
				return
			}
		}
	}
	if o := v.told(id); o != nil {
		best = o
	}
	if best == nil {
		v.state.Remove(id)
		return
	}
	v.put(best)
}
