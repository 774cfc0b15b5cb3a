package rts

import (
	"throng/world"
	"throng/world/fixed"
)

const (
	digs    = 2 * tile        // how near to a field a worker gathers
	unloads = 3*tile + tile/2 // how near to a base a worker unloads or trades
)

// work lets a worker who gathers fill a load at the field, unload it at home, and turn between the two. It knows field and
// base by their places and looks whether they are still there when it is: so it can walk to what is too far away to see.
func (r *realm) work(w *world.Window, o *world.Object) {
	if o.Attr[attrOrder] != gathering {
		if o.Attr[attrOrder] == going && !moves(o) {
			r.dismiss(w, o.ID)
		}
		return
	}
	at := spotOf(o.Attr[attrTarget])
	switch {
	case o.Attr[attrLoad] != 0:
		r.unload(w, o)
	case !o.Pos.Within(at, digs):
		if !moves(o) {
			r.sendWorker(w, o.ID, at)
		}
	case int64(w.Tick()) < o.Attr[attrReady]:
	default:
		r.dig(w, o, at)
	}
}

// dig lets a worker at a field begin to gather, or end it.
func (r *realm) dig(w *world.Window, o *world.Object, at fixed.Vec) {
	field := standing(w, at, kindField)
	switch {
	case field == nil:
		r.seek(w, o)
	case o.Attr[attrReady] == 0:
		if o := w.Edit(o.ID); o != nil {
			o.Attr[attrReady] = int64(w.Tick() + r.mines)
			o.Vel = fixed.Vec{}
		}
	default:
		r.fill(w, o.ID, field)
	}
}

// standing returns the field or building of a kind at a place, or nil.
func standing(w *world.Window, at fixed.Vec, kind world.KindID) *world.Object {
	for _, id := range w.Near(at, 0) {
		if o := w.Get(id); o != nil && o.Kind == kind {
			return o
		}
	}
	return nil
}

// fill gives a worker a load of what a field holds.
func (r *realm) fill(w *world.Window, id world.ID, field *world.Object) {
	sort := field.Attr[attrSort]
	if f := w.Edit(field.ID); f != nil {
		f.Attr[attrLeft] = max(f.Attr[attrLeft]-loadMost, 0)
	}
	if o := w.Edit(id); o != nil {
		o.Attr[attrLoad], o.Attr[attrReady] = load(sort, loadMost), 0
	}
}

// unload brings a load home, and sends the worker back when it is there. One whose home is gone waits for a command.
func (r *realm) unload(w *world.Window, o *world.Object) {
	at := spotOf(o.Attr[attrHome])
	if !o.Pos.Within(at, unloads) {
		if !moves(o) || goalOf(o) != at {
			r.sendWorker(w, o.ID, at)
		}
		return
	}
	home := standing(w, at, kindHall)
	if !isHall(home, o.User) {
		r.dismiss(w, o.ID)
		return
	}
	carried := o.Attr[attrLoad]
	if base := w.Edit(home.ID); base != nil {
		stow(base, carried)
	}
	if o := w.Edit(o.ID); o != nil {
		o.Attr[attrLoad] = 0
		r.gaits[kindWorker].send(o, spotOf(o.Attr[attrTarget]))
	}
}

// seek finds a worker another field in sight, of whatever sort, since the old one is gone.
func (r *realm) seek(w *world.Window, o *world.Object) {
	var best *world.Object
	for _, id := range w.Near(o.Pos, r.Vision) {
		if f := w.Get(id); f != nil && f.Kind == kindField && (best == nil || f.Pos.Dist(o.Pos) < best.Pos.Dist(o.Pos)) {
			best = f
		}
	}
	if best == nil {
		r.dismiss(w, o.ID)
		return
	}
	at := best.Pos
	if o := w.Edit(o.ID); o != nil {
		o.Attr[attrTarget], o.Attr[attrReady] = spot(at), 0
		r.gaits[kindWorker].send(o, at)
	}
}

func (r *realm) sendWorker(w *world.Window, id world.ID, to fixed.Vec) {
	if o := w.Edit(id); o != nil {
		o.Attr[attrReady] = 0
		r.gaits[kindWorker].send(o, to)
	}
}

// dismiss leaves a worker without an order.
func (r *realm) dismiss(w *world.Window, id world.ID) {
	if o := w.Edit(id); o != nil {
		o.Attr[attrOrder], o.Attr[attrTarget], o.Attr[attrReady] = idle, 0, 0
		r.gaits[kindWorker].send(o, o.Pos)
	}
}

// unfold notes that a cart which has arrived is to become a building, unless something else is in the way.
func (r *realm) unfold(w *world.Window, o *world.Object) {
	kind := buildingOf(o)
	for _, id := range w.Near(o.Pos, sorts[kind].radius+sorts[kindHall].radius+spacing) {
		if other := w.Get(id); other != nil && blocks(other, o) && other.Pos.Within(o.Pos, sorts[kind].radius+ground(other)+spacing) {
			return
		}
	}
	if o := w.Edit(o.ID); o != nil {
		o.Attr[attrUnfolds] = 1
	}
}

// replace puts the building into the place of a cart that unfolds.
func (r *realm) replace(w *world.Window, id world.ID) {
	cart := *w.Get(id)
	kind := buildingOf(&cart)
	o := w.Create(id, kind)
	if o == nil {
		return
	}
	*o = r.newBuilding(o.ID, cart.User, kind, cart.Pos)
	o.Attr[attrReady] = int64(w.Tick() + r.takes[kind])
	if kind != kindTower {
		o.Attr[attrJob] = int64(kindCart)
	}
	w.Remove(id)
}

// blocks reports whether an object keeps a cart from becoming a building beside it. Of two carts the first has its way.
func blocks(o, cart *world.Object) bool {
	if o.Kind == kindCart {
		return !moves(o) && o.ID < cart.ID
	}
	return o.Kind == kindField || sorts[o.Kind].isBuilding && o.ID != cart.ID
}

// ground is the radius of the ground that something takes, or will take.
func ground(o *world.Object) fixed.F {
	if o.Kind == kindCart {
		return sorts[buildingOf(o)].radius
	}
	return sorts[o.Kind].radius
}

// move lets everything that is on its way go on.
func (r *realm) move(w *world.Window) {
	for o := range w.All() {
		fighter := sorts[o.Kind].fights()
		if !moves(o) && !(fighter && o.Attr[attrAsideX]|o.Attr[attrAsideY] != 0) {
			continue
		}
		o := w.Edit(o.ID)
		if o == nil {
			continue
		}
		g, aside := &r.gaits[o.Kind], fixed.Vec{}
		if fighter {
			aside = takeAside(o)
		}
		if !moves(o) {
			continue // it has just stopped to strike
		}
		if pursues(o) {
			step := o.Vel.Scale(g.dt)
			o.Pos = g.bounds.Clamp(o.Pos.Add(step.Add(aside.Limit(g.stride)).Limit(g.stride)))
		} else {
			g.walk(o, aside)
		}
	}
}

// spent reports whether an object has come to its end.
func spent(o *world.Object) bool {
	if o.Kind == kindField {
		return o.Attr[attrLeft] == 0
	}
	return o.Attr[attrHealth] == 0
}

// unfolds reports whether an object is a cart that becomes a building now.
func unfolds(o *world.Object) bool { return o.Kind == kindCart && o.Attr[attrUnfolds] != 0 }

// finishes reports whether an object is a building that has something in hand which is done at a tick.
func finishes(o *world.Object, now world.Tick) bool {
	return (o.Kind == kindHall || o.Kind == kindBarracks) && o.Attr[attrJob] != 0 && int64(now) >= o.Attr[attrReady]
}

// finish ends what a building has in hand: the unit that was trained steps out, or the building itself is finished.
func (r *realm) finish(w *world.Window, id world.ID) {
	o := w.Edit(id)
	if o == nil {
		return
	}
	kind, user, at := world.KindID(o.Attr[attrJob]), o.User, o.Pos
	o.Attr[attrJob], o.Attr[attrReady] = 0, 0
	if kind == kindCart {
		return
	}
	beside := sorts[o.Kind].radius + tile
	stream := w.Random(id, purposeStepOut)
	if unit := w.Create(id, kind); unit != nil {
		*unit = r.newUnit(unit.ID, user, kind, at.Add(fixed.Polar(beside, stream.Angle())))
		if kind == kindWorker {
			unit.Attr[attrHome] = spot(at)
		}
	}
}

// Extrapolate lets a unit go on to its goal, or after its target.
func (r *realm) Extrapolate(o *world.Object, dt world.Time) {
	switch {
	case !sorts[o.Kind].walks() || dt <= 0:
	case pursues(o):
		world.Drift(o, dt)
		o.Pos = r.schema.Bounds.Clamp(o.Pos)
	default:
		extrapolate(o, dt)
	}
}
