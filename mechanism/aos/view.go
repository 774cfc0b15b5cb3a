package aos

import (
	"throng/world"
)

// view is what a user sees: of every object the best that the client knows. That is what it simulates, else what it is told,
// else what it has heard of it as a neighbour of what it simulates.
//
// Most clients simulate one area and are told of a little: their view is a copy of the area, which costs next to nothing since
// it shares memory with it, and what they are told on top. Of those who simulate several, the view follows what changes.
type view struct {
	client *client
	state  *world.State
	tick   world.Tick
	stale  bool    // sources have changed since it was brought up to date
	only   *region // the one area that is simulated, if there is one
	areas  int     // how many are
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

// change takes note that an area has begun or ceased to be simulated: the view begins anew.
func (v *view) change() {
	v.only, v.areas, v.stale = nil, 0, true
	for i := range v.client.regions {
		x := &v.client.regions[i]
		if x.shown != nil {
			x.shown.Release()
			x.shown = nil
		}
		x.own = 0
		if x.replica != nil {
			v.only = x
			v.areas++
		}
	}
	v.state = world.NewState(v.client.session.World.Schema(), v.client.session.Start.Seed())
	if v.areas == 1 {
		return
	}
	v.only = nil
	for i := range v.client.regions {
		if f := &v.client.regions[i].feed; f.receiver != nil {
			for o := range f.known.All() {
				v.put(o)
			}
		}
	}
}

// refresh brings the view up to date.
func (v *view) refresh() *world.State {
	if !v.stale {
		return v.state
	}
	v.stale = false
	switch {
	case v.only != nil:
		v.copy(v.only)
	case v.areas > 1:
		for i := range v.client.regions {
			if x := &v.client.regions[i]; x.replica != nil {
				v.follow(x)
			}
		}
	}
	v.state.SetTick(max(v.tick, 0))
	return v.state
}

// copy takes over the one area that is simulated, and puts on top what is told of others.
func (v *view) copy(x *region) {
	area := x.replica.state()
	if x.shown == nil {
		x.shown = area.Clone() // to share its memory
		v.state = x.shown
	}
	v.state.CopyFrom(area)
	for i := range v.client.regions {
		f := &v.client.regions[i].feed
		if f.receiver == nil {
			continue
		}
		for o := range f.known.All() {
			if mine := area.Get(o.ID); mine == nil || !x.replica.owns(mine) {
				v.put(o)
			}
		}
	}
}

// follow takes over how a replica has changed. It costs in proportion to that.
func (v *view) follow(x *region) {
	if x.shown == nil {
		x.shown = x.replica.state().Clone()
		x.shown.Release()
	}
	for c := range world.Diff(x.shown, x.replica.state()) {
		switch {
		case c.New == nil:
			v.fallBack(c.Old.ID)
		case x.replica.owns(c.New), !v.simulated(c.New.ID) && v.told(c.New.ID) == nil:
			v.put(c.New)
		}
	}
	x.shown.CopyFrom(x.replica.state())
}

func (v *view) put(o *world.Object) { v.state.Put(*o) }

// hear takes over what is told of an object. Where the view is a copy it waits for that.
func (v *view) hear(o *world.Object) {
	v.stale = true
	if v.only == nil && !v.simulated(o.ID) {
		v.put(o)
	}
}

// lose takes note that a source has no more to say of an object.
func (v *view) lose(id world.ID) {
	v.stale = true
	if v.only == nil {
		v.fallBack(id)
	}
}

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

// fallBack shows an object as the best source has it, or not at all.
func (v *view) fallBack(id world.ID) {
	var best *world.Object
	for i := range v.client.regions {
		x := &v.client.regions[i]
		if x.replica == nil {
			continue
		}
		if o := x.replica.state().Get(id); o != nil {
			if best = o; x.replica.owns(o) {
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
