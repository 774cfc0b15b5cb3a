package rts

import (
	"throng/world"
	"throng/world/fixed"
)

// Act carries out a command to one of the user's objects. Commands to anything else do nothing.
func (r *realm) Act(w *world.Window, a *world.Action) {
	o := w.Get(a.Target)
	if o == nil || o.User != a.User || o.User == 0 || !obeys(o.Kind, a.Verb) {
		return
	}
	switch a.Verb {
	case Gather:
		r.actGather(w, a)
	case Build:
		r.actBuild(w, a)
	case Train:
		r.actTrain(w, a)
	case Attack:
		r.actAttack(w, a)
	case Trade:
		r.actTrade(w, a)
	case Offer:
		if o := w.Edit(a.Target); o != nil {
			o.Attr[attrGives], o.Attr[attrPrice] = a.Args[0], a.Args[1]
		}
	default:
		r.actMove(w, a)
	}
}

// obeys reports whether a verb is for objects of a kind.
func obeys(k world.KindID, v world.VerbID) bool {
	switch v {
	case Go, Stop:
		return sorts[k].walks()
	case Gather, Trade:
		return k == kindWorker
	case Build, Offer:
		return k == kindHall
	case Train:
		return k == kindHall || k == kindBarracks
	case Attack, March:
		return sorts[k].fights()
	}
	return false
}

// actMove is for the verbs that change nothing but a unit's way: going, marching and stopping.
func (r *realm) actMove(w *world.Window, a *world.Action) {
	o := w.Edit(a.Target)
	if o == nil {
		return
	}
	to, order := placeOf(a.Args[:]), int64(going)
	switch a.Verb {
	case March:
		order = marching
	case Stop:
		to, order = o.Pos, idle
	}
	if o.Kind != kindCart { // which knows what it becomes, and nothing else
		o.Attr[attrOrder], o.Attr[attrTarget] = order, 0
	}
	r.gaits[o.Kind].send(o, to)
}

// actGather sets a worker to work between two places. What is there it finds out when it is.
func (r *realm) actGather(w *world.Window, a *world.Action) {
	if o := w.Edit(a.Target); o != nil {
		field, base := placeOf(a.Args[0:]), placeOf(a.Args[2:])
		o.Attr[attrOrder], o.Attr[attrTarget], o.Attr[attrHome], o.Attr[attrReady] = gathering, spot(field), spot(base), 0
		r.gaits[kindWorker].send(o, field) // if it is loaded, it turns round by itself
	}
}

// gatherAt is the action of setting a worker to work.
func gatherAt(worker world.ID, field, base fixed.Vec) world.Action {
	return world.Action{Verb: Gather, Target: worker,
		Args: [world.MaxArgs]int64{sixteenths(field.X), sixteenths(field.Y), sixteenths(base.X), sixteenths(base.Y)}}
}

func isHall(o *world.Object, u world.User) bool { return o != nil && o.Kind == kindHall && o.User == u }

// actBuild pays for a building and sends a cart to where it is to be.
func (r *realm) actBuild(w *world.Window, a *world.Action) {
	kind := world.KindID(a.Args[0])
	base := w.Edit(a.Target)
	if base == nil || !pay(base, kind) {
		return
	}
	to := placeOf(a.Args[1:])
	at, user := base.Pos.Add(to.Sub(base.Pos).Limit(sorts[kindHall].radius)), base.User
	if o := w.Create(a.Target, kindCart); o != nil {
		*o = r.newUnit(o.ID, user, kindCart, at)
		o.Attr[attrOrder] = int64(kind)
		r.gaits[kindCart].send(o, to)
	}
}

// pay takes the cost of something from a base, if it has that.
func pay(base *world.Object, kind world.KindID) bool {
	s := &sorts[kind]
	if base.Attr[attrOre] < s.ore || base.Attr[attrWood] < s.wood {
		return false
	}
	base.Attr[attrOre] -= s.ore
	base.Attr[attrWood] -= s.wood
	return true
}

// actTrain pays for a unit and starts to train it. Barracks live on the base next to them.
func (r *realm) actTrain(w *world.Window, a *world.Action) {
	o, kind := w.Get(a.Target), world.KindID(a.Args[0])
	if o.Attr[attrJob] != 0 || sorts[kind].trainedAt != o.Kind {
		return
	}
	payer := a.Target
	if o.Kind == kindBarracks {
		payer = r.payer(w.State(), o, w.Near(o.Pos, r.Vision))
	}
	trainer, base := w.Edit(a.Target), w.Edit(payer)
	if trainer == nil || base == nil || !pay(base, kind) {
		return
	}
	trainer.Attr[attrJob], trainer.Attr[attrReady] = int64(kind), int64(w.Tick()+r.takes[kind])
}

// payer is which of the objects near a barracks pays for what is trained there: the nearest base of the same user.
func (r *realm) payer(s *world.State, barracks *world.Object, near []world.ID) (payer world.ID) {
	nearest := fixed.Max
	for _, id := range near {
		if o := s.Get(id); isHall(o, barracks.User) && o.Pos.Dist(barracks.Pos) < nearest {
			payer, nearest = id, o.Pos.Dist(barracks.Pos)
		}
	}
	return payer
}

// actAttack sets a fighter on an enemy. If the fighter does not see them itself, it marches to where the user did.
func (r *realm) actAttack(w *world.Window, a *world.Action) {
	enemy := w.Get(world.ID(a.Args[0]))
	near := enemy != nil && enemy.Pos.Within(w.Get(a.Target).Pos, r.Vision)
	if near && !hostile(enemy, a.User) {
		return
	}
	o := w.Edit(a.Target)
	switch {
	case o == nil:
	case near:
		setGoal(o, o.Pos)
		o.Attr[attrOrder], o.Attr[attrTarget] = attacking, a.Args[0]
	default:
		o.Attr[attrOrder], o.Attr[attrTarget] = marching, 0
		r.gaits[o.Kind].send(o, placeOf(a.Args[1:]))
	}
}

// hostile reports whether an object is somebody else's and can be struck.
func hostile(o *world.Object, u world.User) bool {
	return o != nil && o.User != 0 && o.User != u && sorts[o.Kind].lives()
}

// actTrade exchanges what a worker carries for what a base beside it offers: both change or neither.
func (r *realm) actTrade(w *world.Window, a *world.Action) {
	worker, base := w.Get(a.Target), w.Get(world.ID(a.Args[0]))
	if base == nil || base.Kind != kindHall || base.User == a.User || !base.Pos.Within(worker.Pos, unloads) {
		return
	}
	gives, price, pays := base.Attr[attrGives], base.Attr[attrPrice], worker.Attr[attrLoad]
	has := base.Attr[attrOre]
	if gives < 0 {
		has = base.Attr[attrWood]
	}
	// A load is the other resource if its sign is the other.
	if gives == 0 || magnitude(gives) > has || gives > 0 && pays >= 0 || gives < 0 && pays <= 0 || magnitude(pays) < price {
		return
	}
	worker, base = w.Edit(a.Target), w.Edit(base.ID)
	if worker == nil || base == nil {
		return
	}
	worker.Attr[attrLoad] = gives
	stow(base, pays)
	if gives > 0 {
		base.Attr[attrOre] -= gives
	} else {
		base.Attr[attrWood] += gives
	}
}

func magnitude(n int64) int64 { return max(n, -n) }

// Reach: a command touches the object that it is for. Beyond that, training at a barracks writes the base that pays, and
// trading the base that is traded with; attacking looks at the enemy.
func (r *realm) Reach(s *world.State, a *world.Action, f *world.Footprint) {
	switch a.Verb {
	case world.Enter:
		r.reachSettled(f, a.User)
		return
	case world.Leave:
		for o := range s.All() {
			if o.User == a.User {
				f.Write(o.ID)
			}
		}
		return
	}
	o := s.Get(a.Target)
	if o == nil || o.User != a.User || !obeys(o.Kind, a.Verb) {
		f.Read(a.Target)
		return
	}
	f.Write(a.Target)
	switch {
	case a.Verb == Trade:
		f.Write(world.ID(a.Args[0]))
	case a.Verb == Attack:
		f.Read(world.ID(a.Args[0]))
	case a.Verb == Train && o.Kind == kindBarracks:
		r.reachPayer(s, o, f)
	}
}

// reachSettled adds what a user who enters gets.
func (r *realm) reachSettled(f *world.Footprint, u world.User) {
	f.Write(homeOf(u))
	for n := range firstWorkers {
		f.Write(workerOf(u, n))
	}
	for n := range fieldsAround {
		f.Write(fieldOf(u, n))
	}
}

// reachPayer adds the base that pays for what a barracks trains. There is no index of a state, so it looks at everything.
func (r *realm) reachPayer(s *world.State, barracks *world.Object, f *world.Footprint) {
	var payer world.ID
	nearest := fixed.Max
	for o := range s.All() {
		if isHall(o, barracks.User) && o.Pos.Within(barracks.Pos, r.Vision) && o.Pos.Dist(barracks.Pos) < nearest {
			payer, nearest = o.ID, o.Pos.Dist(barracks.Pos)
		}
	}
	if payer != 0 {
		f.Write(payer)
	}
}
