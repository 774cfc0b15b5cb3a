package octree

import (
	"throng/mechanism/parts/octree"
	"throng/mechanism/parts/sight"
	"throng/world"
	"throng/world/fixed"
)

// record is one object as a storage node holds it.
type record struct {
	object  world.Object // an ID of zero where the place is free
	holder  int          // the server that answers for it
	epoch   uint32       // grows whenever another one does
	held    uint32       // the epoch in which its holder has said that it answers for it, or zero while that is still to come
	stated  uint32       // the epoch that its state comes from
	version uint64       // and the number of the write
	action  uint32       // the last of its user's actions that was carried out
	first   int          // the first of the storage nodes that hold it
	code    octree.Code  // where it is, unless it has no place
	granted world.Time   // since when the holder has been named and has not written, or never
	acts    []moment     // what was done to it lately, the oldest first
	noted   bool         // watchers are to be told of its holder or action

	listeners []int32 // the servers that hear of it from here: who watch it, read what is stored here first, and do not hold it
}

// records are all that a storage node holds, and where they are.
type records struct {
	space     octree.Space
	depth     uint8  // of the nodes that objects are marked in
	placeless []bool // by kind

	all   []record
	free  []int32
	where world.ByID[int32]
	owned map[world.User]world.Set
	tree  octree.Tree[int32] // what has a place, by where it is
	loose []int32            // what has none
	view  []octree.Code      // scratch
}

func newRecords(w world.World, detail fixed.F) records {
	schema := w.Schema()
	r := records{space: octree.Enclose(schema.Bounds), placeless: sight.Placeless(schema), owned: map[world.User]world.Set{}}
	r.depth = depthFor(r.space, reachOf(w).Mul(detail))
	return r
}

// reachOf is how far from what a server runs it must know the world: as far as users see and as far as effects reach.
func reachOf(w world.World) fixed.F {
	reach := w.Schema().Bounds.Size().Len()
	if l, ok := w.(world.Limited); ok {
		limits := l.Limits()
		reach = min(reach, max(limits.Sight, limits.Effect))
	}
	return reach
}

// depthFor is how deep the smallest nodes lie that are as large as a length.
func depthFor(s octree.Space, length fixed.F) uint8 {
	depth := uint8(0)
	for depth < s.Bits && fixed.F(1)<<(s.Bits-depth-1) >= max(length, 1) {
		depth++
	}
	return depth
}

// codeOf is the node that an object is marked in: its bounding box is a point.
func (r *records) codeOf(o *world.Object) octree.Code {
	return octree.At(r.space.Place(o.Pos), r.depth)
}

// get returns a record and its place, or nil.
func (r *records) get(id world.ID) (*record, int32) {
	if at, ok := r.where.Get(id); ok {
		return &r.all[at], at
	}
	return nil, -1
}

// add puts in an object that is not there.
func (r *records) add(x record) (*record, int32) {
	at := int32(len(r.all))
	if n := len(r.free); n > 0 {
		at = r.free[n-1]
		r.free = r.free[:n-1]
	} else {
		r.all = append(r.all, record{})
	}
	r.all[at] = x
	p := &r.all[at]
	r.where.Set(x.object.ID, at)
	r.own(&p.object)
	if r.placeless[p.object.Kind] {
		r.loose = append(r.loose, at)
	} else {
		p.code = r.codeOf(&p.object)
		r.tree.Add(p.code, at)
	}
	return p, at
}

func (r *records) own(o *world.Object) {
	if o.User != 0 {
		own := r.owned[o.User]
		own.Add(o.ID)
		r.owned[o.User] = own
	}
}

func (r *records) disown(o *world.Object) {
	if o.User != 0 {
		own := r.owned[o.User]
		own.Remove(o.ID)
		if r.owned[o.User] = own; len(own) == 0 {
			delete(r.owned, o.User)
		}
	}
}

// put brings a record up to date.
func (r *records) put(at int32, o *world.Object) {
	x := &r.all[at]
	if x.object.Kind != o.Kind {
		was := *x
		r.remove(at)
		was.object = *o
		r.add(was) // at the same place, which was freed last
		return
	}
	if x.object.User != o.User {
		r.disown(&x.object)
		r.own(o)
	}
	x.object = *o
	if r.placeless[o.Kind] {
		return
	}
	if now := r.codeOf(o); now != x.code {
		r.tree.Add(now, at)
		r.tree.Remove(x.code, at)
		x.code = now
	}
}

func (r *records) remove(at int32) {
	x := &r.all[at]
	r.disown(&x.object)
	r.where.Delete(x.object.ID)
	if r.placeless[x.object.Kind] {
		for i, p := range r.loose {
			if p == at {
				r.loose[i] = r.loose[len(r.loose)-1]
				r.loose = r.loose[:len(r.loose)-1]
				break
			}
		}
	} else {
		r.tree.Remove(x.code, at)
	}
	*x = record{}
	r.free = append(r.free, at)
}

// in calls found for every object in a node of the tree, or in whose node that is.
func (r *records) in(c octree.Code, found func(octree.Code, int32)) {
	r.view = append(r.view[:0], c)
	r.tree.Watch(r.view, octree.AxisBits, found)
}
