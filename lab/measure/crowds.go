package measure

import (
	"math"

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
	there, singly int
	wrong         float64
	far           float64 // all that are shown from their places
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
	var there [len(rings)]int
	var seen [len(rings)]float64
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
			c.spread(&x, centre.Pos, &seen)
		}
	}
	for i := range rings {
		c.rings[i].there += there[i]
		c.rings[i].wrong += math.Abs(seen[i] - float64(there[i]))
	}
}

// spread counts the members of a cloud where it is shown: all over its box, as far as that is in the world.
func (c *Crowds) spread(x *mechanism.Cloud, centre fixed.Vec, seen *[len(rings)]float64) {
	bounds := c.actual.Schema().Bounds
	low, high := bounds.Clamp(x.Box.Min), bounds.Clamp(x.Box.Max)
	size := high.Sub(low)
	for k := range int64(spreadSide * spreadSide) {
		at := low
		at.X += size.X.MulInt(2*(k%spreadSide)+1) / (2 * spreadSide)
		at.Y += size.Y.MulInt(2*(k/spreadSide)+1) / (2 * spreadSide)
		at.Z += size.Z / 2
		if i := c.ring(at, centre); i >= 0 {
			seen[i] += float64(x.Count) / (spreadSide * spreadSide)
		}
	}
}

// spreadSide is into how many parts a cloud is cut along each side.
const spreadSide = 8

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
		wrong := math.NaN() // where nobody is there is nothing to be wrong about
		if x.there > 0 {
			wrong = x.wrong / float64(x.there)
		}
		emit("crowd.count."+r.name, "", wrong)
		emit("crowd.place."+r.name, "m", x.far/float64(x.singly))
	}
}
