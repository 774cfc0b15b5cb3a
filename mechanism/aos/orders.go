package aos

import (
	"slices"

	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// orders are what a server decides for one turn of its area, beside the actions: what becomes of objects by the word of other
// servers, and which stand still. They are encoded against the state of the area at the beginning of the turn, which everybody
// who simulates it has.
type orders struct {
	border []byte // objects of neighbours that came, changed or went, and objects that were handed over or decided upon
	held   []byte // which objects stand still, since servers are about to agree on them
	batch  []byte // what users do
	there  bool   // part of the border is to be had from other areas; see region.complete
}

// reset empties the orders: nothing happens.
func (o *orders) reset() {
	o.border = o.border[:0]
	o.held = append(o.held[:0], 0)
	o.batch = append(o.batch[:0], 0)
}

func (o *orders) copyFrom(from *orders) {
	o.border = append(o.border[:0], from.border...)
	o.held = append(o.held[:0], from.held...)
	o.batch = append(o.batch[:0], from.batch...)
}

// appendInput appends what a tick of the turn depends on: all of it for the first, for the others only who stands still.
func (o *orders) appendInput(dst []byte, first bool) []byte {
	if !first {
		return append(append(dst, inputTick), o.held...)
	}
	dst = append(dst, inputTurn)
	dst = wire.AppendBytes(dst, o.border)
	dst = append(dst, o.held...)
	return append(dst, o.batch...)
}

// What an input begins with.
const (
	inputCut  = iota // the world at its start becomes an area
	inputTurn        // the first tick of a turn
	inputTick        // another one
)

// news is what becomes of objects at the beginning of a turn, gathered before it is encoded.
type news struct {
	items []newsItem
	told  int // how many of them the text that was last appended tells of, beside what is known from elsewhere
}

type newsItem struct {
	id     world.ID
	gone   bool
	object world.Object
	from   source
}

// source is where an object is known from: who simulates that area too has it already. The zero source is none.
type source struct {
	area int         // plus one
	turn turn.Number // the object is as it was there at the end of this turn
}

func (n *news) reset() { n.items = n.items[:0] }

func (n *news) put(o *world.Object) { n.putFrom(o, source{}) }

func (n *news) putFrom(o *world.Object, from source) {
	n.items = append(n.items, newsItem{id: o.ID, object: *o, from: from})
}

func (n *news) remove(id world.ID) { n.items = append(n.items, newsItem{id: id, gone: true}) }

// settle puts the news in the order of IDs. Of what is said of one object the last counts.
func (n *news) settle() {
	slices.SortStableFunc(n.items, func(a, b newsItem) int {
		switch {
		case a.id < b.id:
			return -1
		case a.id > b.id:
			return 1
		}
		return 0
	})
	kept := n.items[:0]
	for i := range n.items {
		if i+1 < len(n.items) && n.items[i+1].id == n.items[i].id {
			continue
		}
		kept = append(kept, n.items[i])
	}
	n.items = kept
}

// What is said of one object, in the lowest bits beside its ID.
const (
	saidGone = iota
	saidChanged
	saidWhole
	saidThere // it is as it was in another area, which whoever hears this simulates too
	saidBits  = 2
)

// append encodes the news against a state: what it has already is left out, unless everything is to be said in full. Of what
// is known from areas that has reports, no more is said than that.
func (n *news) append(dst []byte, s *world.State, full bool, has func(from source) bool) []byte {
	var last world.ID
	n.told = 0
	for i := range n.items {
		x := &n.items[i]
		base := s.Get(x.id)
		if x.gone && base == nil || !x.gone && !full && base != nil && *base == x.object {
			continue
		}
		said := uint64(saidWhole)
		switch {
		case x.gone:
			said = saidGone
		case has != nil && x.from.area != 0 && has(x.from):
			said = saidThere
		case base != nil && !full:
			said = saidChanged
		}
		dst = appendName(dst, uint64(x.id-last), said)
		last = x.id
		if said != saidThere {
			n.told++
		}
		switch said {
		case saidChanged:
			dst = s.Schema().AppendObject(dst, &x.object, base, world.Exact)
		case saidWhole:
			dst = s.Schema().AppendObject(dst, &x.object, nil, world.Exact)
		case saidThere:
			dst = wire.AppendUint(dst, uint64(x.from.area-1))
			dst = appendTurn(dst, x.from.turn)
		}
	}
	return dst
}

// read reads encoded news against the state that they were encoded against; with a nil state it only finds out whether they
// can be read. It reports whether something is said to be as in another area, and whether all of it makes sense.
func (n *news) read(schema *world.Schema, text []byte, s *world.State) (there, sound bool) {
	r := wire.NewReader(text)
	n.reset()
	var last world.ID
	for r.Len() > 0 && !r.Failed() {
		step, said := readName(&r)
		if step == 0 {
			return there, false
		}
		last += world.ID(step)
		x := newsItem{id: last}
		var base *world.Object
		switch said {
		case saidGone:
			x.gone = true
		case saidChanged:
			if s != nil {
				if base = s.Get(last); base == nil {
					return there, false
				}
			}
			fallthrough
		case saidWhole:
			x.object = schema.ReadObject(&r, base, world.Exact)
			x.object.ID = last
		case saidThere:
			there = true
			x.from = source{int(r.UintMax(areasMax-1)) + 1, readTurn(&r)}
		}
		n.items = append(n.items, x)
	}
	return there, !r.Failed()
}

// appendName appends how far an ID is from the one before, and what is said of it. Both together are one number unless the
// distance is very long; then that follows.
func appendName(dst []byte, step, said uint64) []byte {
	if step < 1<<(64-saidBits) {
		return wire.AppendUint(dst, step<<saidBits|said)
	}
	return wire.AppendUint(wire.AppendUint(dst, said), step)
}

func readName(r *wire.Reader) (step, said uint64) {
	name := r.Uint()
	if step, said = name>>saidBits, name&(1<<saidBits-1); step == 0 {
		step = r.Uint()
	}
	return step, said
}

// areasMax is how many areas there can be.
const areasMax = 64 * 64

// carryOut does what news say.
func (n *news) carryOut(s *world.State) {
	for i := range n.items {
		if x := &n.items[i]; x.gone {
			s.Remove(x.id)
		} else {
			s.Put(x.object)
		}
	}
}

// heldMax is how many objects of an area may stand still at a time.
const heldMax = 1 << 12

// appendHeld appends which objects stand still, in the order of their IDs.
func appendHeld(dst []byte, held world.Set) []byte {
	dst = wire.AppendUint(dst, uint64(len(held)))
	var last world.ID
	for _, id := range held {
		dst = wire.AppendUint(dst, uint64(id-last))
		last = id
	}
	return dst
}

// readHeld reads what appendHeld wrote. It uses the memory of dst.
func readHeld(r *wire.Reader, dst world.Set) world.Set {
	dst = dst[:0]
	var last world.ID
	for n := r.UintMax(heldMax); n > 0 && !r.Failed(); n-- {
		step := r.Uint()
		if step == 0 {
			r.Fail()
		}
		last += world.ID(step)
		dst = append(dst, last)
	}
	return dst
}
