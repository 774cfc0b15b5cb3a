package measure

import (
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// crowdsEvery is how often users' surroundings are compared with what is there, and crowdsMost of how many users: all see much the
// same, and everybody is compared with everybody.
const (
	crowdsEvery = 500 * world.Millisecond
	crowdsMost  = 20
)

// rings are how far things are away from a user: up to a sixteenth of sight, a quarter, and all of it.
var rings = [...]struct {
	name  string
	share fixed.F
}{{"near", fixed.One / 16}, {"middle", fixed.One / 4}, {"far", fixed.One}}

func crowdFigures() (names []string) {
	for _, r := range rings {
		names = append(names, "crowd.singly."+r.name, "crowd.count."+r.name, "crowd.place."+r.name)
	}
	return names
}

// Crowds measures what users lose of a crowd whose every member they cannot be told of, by distance: the share of those around that
// they are shown one by one, how far they are wrong in how many there are, clouds included, and how far from their places those are
// who are shown. Where things are is what the machines of those say whom they belong to.
type Crowds struct {
	run    *sim.Run
	sight  fixed.F
	due    world.Time
	actual *world.State
	rings  [len(rings)]crowdRing
}

type crowdRing struct {
	there, singly, wrong int
	far                  float64 // all that are shown from their places
}

// NewCrowds watches r.
func NewCrowds(r *sim.Run) *Crowds {
	w := r.Setup().World
	c := &Crowds{run: r, sight: w.Schema().Bounds.Size().Len()}
	if l, ok := w.(world.Limited); ok {
		c.sight = min(c.sight, l.Limits().Sight)
	}
	c.actual = world.NewState(w.Schema(), r.Start().Seed())
	return c
}

// Begin implements sim.Beginner.
func (c *Crowds) Begin(world.Time) { c.rings = [len(rings)]crowdRing{} }

// Tick implements sim.TickObserver.
func (c *Crowds) Tick(now world.Time) {
	if now < c.due {
		return
	}
	c.due = now + crowdsEvery
	collect(c.run, c.actual)
	all := clients(c.run)
	for i := 0; i < len(all); i += max(len(all)/crowdsMost, 1) {
		if view := all[i].View(); view != nil {
			c.compare(all[i], view)
		}
	}
}

// collect fills a state with everything that belongs to somebody, as that user's machine has it.
func collect(r *sim.Run, actual *world.State) {
	actual.Release()
	for _, h := range clients(r) {
		if view := h.View(); view != nil {
			actual.SetTick(view.Tick())
			for o := range view.All() {
				if o.User == h.Place.User {
					actual.Put(*o)
				}
			}
		}
	}
}

// compare compares what a user sees with what is there.
func (c *Crowds) compare(h *sim.Host, view *world.State) {
	var centre *world.Object
	for o := range c.actual.All() {
		if o.User == h.Place.User {
			centre = o
			break
		}
	}
	if centre == nil {
		return
	}
	var there, seen [len(rings)]int
	for o := range c.actual.All() {
		i := c.ring(o.Pos, centre.Pos)
		if o.User == h.Place.User || i < 0 {
			continue
		}
		there[i]++
		if x := view.Get(o.ID); x != nil {
			c.rings[i].singly++
			c.rings[i].far += float64(x.Pos.Dist(o.Pos)) / float64(fixed.One)
		}
	}
	for o := range view.All() {
		if i := c.ring(o.Pos, centre.Pos); i >= 0 && o.User != 0 && o.User != h.Place.User {
			seen[i]++
		}
	}
	if n, ok := h.Node.(mechanism.Clouded); ok {
		for _, x := range n.Clouds() {
			if i := c.ring(x.Box.Centre(), centre.Pos); i >= 0 {
				seen[i] += x.Count
			}
		}
	}
	for i := range rings {
		c.rings[i].there += there[i]
		c.rings[i].wrong += max(seen[i]-there[i], there[i]-seen[i])
	}
}

// ring is which of the rings around a place another one is in, or -1.
func (c *Crowds) ring(at, centre fixed.Vec) int {
	for i := range rings {
		if at.Within(centre, c.sight.Mul(rings[i].share)) {
			return i
		}
	}
	return -1
}

// Report implements Probe.
func (c *Crowds) Report(_ world.Time, emit Emit) {
	for i, r := range rings {
		x := &c.rings[i]
		emit("crowd.singly."+r.name, "", share(x.singly, x.there))
		emit("crowd.count."+r.name, "", share(x.wrong, x.there))
		emit("crowd.place."+r.name, "m", x.far/float64(x.singly))
	}
}
