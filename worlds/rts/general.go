package rts

import (
	"throng/world"
	"throng/world/fixed"
)

// command sees to scouting and to the army: it defends what is attacked, goes to war when it is strong enough, and comes back
// when it is not.
func (p *rival) command() {
	if p.skill.scouts {
		p.explore()
	}
	if len(p.fighters) == 0 {
		p.attacks = false
		return
	}
	if at, ok := p.threat(); ok {
		p.assemble(at, March)
		return
	}
	switch {
	case !p.attacks && len(p.fighters) >= p.skill.army:
		p.attacks = true
		p.target = p.chooseTarget()
	case p.attacks && (len(p.fighters) < p.skill.army/3 || p.skill.retreats && p.outnumbered()):
		p.attacks = false
	case p.attacks && p.reached():
		p.target = p.chooseTarget()
	}
	if p.attacks {
		p.assemble(p.target, March)
	} else if len(p.halls) > 0 {
		p.assemble(p.rally(), Go) // without looking back
	}
}

// threat returns where an enemy who fights is near to a base of the user's.
func (p *rival) threat() (fixed.Vec, bool) {
	for i := range p.enemies {
		e := &p.enemies[i]
		if !sorts[e.Kind].fights() {
			continue
		}
		for j := range p.halls {
			if e.Pos.Within(p.halls[j].Pos, homeRange) {
				return e.Pos, true
			}
		}
	}
	return fixed.Vec{}, false
}

// rally is where the army waits: before the base, towards the middle of the map.
func (p *rival) rally() fixed.Vec {
	home := p.halls[0].Pos
	return home.Add(p.realm.schema.Bounds.Centre().Sub(home).Limit(rallyRange))
}

// chooseTarget is the nearest building known of somebody else's or, where none is known, anywhere.
func (p *rival) chooseTarget() fixed.Vec {
	if site := nearest(p.sites, p.centre(), anywhere); site != nil {
		return site.at
	}
	return p.somewhere()
}

func (p *rival) somewhere() fixed.Vec { return within(p.realm.schema.Bounds.Grow(-room), &p.random) }

// centre is where the army is, by one in its midst.
func (p *rival) centre() fixed.Vec { return p.fighters[len(p.fighters)/2].Pos }

// reached reports whether most of the army is where it was going and sees nobody to fight there.
func (p *rival) reached() bool {
	there := 0
	for i := range p.fighters {
		if p.fighters[i].Pos.Within(p.target, frontRange) {
			there++
		}
	}
	if 2*there < len(p.fighters) {
		return false
	}
	for i := range p.enemies {
		if p.enemies[i].Pos.Within(p.target, frontRange) {
			return false
		}
	}
	return true
}

// outnumbered reports whether those who fight at the front are much weaker than the enemies in sight there.
func (p *rival) outnumbered() bool {
	for i := range p.fighters {
		if p.fighters[i].Attr[attrTarget] == 0 {
			continue
		}
		at := p.fighters[i].Pos
		return 3*strength(p.fighters, at, frontRange) < 2*strength(p.enemies, at, frontRange)
	}
	return false
}

// assemble sends fighters to a place, each to a spot of its own, to march or just to go there.
func (p *rival) assemble(at fixed.Vec, verb world.VerbID) {
	for i := range p.fighters {
		o := &p.fighters[i]
		if goalOf(o).Within(at, astray) {
			continue
		}
		spot := p.realm.schema.Bounds.Clamp(at.Add(fixed.Polar(p.random.Between(0, astray-tile), p.random.Angle())))
		a := goTo(o.ID, spot)
		a.Verb = verb
		p.do(a)
	}
}

// explore keeps one worker going from place to place until an enemy's building is known.
func (p *rival) explore() {
	if len(p.sites) > 0 {
		p.scout = 0
		return
	}
	if o := p.findWorker(func(o *world.Object) bool { return o.ID == p.scout }); o != nil {
		if o.Attr[attrOrder] == idle {
			p.do(goTo(o.ID, p.somewhere()))
		}
		return
	}
	if len(p.workers) > firstWorkers {
		p.scout = p.workers[len(p.workers)-1].ID
		p.do(goTo(p.scout, p.somewhere()))
	}
}
