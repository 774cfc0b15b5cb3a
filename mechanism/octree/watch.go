package octree

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/octree"
	"throng/mechanism/parts/sight"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// watcher is what a server watches: the surroundings of all that it answers for, whatever users these belong to. What several of
// them see is watched once.
type watcher struct {
	server    *server
	space     octree.Space
	limits    octree.Limits
	reach     fixed.F // how far around an object
	slack     fixed.F // how far it may move until its surroundings are fitted anew
	whole     bool    // everything is watched
	placeless []bool

	bodies  world.ByID[int32] // places among the fits
	fits    []fitted
	free    []int32
	watched []watched // in the order of codes
	added   []octree.Code
	removed []octree.Code
	scratch []octree.Code

	sources []source // by storage node
	readers []int    // by the first of the storage nodes that hold something: from whom the server hears of it
}

// fitted is the surroundings of one object.
type fitted struct {
	centre fixed.Vec
	codes  []octree.Code
}

// watched is a node of the tree, and for how many objects it is watched.
type watched struct {
	code  octree.Code
	count int
}

// source is a storage node, as what is watched comes from it.
type source struct {
	decoder *area.Decoder
	reads   []byte // what the server hears of from it, as it was told
	anew    bool   // it is to be told everything

	complete        bool   // it has told everything
	asked, answered uint64 // how often it was told what is watched, and has told all of that
}

func newWatcher(n *server) watcher {
	schema := n.session.World.Schema()
	w := watcher{
		server: n, space: octree.Enclose(schema.Bounds), placeless: sight.Placeless(schema), reach: reachOf(n.session.World),
		sources: make([]source, n.config.Storage), readers: make([]int, n.config.Storage),
	}
	w.limits = octree.Limits{Splits: uint8(n.config.Splits), Depth: depthFor(w.space, w.reach.Mul(n.config.Detail))}
	w.whole = w.reach >= schema.Bounds.Size().Len()
	w.slack = w.reach / 4
	w.reach += w.reach.Mul(n.config.Margin) + w.slack
	for i := range w.sources {
		w.sources[i] = source{decoder: area.NewDecoder(schema), reads: make([]byte, n.config.Storage), anew: true}
	}
	return w
}

// begins has a storage node know nothing of what is watched.
func (w *watcher) begins(storage int) {
	s := &w.sources[storage]
	*s = source{decoder: area.NewDecoder(w.server.session.World.Schema()), reads: make([]byte, len(w.sources)), anew: true}
}

// loses has what came from a storage node be as it was last told, until that or another one tells of it.
func (w *watcher) loses(storage int) {
	w.doubt(func(first int) bool { return w.reader(first) == storage })
}

// doubt has what certain storage nodes hold first be as it was last told: if it is not heard of again, it is gone.
func (w *watcher) doubt(certain func(first int) bool) {
	n := w.server
	for o := range n.replica.State.All() {
		if x, ok := n.copies.Get(o.ID); ok && certain(n.ring.first(o.ID)) {
			x.stale = true
			n.copies.Set(o.ID, x)
		}
	}
}

// reader is the storage node from which the server hears of what one holds first.
func (w *watcher) reader(first int) int { return w.readers[first] }

// complete reports whether the server has heard of all that it watches.
func (w *watcher) complete() bool {
	for _, reader := range w.readers {
		if reader < 0 || !w.sources[reader].complete {
			return false
		}
	}
	return true
}

// everywhere is where what sees everything is taken to be.
var everywhere = []octree.Code{{}}

// move has the surroundings of an object be watched.
func (w *watcher) move(o *world.Object) {
	at, ok := w.bodies.Get(o.ID)
	if ok && (w.whole || w.placeless[o.Kind] || near(w.fits[at].centre, o.Pos, w.slack)) {
		return
	}
	if !ok {
		at = int32(len(w.fits))
		if n := len(w.free); n > 0 {
			at = w.free[n-1]
			w.free = w.free[:n-1]
		} else {
			w.fits = append(w.fits, fitted{})
		}
		w.bodies.Set(o.ID, at)
	}
	f := &w.fits[at]
	f.centre = o.Pos
	if w.whole || w.placeless[o.Kind] { // no limit says from how far what has no place can be affected
		w.scratch = append(w.scratch[:0], everywhere...)
	} else {
		around := fixed.Vec{X: w.reach, Y: w.reach, Z: w.reach}
		w.scratch = w.space.FitBox(w.scratch[:0], w.clip(fixed.Box{Min: o.Pos.Sub(around), Max: o.Pos.Add(around)}), w.limits)
	}
	w.swap(f)
}

// pursue goes on watching the surroundings of another server's object, if they are.
func (w *watcher) pursue(o *world.Object) {
	if _, ok := w.bodies.Get(o.ID); ok {
		w.move(o)
	}
}

// clip cuts off what lies outside of the world: a flat one has no nodes above it to be watched. What is outside counts as at the
// edge.
func (w *watcher) clip(b fixed.Box) fixed.Box {
	bounds := w.server.session.World.Schema().Bounds
	within := func(v fixed.Vec) fixed.Vec {
		return fixed.Vec{
			X: min(max(v.X, bounds.Min.X), bounds.Max.X),
			Y: min(max(v.Y, bounds.Min.Y), bounds.Max.Y),
			Z: min(max(v.Z, bounds.Min.Z), bounds.Max.Z),
		}
	}
	return fixed.Box{Min: within(b.Min), Max: within(b.Max)}
}

// swap has what was fitted be watched in place of what was before: additions first.
func (w *watcher) swap(f *fitted) {
	octree.Diff(f.codes, w.scratch, w.add, w.remove)
	f.codes = append(f.codes[:0], w.scratch...)
}

// drop has the surroundings of an object be watched no longer.
func (w *watcher) drop(id world.ID) {
	at, ok := w.bodies.Get(id)
	if !ok {
		return
	}
	w.bodies.Delete(id)
	w.scratch = w.scratch[:0]
	w.swap(&w.fits[at])
	w.free = append(w.free, at)
}

func near(a, b fixed.Vec, d fixed.F) bool {
	return (a.X-b.X).Abs() <= d && (a.Y-b.Y).Abs() <= d && (a.Z-b.Z).Abs() <= d
}

func (w *watcher) find(c octree.Code) (int, bool) {
	return slices.BinarySearchFunc(w.watched, c, func(x watched, c octree.Code) int { return octree.Compare(x.code, c) })
}

func (w *watcher) add(c octree.Code) {
	i, ok := w.find(c)
	if ok {
		w.watched[i].count++
		return
	}
	w.watched = slices.Insert(w.watched, i, watched{c, 1})
	if j := slices.Index(w.removed, c); j >= 0 { // it was about to be given up
		w.removed = slices.Delete(w.removed, j, j+1)
		return
	}
	w.added = append(w.added, c)
}

func (w *watcher) remove(c octree.Code) {
	i, _ := w.find(c)
	if w.watched[i].count--; w.watched[i].count > 0 {
		return
	}
	w.watched = slices.Delete(w.watched, i, i+1)
	if j := slices.Index(w.added, c); j >= 0 {
		w.added = slices.Delete(w.added, j, j+1)
		return
	}
	w.removed = append(w.removed, c)
}

// watches reports whether an object is where the server watches.
func (w *watcher) watches(o *world.Object) bool {
	if w.placeless[o.Kind] {
		return true
	}
	c := octree.At(w.space.Place(o.Pos), w.limits.Depth)
	for {
		if _, ok := w.find(c); ok {
			return true
		}
		if c.Depth == 0 {
			return false
		}
		c = c.Parent()
	}
}

// look tells storage nodes what is watched, as far as that is new.
func (w *watcher) look(now world.Time, out *mechanism.Outbox) {
	n := w.server
	for first, was := range w.readers {
		now := n.ring.reader(first, n.number, func(storage int) bool { return n.inTouch(n.config.storageNode(storage)) })
		if now != was {
			w.doubt(func(x int) bool { return x == first })
			w.readers[first] = now
		}
		if now >= 0 && now != was {
			w.sources[now].complete = false
		}
	}
	for i := range w.sources {
		w.tell(now, i, out)
	}
	w.added, w.removed = w.added[:0], w.removed[:0]
}

// codesMax is how many nodes of the tree a message names at most.
const codesMax = 64

// tell tells one storage node.
func (w *watcher) tell(now world.Time, storage int, out *mechanism.Outbox) {
	n, s := w.server, &w.sources[storage]
	if !n.inTouch(n.config.storageNode(storage)) {
		return
	}
	changed := s.anew
	for first, reader := range w.readers {
		var reads byte
		if reader == storage {
			reads = 1
		}
		changed = changed || s.reads[first] != reads
		s.reads[first] = reads
	}
	added, removed := w.added, w.removed
	if s.anew {
		w.scratch = w.scratch[:0]
		for _, x := range w.watched {
			w.scratch = append(w.scratch, x.code)
		}
		added, removed = w.scratch, nil
		s.anew = false
	}
	for changed || len(added)+len(removed) > 0 {
		a, r := added[:min(len(added), codesMax)], removed[:min(len(removed), codesMax)]
		if len(added) > len(a) {
			r = nil // additions first
		}
		added, removed, changed = added[len(a):], removed[len(r):], false
		n.buf = wire.AppendBytes(append(n.buf[:0], kindWatch), s.reads)
		n.buf = wire.AppendList(wire.AppendList(n.buf, a, appendCode), r, appendCode)
		n.tell(now, n.config.storageNode(storage), mechanism.Control, n.buf, out)
		s.asked++
	}
}

func (w *watcher) bytes() int {
	sum := 40*cap(w.watched) + 24*w.bodies.Len()
	for i := range w.fits {
		sum += 64 + 32*cap(w.fits[i].codes)
	}
	for i := range w.sources {
		sum += w.sources[i].decoder.Bytes()
	}
	return sum
}
