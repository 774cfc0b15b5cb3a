package serial

import (
	"fmt"
	"math"
	"slices"

	"throng/mechanism"
	"throng/world"
)

// witness takes down what one node tells.
type witness struct {
	order *Order
	life  *life
	also  *witness // who is told the same, or nil
}

// life is what a node holds from when it begins until it crashes, or gives all up.
type life struct {
	node mechanism.NodeID
	gone bool   // it is over
	lost uint64 // from this position on it held what was lost with it
}

// Renounced implements mechanism.Witness.
func (w *witness) Renounced() {
	if w.also != nil {
		w.also.Renounced()
	}
	w.life.gone = true
	w.life = newLife(w.life.node)
}

func newLife(id mechanism.NodeID) *life { return &life{node: id, lost: math.MaxUint64} }

// Placed implements mechanism.Witness.
func (w *witness) Placed(position uint64, d *mechanism.Entry) {
	if w.also != nil {
		w.also.Placed(position, d)
	}
	if w.order.over {
		return
	}
	o := w.order
	if position != o.placed+1 {
		panic(fmt.Sprintf("serial: node %d places position %d after %d", w.life.node, position, o.placed))
	}
	o.placed++
	o.placer = w.life.node
	kept := *d
	kept.Footprint = world.Footprint{Reads: slices.Clone(d.Footprint.Reads), Writes: slices.Clone(d.Footprint.Writes)}
	o.entries = append(o.entries, entry{Entry: kept})
}

// Voided implements mechanism.Witness.
func (w *witness) Voided(position uint64) {
	if w.also != nil {
		w.also.Voided(position)
	}
	if w.order.over {
		return
	}
	o := w.order
	if position <= o.settled || position > o.placed {
		panic(fmt.Sprintf("serial: node %d voids position %d; settled are %d of %d", w.life.node, position, o.settled, o.placed))
	}
	o.entries[position-o.done-1].void = true
}

// Settled implements mechanism.Witness.
func (w *witness) Settled(position uint64) {
	if w.also != nil {
		w.also.Settled(position)
	}
	if w.order.over {
		return
	}
	if position > w.order.placed {
		panic(fmt.Sprintf("serial: node %d settles position %d of %d", w.life.node, position, w.order.placed))
	}
	w.order.settle(position)
}

// Held implements mechanism.Witness.
func (w *witness) Held(position uint64, id world.ID, object *world.Object) {
	if w.also != nil {
		w.also.Held(position, id, object)
	}
	if w.order.over {
		return
	}
	c := claim{life: w.life, position: position, id: id}
	if object != nil {
		c.object = *object
	}
	if position <= w.order.done {
		w.order.compare(&c)
		return
	}
	w.order.claims = append(w.order.claims, c)
}
