package rts

import (
	"cmp"
	"slices"

	"throng/world"
	"throng/world/fixed"
)

// survey is what an opponent knows: what its view shows it of its own and around that, and what it remembers of the rest.
type survey struct {
	realm *realm
	user  world.User

	halls, barracks, towers, carts, workers, fighters []world.Object
	coming                                            [kinds]int     // buildings on their way, by kind
	enemies                                           []world.Object // in sight

	sites  []landmark // enemies' buildings, where they were last seen
	fields []landmark // where there is something to gather, as far as known
	most   [kinds]int // how many enemies of a kind were in sight at once, at most
}

// landmark is something remembered that does not move.
type landmark struct {
	id    world.ID
	at    fixed.Vec
	sort  int64 // of a field
	gives int64 // what a base offers
	seen  bool  // whether it was seen again just now
}

// look takes in a view. Views may show more than the user would see, where a mechanism hides nothing; that is passed over.
func (s *survey) look(v *world.State) {
	s.halls, s.barracks, s.towers, s.carts = s.halls[:0], s.barracks[:0], s.towers[:0], s.carts[:0]
	s.workers, s.fighters, s.enemies = s.workers[:0], s.fighters[:0], s.enemies[:0]
	clear(s.coming[:])
	for o := range v.All() {
		if o.User == s.user {
			s.own(o)
		}
	}
	for i := range s.sites {
		s.sites[i].seen = false
	}
	for i := range s.fields {
		s.fields[i].seen = false
	}
	for o := range v.All() {
		switch {
		case o.User == s.user || !s.sees(o.Pos):
		case o.Kind == kindField:
			s.fields = remember(s.fields, o)
		case hostile(o, s.user):
			s.enemies = append(s.enemies, *o)
			if sorts[o.Kind].isBuilding {
				s.sites = remember(s.sites, o)
			}
		}
	}
	gone := func(p landmark) bool { return !p.seen && s.sees(p.at) }
	s.sites, s.fields = slices.DeleteFunc(s.sites, gone), slices.DeleteFunc(s.fields, gone)
	s.estimate()
}

func (s *survey) own(o *world.Object) {
	switch {
	case o.Kind == kindHall:
		s.halls = append(s.halls, *o)
	case o.Kind == kindBarracks:
		s.barracks = append(s.barracks, *o)
	case o.Kind == kindTower:
		s.towers = append(s.towers, *o)
	case o.Kind == kindCart:
		s.carts = append(s.carts, *o)
		s.coming[buildingOf(o)]++
	case o.Kind == kindWorker:
		s.workers = append(s.workers, *o)
	case sorts[o.Kind].fights():
		s.fighters = append(s.fighters, *o)
	}
}

// sees reports whether something of the user's is near enough to see a place.
func (s *survey) sees(at fixed.Vec) bool {
	for _, own := range [...][]world.Object{s.halls, s.barracks, s.towers, s.carts, s.workers, s.fighters} {
		for i := range own {
			if own[i].Pos.Within(at, s.realm.Vision) {
				return true
			}
		}
	}
	return false
}

// remember notes where something is.
func remember(known []landmark, o *world.Object) []landmark {
	p := landmark{id: o.ID, at: o.Pos, seen: true}
	switch o.Kind {
	case kindField:
		p.sort = o.Attr[attrSort]
	case kindHall:
		p.gives = o.Attr[attrGives]
	}
	i, found := slices.BinarySearchFunc(known, o.ID, func(p landmark, id world.ID) int { return cmp.Compare(p.id, id) })
	if found {
		known[i] = p
		return known
	}
	return slices.Insert(known, i, p)
}

// estimate keeps in mind how many enemies there are at least.
func (s *survey) estimate() {
	var now [kinds]int
	for i := range s.enemies {
		now[s.enemies[i].Kind]++
	}
	for k := range now {
		s.most[k] = max(s.most[k], now[k])
	}
}

// free reports whether a building has room at a place, as far as the user knows.
func (s *survey) free(at fixed.Vec, kind world.KindID) bool {
	for _, own := range [...][]world.Object{s.halls, s.barracks, s.towers, s.carts} {
		for i := range own {
			if own[i].Pos.Within(at, ground(&own[i])+sorts[kind].radius+spacing) {
				return false
			}
		}
	}
	return nearest(s.fields, at, func(f *landmark) bool { return f.at.Within(at, sorts[kindField].radius+sorts[kind].radius+spacing) }) == nil
}

// nearest returns the one of some places that is nearest to another, among those of which fits is true.
func nearest(places []landmark, to fixed.Vec, fits func(*landmark) bool) *landmark {
	var best *landmark
	for i := range places {
		p := &places[i]
		if fits(p) && (best == nil || p.at.Dist(to) < best.at.Dist(to)) {
			best = p
		}
	}
	return best
}

// anywhere fits every place.
func anywhere(*landmark) bool { return true }

// strength is what a force within some distance of a place is worth.
func strength(force []world.Object, at fixed.Vec, within fixed.F) int64 {
	sum := int64(0)
	for i := range force {
		if s := &sorts[force[i].Kind]; s.armed() && force[i].Pos.Within(at, within) {
			sum += s.worth() * (s.health + force[i].Attr[attrHealth]) / (2 * s.health)
		}
	}
	return sum
}
