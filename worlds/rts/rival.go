package rts

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// How opponents play, whatever their skill.
const (
	homeRange  = 25 * tile // how far from a base they gather from its fields, and how near enemies worry them
	rallyRange = 8 * tile  // how far from the base its fighters wait
	frontRange = 15 * tile // how much of a battle they look at at once
	astray     = 5 * tile  // how far off a fighter's goal may be before it is told again
	buildMin   = 5 * tile  // how far from the base they build
	buildMax   = 9 * tile
	siteTries  = 8 // how many places they think of for a building
	idleHands  = 5 // how many workers there are for each barracks, at least
)

// rival is an artificial opponent. Every now and then it looks at what it can see, and thinks of a few commands: to its
// workers, its buildings and its army, in this order. It gives one of them at a tick, as fast as fingers are.
type rival struct {
	survey
	skill    skill
	random   random.Stream
	next     world.Tick
	attacks  bool      // whether the army is out
	target   fixed.Vec // where it is going then
	scout    world.ID
	merchant world.ID
	queue    []world.Action // commands still to be given
	given    int            // how many of them are
}

func newRival(r *realm, u world.User, stream random.Stream, skill string) *rival {
	return &rival{skill: skills[skill], survey: survey{realm: r, user: u}, random: stream}
}

// Play gives the next command, if there is one.
func (p *rival) Play(v world.View, act func(world.Action)) {
	p.think(v)
	for p.given < len(p.queue) {
		a := p.queue[p.given]
		p.given++
		if v.State.Get(a.Target) != nil { // it may have been lost meanwhile
			act(a)
			return
		}
	}
}

// think makes up the next commands, if it is time to.
func (p *rival) think(v world.View) {
	now := v.State.Tick()
	if now < p.next {
		return
	}
	// What was commanded last time ought to show by then.
	pause := world.TicksIn(max(p.skill.thinks, v.Lag), p.realm.Tick) + world.Tick(p.skill.commands)
	p.next = now + pause
	if now == 0 { // not all at once
		p.next = now + 1 + world.Tick(p.random.Below(uint64(pause)))
		return
	}
	p.look(v.State)
	p.queue, p.given = p.queue[:0], 0
	p.economy()
	p.command()
}

// do adds a command, if one more can be given before it is time to think again.
func (p *rival) do(a world.Action) {
	if len(p.queue) < p.skill.commands {
		p.queue = append(p.queue, a)
	}
}

// economy sees to workers and buildings.
func (p *rival) economy() {
	if len(p.halls) == 0 {
		return
	}
	p.employ()
	p.unblock()
	for i := range p.halls {
		p.develop(&p.halls[i])
		p.offer(&p.halls[i])
	}
	for i := range p.barracks {
		p.drill(&p.barracks[i])
	}
	if p.skill.trades {
		p.trade()
	}
}

// employ sends workers without work to gather what is wanted most.
func (p *rival) employ() {
	var busy [2]int
	for i := range p.workers {
		if o := &p.workers[i]; o.Attr[attrOrder] == gathering {
			for j := range p.fields {
				if spot(p.fields[j].at) == o.Attr[attrTarget] {
					busy[p.fields[j].sort&1]++
				}
			}
		}
	}
	for i := range p.workers {
		o := &p.workers[i]
		if o.Attr[attrOrder] != idle || o.ID == p.scout || o.ID == p.merchant {
			continue
		}
		sort := int64(ore)
		if busy[ore] > busy[wood] {
			sort = wood
		}
		hall := p.hallNear(o.Pos)
		field := nearest(p.fields, hall.Pos, func(f *landmark) bool { return f.sort == sort })
		if field == nil {
			field = nearest(p.fields, hall.Pos, anywhere)
		}
		if field == nil {
			return
		}
		busy[field.sort&1]++
		p.gather(o.ID, field)
	}
}

// gather sends a worker to a field.
func (p *rival) gather(worker world.ID, field *landmark) {
	p.do(gatherAt(worker, field.at, p.hallNear(field.at).Pos))
}

// hallNear returns the user's base that is nearest to a place.
func (p *rival) hallNear(at fixed.Vec) *world.Object {
	best := &p.halls[0]
	for i := range p.halls {
		if h := &p.halls[i]; h.Pos.Dist(at) < best.Pos.Dist(at) {
			best = h
		}
	}
	return best
}

// develop lets a base train workers and build what is missing.
func (p *rival) develop(hall *world.Object) {
	if hall.Attr[attrJob] == 0 && len(p.workers) < p.skill.workers*len(p.halls) && affords(hall, kindWorker) {
		p.train(hall, kindWorker, hall)
	}
	switch {
	case len(p.workers) <= firstWorkers:
	case len(p.barracks)+p.coming[kindBarracks] < p.skill.barracks*len(p.halls) && p.needsBarracks():
		p.build(hall, kindBarracks, p.beside(hall, kindBarracks))
	case len(p.barracks) == 0:
	case len(p.halls)+p.coming[kindHall] < p.skill.bases && affords(hall, kindHall):
		if at, ok := p.outpost(); ok {
			p.build(hall, kindHall, at)
		}
	case len(p.towers)+p.coming[kindTower] < p.skill.towers && len(p.fighters) >= p.skill.army/2:
		p.build(hall, kindTower, p.beside(hall, kindTower))
	}
}

// needsBarracks reports whether there are workers enough for another barracks. They come one after the other.
func (p *rival) needsBarracks() bool {
	return p.coming[kindBarracks] == 0 && len(p.workers) > idleHands*(1+len(p.barracks))
}

func affords(hall *world.Object, kind world.KindID) bool {
	return hall.Attr[attrOre] >= sorts[kind].ore && hall.Attr[attrWood] >= sorts[kind].wood
}

// train gives the command, and notes that the money is gone.
func (p *rival) train(at *world.Object, kind world.KindID, payer *world.Object) {
	if pay(payer, kind) {
		at.Attr[attrJob] = int64(kind)
		p.do(world.Action{Verb: Train, Target: at.ID, Args: [world.MaxArgs]int64{int64(kind)}})
	}
}

func (p *rival) build(hall *world.Object, kind world.KindID, at fixed.Vec) {
	if pay(hall, kind) {
		p.coming[kind]++
		p.do(world.Action{Verb: Build, Target: hall.ID, Args: [world.MaxArgs]int64{int64(kind), sixteenths(at.X), sixteenths(at.Y)}})
	}
}

// beside returns a place near a base where a building has room, unless it is hard to find.
func (p *rival) beside(hall *world.Object, kind world.KindID) fixed.Vec {
	var at fixed.Vec
	for range siteTries {
		at = p.realm.inland(hall.Pos.Add(fixed.Polar(p.random.Between(buildMin, buildMax), p.random.Angle())))
		if p.free(at, kind) {
			break
		}
	}
	return at
}

// unblock sends carts elsewhere that found something else where they were to become a building.
func (p *rival) unblock() {
	for i := range p.carts {
		if o := &p.carts[i]; !moves(o) {
			p.do(goTo(o.ID, p.beside(p.hallNear(o.Pos), buildingOf(o))))
		}
	}
}

// outpost returns where another base would have something to gather: near a known field that no base is near to.
func (p *rival) outpost() (fixed.Vec, bool) {
	f := nearest(p.fields, p.halls[0].Pos, func(f *landmark) bool { return !f.at.Within(p.hallNear(f.at).Pos, homeRange) })
	if f == nil {
		return fixed.Vec{}, false
	}
	return p.realm.inland(f.at.Add(fixed.Polar(fieldRing, p.random.Angle()))), true
}

// drill lets a barracks train a fighter.
func (p *rival) drill(barracks *world.Object) {
	if barracks.Attr[attrJob] != 0 {
		return
	}
	hall := p.hallNear(barracks.Pos)
	if !hall.Pos.Within(barracks.Pos, p.realm.Vision) {
		return
	}
	if kind := p.chooseFighter(); affords(hall, kind) {
		p.train(barracks, kind, hall)
	}
}

// chooseFighter picks a kind: any, or what beats most of those seen.
func (p *rival) chooseFighter() world.KindID {
	best, most := kindSoldier+world.KindID(p.random.Below(3)), 0
	if !p.skill.counters || p.random.Below(3) == 0 {
		return best
	}
	for k := kindSoldier; k <= kindRider; k++ {
		if n := p.most[sorts[k].beats]; n > most {
			best, most = k, n
		}
	}
	return best
}
