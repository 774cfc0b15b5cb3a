package measure

import (
	"throng/lab/sim"
	"throng/world"
	"throng/world/fixed"
)

// sightingsEvery is how often users' surroundings are looked at. What has come into sight since is given time to be told of.
const sightingsEvery = 500 * world.Millisecond

var sightingFigures = []string{"sightings", "sightings.missed"}

// Sightings measures whether users know of what is in their sight: of all that was in sight of somebody at two looks in a row, the share
// that the user's view does not have. Where things are is what the machines of those say whom they belong to.
type Sightings struct {
	run    *sim.Run
	sight  fixed.F
	veil   world.Veiled
	due    world.Time
	actual *world.State // everything, as its owner has it
	index  *world.Index
	owned  [][]world.ID // by user
	was    map[sighting]bool
	is     map[sighting]bool
	all    int
	missed int
}

type sighting struct {
	user world.User
	id   world.ID
}

// NewSightings watches r.
func NewSightings(r *sim.Run) *Sightings {
	w := r.Setup().World
	s := &Sightings{run: r, sight: w.Schema().Bounds.Size().Len(), was: map[sighting]bool{}, is: map[sighting]bool{}}
	if l, ok := w.(world.Limited); ok {
		s.sight = min(s.sight, l.Limits().Sight)
	}
	s.veil, _ = w.(world.Veiled)
	s.actual = world.NewState(w.Schema(), r.Start().Seed())
	s.index = world.NewIndex(max(s.sight, 1))
	return s
}

// Begin implements sim.Beginner.
func (s *Sightings) Begin(world.Time) { s.all, s.missed = 0, 0 }

// Tick implements sim.TickObserver.
func (s *Sightings) Tick(now world.Time) {
	if now < s.due {
		return
	}
	s.due = now + sightingsEvery
	collect(s.run, s.actual)
	s.index.Sync(s.actual)
	s.sort()
	clear(s.is)
	for _, h := range clients(s.run) {
		if view := h.View(); view != nil {
			s.look(h.Place.User, view)
		}
	}
	s.was, s.is = s.is, s.was
}

// sort finds out what is whose.
func (s *Sightings) sort() {
	for u := range s.owned {
		s.owned[u] = s.owned[u][:0]
	}
	for o := range s.actual.All() {
		for int(o.User) >= len(s.owned) {
			s.owned = append(s.owned, nil)
		}
		s.owned[o.User] = append(s.owned[o.User], o.ID)
	}
}

// look looks at what is in a user's sight.
func (s *Sightings) look(u world.User, view *world.State) {
	if int(u) >= len(s.owned) {
		return
	}
	for _, own := range s.owned[u] {
		for _, id := range s.index.Near(s.actual.Get(own).Pos, s.sight) {
			o := s.actual.Get(id)
			if o.User == u || s.veil != nil && !s.veil.Sees(s.actual, u, o) {
				continue
			}
			x := sighting{u, id}
			if s.was[x] && !s.is[x] {
				s.all++
				if view.Get(id) == nil {
					s.missed++
				}
			}
			s.is[x] = true
		}
	}
}

// Report implements Probe.
func (s *Sightings) Report(span world.Time, emit Emit) {
	emit("sightings", "1/s", float64(s.all)/seconds(span))
	emit("sightings.missed", "", share(s.missed, s.all))
}
