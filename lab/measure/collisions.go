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

// Collisions counts the pairs of objects that touch in the truth, and those of them that a division of the world would
// have handled by two servers. Objects without a radius touch nothing.
type Collisions struct {
	truth  *Truth
	bounds fixed.Box
	radius []fixed.F // by kind
	widest fixed.F
	bodies []body
	pairs  int64
	across [len(cellSizes)]int64
	ticks  int64
}

type body struct {
	pos    fixed.Vec
	radius fixed.F
}

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
	c.pairs, c.ticks = 0, 0
	clear(c.across[:])
}

// Tick implements sim.TickObserver. Bodies in the order of their place along x need looking at only as far as the widest
// could reach.
func (c *Collisions) Tick(world.Time) {
	c.ticks++
	c.bodies = c.bodies[:0]
	for o := range c.truth.State().All() {
		if r := c.radius[o.Kind]; r > 0 {
			c.bodies = append(c.bodies, body{o.Pos, r})
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
				c.count(a.pos, b.pos)
			}
		}
	}
}

func (c *Collisions) count(a, b fixed.Vec) {
	c.pairs++
	for i, size := range cellSizes {
		side := fixed.F(size) * fixed.One
		if cell(a.X-c.bounds.Min.X, side) != cell(b.X-c.bounds.Min.X, side) || cell(a.Y-c.bounds.Min.Y, side) != cell(b.Y-c.bounds.Min.Y, side) {
			c.across[i]++
		}
	}
}

func cell(at, side fixed.F) int64 { return int64(at) / int64(side) }

// Report implements Probe.
func (c *Collisions) Report(_ world.Time, emit Emit) {
	figures := collisionFigures()
	emit(figures[0], "", float64(c.pairs)/float64(c.ticks))
	for i, n := range c.across {
		share := math.NaN()
		if c.pairs > 0 {
			share = 100 * float64(n) / float64(c.pairs)
		}
		emit(figures[i+1], "%", share)
	}
}
