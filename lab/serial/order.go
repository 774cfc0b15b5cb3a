package serial

import (
	"errors"
	"fmt"
	"hash/maphash"
	"slices"

	"throng/mechanism"
	"throng/world"
)

// Order is the one order of a run, carried out serially, and what was found to contradict it.
type Order struct {
	stage   stage
	placed  uint64  // the last position that something stands at
	settled uint64  // up to here nothing will be voided
	done    uint64  // up to here the stage has got
	entries []entry // from done+1 on
	past    map[world.ID][]moment
	seed    maphash.Seed

	placer mechanism.NodeID // who puts things into the order
	over   bool             // the placer has crashed: what is said of another order is not judged by this one

	claims     []claim // about positions that are not done yet
	checked    int
	violations int
	first      error
}

// entry is what stands at a position.
type entry struct {
	mechanism.Entry
	void bool
}

// moment is how an object is from a position on. Only a sum of it is kept: runs are long.
type moment struct {
	position uint64
	sum      uint64 // zero where the object does not exist
}

// claim is what a node holds.
type claim struct {
	life     *life
	position uint64
	id       world.ID
	object   world.Object // without an ID if it does not exist
}

// New returns an empty order of a world that begins as start.
func New(w world.World, start *world.State) *Order {
	return &Order{stage: newStage(w, start), past: map[world.ID][]moment{}, seed: maphash.MakeSeed()}
}

// Witness returns whom a node is to tell. Each holder of a place needs a witness of its own.
func (o *Order) Witness(id mechanism.NodeID) mechanism.Witness { return o.newWitness(id) }

func (o *Order) newWitness(id mechanism.NodeID) *witness {
	return &witness{order: o, life: newLife(id)}
}

// Gone says that the node which a witness belongs to has crashed.
func (o *Order) Gone(w mechanism.Witness) { w.(*witness).life.gone = true }

// Checked is how many objects were compared so far.
func (o *Order) Checked() int { return o.checked }

// Violations is how many of them contradicted the order.
func (o *Order) Violations() int { return o.violations }

// Verdict settles all that stands in the order and says what was the first contradiction.
func (o *Order) Verdict() error {
	o.settle(o.placed)
	for i := range o.claims {
		o.violate(&o.claims[i], errors.New("nothing stands there"))
	}
	o.claims = o.claims[:0]
	return o.first
}

// settle carries out the order up to a position and judges what was held until then.
func (o *Order) settle(position uint64) {
	o.settled = max(o.settled, position)
	n := int(o.settled - o.done)
	for i := range o.entries[:n] {
		o.done++
		if d := &o.entries[i]; !d.void {
			o.stage.perform(&d.Entry, o.note)
		}
	}
	o.judge(o.entries[:n])
	o.entries = slices.Delete(o.entries, 0, n)
}

// note writes down how an object has become.
func (o *Order) note(id world.ID, now *world.Object) {
	if o.past[id] == nil {
		o.past[id] = []moment{{0, o.sum(o.stage.start.Get(id))}}
	}
	o.past[id] = append(o.past[id], moment{o.done, o.sum(now)})
}

// judge compares the claims about positions that are done. Passed are the entries of the last of these.
func (o *Order) judge(passed []entry) {
	for i := range o.claims {
		if c := &o.claims[i]; c.life.gone && c.position <= o.done && o.voided(passed, c.position) {
			c.life.lost = min(c.life.lost, c.position)
		}
	}
	left := o.claims[:0]
	for i := range o.claims {
		switch c := &o.claims[i]; {
		case c.position > o.done:
			left = append(left, *c)
		case c.position < c.life.lost:
			o.compare(c)
		}
	}
	o.claims = left
}

// voided reports whether a position is one of those passed, and void.
func (o *Order) voided(passed []entry, position uint64) bool {
	i := len(passed) - 1 - int(o.done-position)
	return i >= 0 && passed[i].void
}

// compare judges a claim about a position that is done.
func (o *Order) compare(c *claim) {
	o.checked++
	want := o.at(c.position, c.id)
	var got uint64
	if c.object.ID != 0 {
		got = o.sum(&c.object)
	}
	switch {
	case want == got:
	case want == 0:
		o.violate(c, errors.New("it does not exist there"))
	case got == 0:
		o.violate(c, errors.New("it exists there"))
	default:
		o.violate(c, errors.New("it is another there"))
	}
}

// at is the sum of an object after a position.
func (o *Order) at(position uint64, id world.ID) uint64 {
	past := o.past[id]
	if past == nil {
		return o.sum(o.stage.start.Get(id))
	}
	i, found := slices.BinarySearchFunc(past, position, func(m moment, p uint64) int {
		switch {
		case m.position < p:
			return -1
		case m.position > p:
			return 1
		}
		return 0
	})
	if !found {
		i--
	}
	return past[i].sum
}

func (o *Order) sum(object *world.Object) uint64 {
	if object == nil {
		return 0
	}
	return max(maphash.Comparable(o.seed, *object), 1)
}

func (o *Order) violate(c *claim, why error) {
	o.violations++
	if o.first != nil {
		return
	}
	held := "does not exist"
	if c.object.ID != 0 {
		held = fmt.Sprintf("is %+v", c.object)
	}
	o.first = fmt.Errorf("node %d holds that after position %d object %d %s: %w", c.life.node, c.position, c.id, held, why)
}
