package rts

import (
	"throng/world"
	"throng/world/fixed"
)

// Step lets one tick pass. Everything is decided by how things stood before it: first blows fall and goods change hands, then
// whoever must makes up their mind, and only then anything moves or goes. Each object is changed for what can be seen around
// it and by nobody's leave, so that neighbours who simulate one side of an affair each agree on it.
func (r *realm) Step(w *world.Window) {
	for o := range w.All() {
		switch {
		case sorts[o.Kind].armed():
			r.strike(w, o)
		case o.Kind == kindWorker:
			r.work(w, o)
		}
	}
	for o := range w.All() {
		if sorts[o.Kind].fights() && moves(o) {
			r.dodge(w, o)
		}
	}
	for o := range w.All() {
		r.decide(w, o)
	}
	r.move(w)
	r.comeAndGo(w)
}

// comeAndGo takes away what has come to its end and adds what is new.
func (r *realm) comeAndGo(w *world.Window) {
	now := w.Tick()
	ends, opens, trains := false, false, false
	for o := range w.All() {
		ends, opens, trains = ends || spent(o), opens || unfolds(o), trains || finishes(o, now)
	}
	if ends {
		inBatches(w, spent, func(id world.ID) { w.Remove(id) })
	}
	if opens {
		inBatches(w, unfolds, func(id world.ID) { r.replace(w, id) })
	}
	if trains {
		inBatches(w, func(o *world.Object) bool { return finishes(o, now) }, func(id world.ID) { r.finish(w, id) })
	}
}

// dodge notes how a fighter steps aside for others, who may be as fast as riders. Everybody else passes through one another.
func (r *realm) dodge(w *world.Window, o *world.Object) {
	_, aside := r.gaits[kindRider].touch(w, o, isFighter)
	if aside == (fixed.Vec{}) {
		return
	}
	if o := w.Edit(o.ID); o != nil {
		noteAside(o, aside)
	}
}

func isFighter(k world.KindID) bool { return sorts[k].fights() }

// strikes reports whether an armed object strikes its target now.
func (r *realm) strikes(w *world.Window, o *world.Object) (victim *world.Object, ok bool) {
	if o.Attr[attrTarget] == 0 || int64(w.Tick()) < o.Attr[attrReady] {
		return nil, false
	}
	victim = w.Get(world.ID(o.Attr[attrTarget]))
	return victim, hostile(victim, o.User) && inReach(o, victim)
}

// inReach reports whether an armed object can strike another from where it is.
func inReach(o, victim *world.Object) bool {
	return o.Pos.Within(victim.Pos, sorts[o.Kind].reach+sorts[o.Kind].radius+sorts[victim.Kind].radius)
}

// strike lets a blow fall: the victim loses health, and who struck must rest.
func (r *realm) strike(w *world.Window, o *world.Object) {
	victim, ok := r.strikes(w, o)
	if !ok {
		return
	}
	s := &sorts[o.Kind]
	damage := s.damage
	if victim.Kind == s.beats {
		damage *= advantage
	}
	if v := w.Edit(victim.ID); v != nil {
		v.Attr[attrHealth] = max(v.Attr[attrHealth]-damage, 0)
	}
	if o := w.Edit(o.ID); o != nil {
		o.Attr[attrReady] = int64(w.Tick() + r.rests[o.Kind])
	}
}

// decide lets an object make up its mind: whom to fight, or that a cart has come to where a building is to be.
func (r *realm) decide(w *world.Window, o *world.Object) {
	switch {
	case o.Kind == kindCart && !moves(o):
		r.unfold(w, o)
	case sorts[o.Kind].fights():
		r.fight(w, o)
	case o.Kind == kindTower:
		r.guard(w, o)
	}
}

// guard lets a tower choose whom to shoot at.
func (r *realm) guard(w *world.Window, o *world.Object) {
	target := world.ID(o.Attr[attrTarget])
	if target != 0 {
		if enemy := w.Get(target); hostile(enemy, o.User) && inReach(o, enemy) {
			return
		}
	}
	found := world.ID(0)
	if r.looks(w, o.ID) {
		found = r.nearestEnemy(w, o, sorts[kindTower].reach)
	}
	if found == target {
		return
	}
	if o := w.Edit(o.ID); o != nil {
		o.Attr[attrTarget] = int64(found)
	}
}

// looks reports whether it is an object's turn to look around. Not all do so at once.
func (r *realm) looks(w *world.Window, id world.ID) bool {
	return (uint64(w.Tick())+uint64(id))%uint64(r.glance) == 0
}

// nearestEnemy finds whom to fight within some distance: the nearest of those who fight back or, for those on the march and
// where there are none, of the others. Who is on guard lets workers and carts pass: they may have come to trade.
func (r *realm) nearestEnemy(w *world.Window, o *world.Object, within fixed.F) world.ID {
	anybody := sorts[o.Kind].fights() && o.Attr[attrOrder] == marching
	var best world.ID
	nearest, dangerous := fixed.Max, false
	for _, id := range w.Near(o.Pos, within) {
		enemy := w.Get(id)
		if !hostile(enemy, o.User) {
			continue
		}
		armed, far := sorts[enemy.Kind].armed(), enemy.Pos.Dist(o.Pos)
		if !armed && !anybody {
			continue
		}
		if armed && !dangerous || armed == dangerous && far < nearest {
			best, nearest, dangerous = id, far, armed
		}
	}
	return best
}

// fight lets a fighter follow its target, or look for one if it is on guard or marches.
func (r *realm) fight(w *world.Window, o *world.Object) {
	if o.Attr[attrOrder] == going {
		if !moves(o) { // there
			r.relieve(w, o.ID, idle)
		}
		return
	}
	enemy := w.Get(world.ID(o.Attr[attrTarget]))
	switch {
	case hostile(enemy, o.User) && o.Pos.Within(enemy.Pos, r.Vision):
		r.pursue(w, o.ID, enemy)
	case o.Attr[attrTarget] != 0:
		order := o.Attr[attrOrder]
		if order == attacking {
			order = idle
		}
		r.relieve(w, o.ID, order)
	case r.looks(w, o.ID):
		if found := r.nearestEnemy(w, o, r.Vision); found != 0 {
			if o := w.Edit(o.ID); o != nil {
				o.Attr[attrTarget] = int64(found)
			}
		}
	}
}

// relieve lets a fighter without a target go on with an order: to its goal if it marches, else it stays where it is.
func (r *realm) relieve(w *world.Window, id world.ID, order int64) {
	o := w.Edit(id)
	if o == nil {
		return
	}
	o.Attr[attrOrder], o.Attr[attrTarget] = order, 0
	if order != marching {
		setGoal(o, o.Pos)
	}
	r.gaits[o.Kind].aim(o)
}

// pursue turns a fighter towards its target, until it is near enough to strike.
func (r *realm) pursue(w *world.Window, id world.ID, enemy *world.Object) {
	at, near := enemy.Pos, inReach(w.Get(id), enemy)
	o := w.Edit(id)
	if o == nil {
		return
	}
	if near {
		o.Vel = fixed.Vec{}
	} else {
		o.Vel = at.Sub(o.Pos).Unit().Scale(r.gaits[o.Kind].speed).Limit(r.gaits[o.Kind].speed)
	}
}

// pursues reports whether an object follows another rather than being on its way to its goal.
func pursues(o *world.Object) bool { return sorts[o.Kind].fights() && o.Attr[attrTarget] != 0 }
