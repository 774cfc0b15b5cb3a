package measure

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"throng/lab/sim"
	"throng/world"
	"throng/world/fixed"
)

// cellSizes are the sides of the square areas that the world is thought to be divided into, in its own unit of length.
var cellSizes = [...]int{64, 128, 256}

func collisionFigures() []string {
	names := []string{"collisions"}
	for _, size := range cellSizes {
		names = append(names, "collisions.across."+strconv.Itoa(size))
	}
	return names
}

// Collisions counts how often two objects come to touch in the truth, and how often they lie on different sides of a border
// then: such collisions two servers must agree on. Objects without a radius touch nothing.
type Collisions struct {
	truth  *Truth
	bounds fixed.Box
	radius []fixed.F // by kind
	widest fixed.F
	bodies []body
	before []pair // that touched a tick ago, in order,
	now    []pair // and that touch
	count  int64
	across [len(cellSizes)]int64
}

type body struct {
	id     world.ID
	pos    fixed.Vec
	radius fixed.F
}

// pair is two objects that touch, with their places.
type pair struct {
	a, b world.ID
	p, q fixed.Vec
}

func comparePairs(x, y pair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) }

// NewCollisions watches r.
func NewCollisions(r *sim.Run, truth *Truth) *Collisions {
	schema := r.Start().Schema()
	c := &Collisions{truth: truth, bounds: schema.Bounds}
	for i := range schema.Kinds {
		c.radius = append(c.radius, schema.Kinds[i].Radius)
		c.widest = max(c.widest, schema.Kinds[i].Radius)
	}
	return c
}

// Begin implements sim.Beginner.
func (c *Collisions) Begin(world.Time) {
	c.count = 0
	clear(c.across[:])
}

// Tick implements sim.TickObserver.
func (c *Collisions) Tick(now world.Time) {
	c.before, c.now = c.now, c.before[:0]
	c.touch()
	slices.SortFunc(c.now, comparePairs)
	if now == 0 {
		return // who touches from the start has not collided
	}
	old := c.before
	for _, p := range c.now {
		for len(old) > 0 && comparePairs(old[0], p) < 0 {
			old = old[1:]
		}
		if len(old) == 0 || comparePairs(old[0], p) != 0 {
			c.collide(&p)
		}
	}
}

// touch finds the pairs that touch. Bodies in the order of their place along x need looking at only as far as the widest
// could reach.
func (c *Collisions) touch() {
	c.bodies = c.bodies[:0]
	for o := range c.truth.State().All() {
		if r := c.radius[o.Kind]; r > 0 {
			c.bodies = append(c.bodies, body{o.ID, o.Pos, r})
		}
	}
	slices.SortFunc(c.bodies, func(a, b body) int { return cmp.Compare(a.pos.X, b.pos.X) })
	for i := range c.bodies {
		a := &c.bodies[i]
		for j := i + 1; j < len(c.bodies); j++ {
			b := &c.bodies[j]
			if b.pos.X-a.pos.X > a.radius+c.widest {
				break
			}
			if a.pos.Within(b.pos, a.radius+b.radius) {
				c.now = append(c.now, pair{min(a.id, b.id), max(a.id, b.id), a.pos, b.pos})
			}
		}
	}
}

func (c *Collisions) collide(x *pair) {
	c.count++
	p, q := x.p.Sub(c.bounds.Min), x.q.Sub(c.bounds.Min)
	for i, size := range cellSizes {
		side := fixed.F(size) * fixed.One
		if p.X/side != q.X/side || p.Y/side != q.Y/side {
			c.across[i]++
		}
	}
}

// Report implements Probe.
func (c *Collisions) Report(span world.Time, emit Emit) {
	figures := collisionFigures()
	emit(figures[0], "1/s", float64(c.count)/seconds(span))
	for i, n := range c.across {
		share := math.NaN()
		if c.count > 0 {
			share = 100 * float64(n) / float64(c.count)
		}
		emit(figures[i+1], "%", share)
	}
}
