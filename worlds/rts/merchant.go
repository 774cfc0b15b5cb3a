package rts

import "throng/world"

const (
	plenty    = 150 // by how much a base has more of one than of the other before its user thinks of trading
	fairPrice = loadMost / 2
)

// surplus is what a base has more of: ore if positive, wood if negative, none if it is not worth talking about.
func surplus(hall *world.Object) int64 {
	if s := hall.Attr[attrOre] - hall.Attr[attrWood]; magnitude(s) > plenty {
		return s
	}
	return 0
}

// offer lets a base offer some of what it has far more of.
func (p *rival) offer(hall *world.Object) {
	gives := min(max(surplus(hall), -loadMost), loadMost)
	if gives != hall.Attr[attrGives] {
		p.do(world.Action{Verb: Offer, Target: hall.ID, Args: [world.MaxArgs]int64{gives, fairPrice}})
	}
}

// trade sends a worker with what there is too much of to whoever offers the other for it. When it has that, it goes back to
// work, and takes it home on the way.
func (p *rival) trade() {
	excess := surplus(&p.halls[0])
	partner := nearest(p.sites, p.halls[0].Pos, func(s *landmark) bool { return s.gives > 0 && excess < 0 || s.gives < 0 && excess > 0 })
	worker := p.findWorker(func(o *world.Object) bool { return o.ID == p.merchant })
	switch {
	case worker == nil && partner != nil:
		worker = p.findWorker(func(o *world.Object) bool { return o.Attr[attrLoad] > 0 == (excess > 0) && o.Attr[attrLoad] != 0 })
		if worker != nil {
			p.merchant = worker.ID
			p.do(goTo(worker.ID, partner.at))
		}
	case worker == nil:
		p.merchant = 0
	case partner == nil || worker.Attr[attrLoad] > 0 != (excess > 0) || worker.Attr[attrLoad] == 0:
		p.merchant = 0
		if field := nearest(p.fields, p.halls[0].Pos, anywhere); field != nil {
			p.gather(worker.ID, field)
		}
	case worker.Pos.Within(partner.at, unloads):
		p.do(world.Action{Verb: Trade, Target: worker.ID, Args: [world.MaxArgs]int64{int64(partner.id)}})
	case worker.Attr[attrOrder] != going:
		p.do(goTo(worker.ID, partner.at))
	}
}

// findWorker returns the first worker that fits, or nil.
func (p *rival) findWorker(fits func(*world.Object) bool) *world.Object {
	for i := range p.workers {
		if o := &p.workers[i]; fits(o) {
			return o
		}
	}
	return nil
}
