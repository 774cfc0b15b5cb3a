//go:build linux

package main

import (
	"fmt"

	"throng/catalog"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// quarryName is the benchmark's own world in the catalog.
const quarryName = "quarry"

// everything is what throng comes with, and the quarry.
func everything() catalog.Catalog {
	c := catalog.Default()
	c.Worlds = append(c.Worlds, catalog.World{Name: quarryName, About: "stones that take much to describe and wear away",
		New: func() catalog.WorldConfig { return &quarryConfig{} }})
	return c
}

// quarryConfig has as a default what the source measures with: a megabyte, of which a kilobyte changes each second.
type quarryConfig struct {
	Stones int `param:"stones" default:"11500" range:"1..1000000" help:"how many stones there are, of some 88 bytes each"`
	Wear   int `param:"wear" default:"12" range:"0..100000" unit:"1/s" help:"how many of them change in a second"`
}

// World returns the quarry.
func (c *quarryConfig) World() (world.World, error) {
	bounds := fixed.Box{Max: fixed.Vec{X: quarrySide, Y: quarrySide}}
	variables := world.Placed(bounds, 1, 1)
	for i := range world.MaxAttributes {
		variables = append(variables, world.Variable{Name: fmt.Sprint("grain", i), Slot: world.AttrSlot(i), Max: 1<<62 - 1})
	}
	return &quarry{config: *c, schema: world.Schema{
		Name: quarryName, Tick: 25 * world.Millisecond, Bounds: bounds,
		Kinds: []world.Kind{{Name: "stone", Variables: variables, Threshold: fixed.One}},
		Verbs: []world.Verb{{Name: "look"}},
	}}, nil
}

const (
	quarrySide = 1000 * fixed.One
	firstStone = 1 << 20 // below are those who look at them
)

// quarry is a world of stones in its right half. Users stand among them and do nothing.
type quarry struct {
	config quarryConfig
	schema world.Schema
}

var _ interface {
	world.World
	world.Inhabited
	world.Limited
} = (*quarry)(nil)

func (q *quarry) Schema() *world.Schema { return &q.schema }
func (q *quarry) Users() world.User     { return 0 }
func (q *quarry) Limits() world.Limits  { return world.Limits{Sight: 10 * fixed.One, Effect: fixed.One} }

func (q *quarry) Populate(s *world.State) {
	r := random.New(s.Seed(), quarryName)
	for i := range q.config.Stones {
		x := r.Between(quarrySide*6/10, quarrySide)
		o := world.Object{ID: firstStone + world.ID(i), Pos: fixed.Vec{X: x, Y: r.Between(0, quarrySide)}}
		carve(&o, &r)
		s.Put(o)
	}
}

// carve gives a stone another shape.
func carve(o *world.Object, r *random.Stream) {
	for i := range o.Attr {
		o.Attr[i] = int64(r.Uint64() >> 2)
	}
}

func (q *quarry) Enter(w *world.Window, u world.User) {
	if w.Get(world.ID(u)) == nil {
		w.Put(world.Object{ID: world.ID(u), User: u, Pos: fixed.Vec{X: quarrySide * 8 / 10, Y: quarrySide / 2}})
	}
}

func (q *quarry) Leave(w *world.Window, u world.User) { w.Remove(world.ID(u)) }

// Step wears some stones away.
func (q *quarry) Step(w *world.Window) {
	worn := func(t world.Tick) int64 {
		return int64(t) * int64(q.config.Wear) * int64(q.schema.Tick) / int64(world.Second)
	}
	for i := worn(w.Tick()); i < worn(w.Tick()+1); i++ {
		if o := w.Edit(firstStone + world.ID(i*7919%int64(q.config.Stones))); o != nil {
			r := w.Random(o.ID, 0)
			carve(o, &r)
		}
	}
}

func (q *quarry) Act(*world.Window, *world.Action)                    {}
func (q *quarry) Extrapolate(*world.Object, world.Time)               {}
func (q *quarry) Reach(*world.State, *world.Action, *world.Footprint) {}
func (q *quarry) Player(world.User, random.Stream) world.Player       { return idler{} }

// idler does nothing.
type idler struct{}

func (idler) Play(world.View, func(world.Action)) {}
