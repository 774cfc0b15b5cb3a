package sight

import (
	"cmp"
	"slices"
	"unsafe"

	"throng/world"
	"throng/world/fixed"
)

// Gaze keeps, for every object, the users who see it. It is brought up to date from the side of what moves: an object that
// moves changes what its user sees and who sees it, and nothing else, so that what rests costs nothing. It answers the same
// question as Field and Set without slack at the edge; for few users with much in sight, who all are looked after in turn,
// those do better.
//
// Only some of the objects are for show; the others are there for what their users see of these.
type Gaze struct {
	state     *world.State
	audience  Audience
	veil      world.Veiled
	sight     fixed.F
	boundless bool // all see everything
	placeless []bool

	bounds  fixed.Box
	side    fixed.F // of a cell
	columns int
	rows    int
	cells   [][]dweller // the objects in each

	spots  []spot
	unused []int32
	where  world.ByID[int32]
	users  []attendant // who are there, in their order
	work   world.Work
}

// Audience is told what users begin and cease to see of what is for show.
type Audience interface {
	Enter(u world.User, id world.ID) (handle int32)
	Leave(u world.User, handle int32)
}

// spot is an object and who has it in sight.
type spot struct {
	id      world.ID
	user    world.User
	kind    world.KindID
	shown   bool // it is for show
	pos     fixed.Vec
	cell    int32    // or none for what has no place
	seat    int32    // its place in the cell
	viewers []Viewer // in the order of users
}

// Viewer is a user who has an object in sight.
type Viewer struct {
	User   world.User
	Handle int32 // what the audience calls the object, or Hidden
	count  int32 // how many of the user's objects see it, and of other reasons there are
}

// Hidden is the handle of an object that a user does not see, for all that it is in sight: the user is not there, it is not
// for show, or it is veiled.
const Hidden = -1

// cellsMax is how many cells there may be along each side.
const cellsMax = 256

// NewGaze returns a gaze in which nothing is seen yet. What the world veils is judged by a state that stays the caller's.
func NewGaze(w world.World, s *world.State, a Audience) *Gaze {
	schema := w.Schema()
	g := &Gaze{
		state: s, audience: a, boundless: true, placeless: Placeless(schema),
		bounds: schema.Bounds,
	}
	size := schema.Bounds.Size()
	g.sight = size.Len()
	if l, ok := w.(world.Limited); ok && l.Limits().Sight < g.sight {
		g.sight, g.boundless = l.Limits().Sight, false
	}
	g.veil, _ = w.(world.Veiled)
	g.side = max(g.sight, size.X/cellsMax, size.Y/cellsMax, 1)
	g.columns, g.rows = int(size.X/g.side)+1, int(size.Y/g.side)+1
	g.cells = make([][]dweller, g.columns*g.rows)
	return g
}

// Viewers are the users who have an object in sight, in their order. They hold until the next call.
func (g *Gaze) Viewers(id world.ID) []Viewer {
	if at, ok := g.where.Get(id); ok {
		return g.spots[at].viewers
	}
	return nil
}

// Knows reports whether an object has been put that was the same user's and of the same kind.
func (g *Gaze) Knows(o *world.Object) bool {
	_, known := g.find(o)
	return known
}

func (g *Gaze) find(o *world.Object) (at int32, known bool) {
	at, known = g.where.Get(o.ID)
	return at, known && g.spots[at].user == o.User && g.spots[at].kind == o.Kind
}

// Put notes how an object is now, and whether it is for show.
func (g *Gaze) Put(o *world.Object, shown bool) {
	at, known := g.find(o)
	if !known {
		g.Remove(o.ID) // it may have been somebody else's
		at = g.add(o)
	}
	t := &g.spots[at]
	if known && t.cell != none && t.pos != o.Pos {
		g.move(at, o.Pos)
	}
	if t.shown != shown {
		t.shown = shown
		for i := range t.viewers {
			g.show(t, &t.viewers[i])
		}
	}
}

// none is the cell of what has no place.
const none = -1

// add takes a new object in.
func (g *Gaze) add(o *world.Object) int32 {
	at := int32(len(g.spots))
	if n := len(g.unused); n > 0 {
		at = g.unused[n-1]
		g.unused = g.unused[:n-1]
	} else {
		g.spots = append(g.spots, spot{})
	}
	t := &g.spots[at]
	*t = spot{id: o.ID, user: o.User, kind: o.Kind, pos: o.Pos, cell: none, viewers: t.viewers[:0]}
	g.where.Set(o.ID, at)
	for i := range g.users {
		if g.granted(t, &g.users[i]) {
			g.count(g.users[i].user, at, 1)
		}
	}
	if o.User != 0 {
		g.count(o.User, at, 1)
	}
	if !g.placeless[o.Kind] && !g.boundless {
		g.meet(at, g.cellOf(o.Pos), true)
		g.enter(at, g.cellOf(o.Pos))
	}
	return at
}

// Remove forgets an object that is gone.
func (g *Gaze) Remove(id world.ID) {
	at, known := g.where.Get(id)
	if !known {
		return
	}
	t := &g.spots[at]
	if t.cell != none {
		cell := t.cell
		g.exit(at)
		g.meet(at, cell, false)
	}
	for i := range t.viewers {
		if v := &t.viewers[i]; v.Handle != Hidden {
			g.audience.Leave(v.User, v.Handle)
		}
	}
	g.where.Delete(id)
	*t = spot{viewers: t.viewers[:0]}
	g.unused = append(g.unused, at)
}

// move brings an object to a place. It looks at whatever was or is near, and at nothing twice.
func (g *Gaze) move(at int32, to fixed.Vec) {
	t := &g.spots[at]
	from, old, next := t.pos, t.cell, g.cellOf(to)
	reach := g.around(old).union(g.around(next))
	if reach.right-reach.left > 3 || reach.bottom-reach.top > 3 { // it has leapt
		g.exit(at)
		g.meet(at, old, false)
		t.pos = to
		g.meet(at, next, true)
		g.enter(at, next)
		return
	}
	t.pos = to
	if old != next {
		g.exit(at)
		g.enter(at, next)
	} else {
		g.cells[old][t.seat].pos = to
	}
	for row := reach.top; row <= reach.bottom; row++ {
		for column := reach.left; column <= reach.right; column++ {
			cell := g.cells[row*g.columns+column]
			for i := range cell {
				d := &cell[i]
				if d.at == at {
					continue
				}
				before, after := g.near(from, d.pos), g.near(to, d.pos)
				if before != after {
					g.pair(at, d.at, after)
				}
			}
			g.work += world.Work(len(cell))
		}
	}
}

// meet has an object come into sight of all within its sight, or go out of it.
func (g *Gaze) meet(at, cell int32, near bool) {
	pos := g.spots[at].pos
	reach := g.around(cell)
	for row := reach.top; row <= reach.bottom; row++ {
		for column := reach.left; column <= reach.right; column++ {
			cell := g.cells[row*g.columns+column]
			for i := range cell {
				if g.near(pos, cell[i].pos) {
					g.pair(at, cell[i].at, near)
				}
			}
			g.work += world.Work(len(cell))
		}
	}
}

// near reports whether two places are in sight of each other. Most are not along one axis alone, which is cheap to see.
func (g *Gaze) near(a, b fixed.Vec) bool {
	dx, dy := a.X-b.X, a.Y-b.Y
	return dx <= g.sight && -dx <= g.sight && dy <= g.sight && -dy <= g.sight && a.Within(b, g.sight)
}

// pair has two objects come into each other's sight, or go out of it.
func (g *Gaze) pair(a, b int32, near bool) {
	by := int32(1)
	if !near {
		by = -1
	}
	ua, ub := g.spots[a].user, g.spots[b].user
	if ua != 0 && ua != ub {
		g.count(ua, b, by)
	}
	if ub != 0 && ua != ub {
		g.count(ub, a, by)
	}
}

// count adds to, or takes from, the reasons for which a user has an object in sight.
func (g *Gaze) count(u world.User, at, by int32) {
	t := &g.spots[at]
	i, there := slices.BinarySearchFunc(t.viewers, u, func(v Viewer, u world.User) int { return cmp.Compare(v.User, u) })
	if !there {
		t.viewers = slices.Insert(t.viewers, i, Viewer{User: u, Handle: Hidden, count: by})
		g.show(t, &t.viewers[i])
		return
	}
	v := &t.viewers[i]
	if v.count += by; v.count == 0 {
		if v.Handle != Hidden {
			g.audience.Leave(u, v.Handle)
		}
		t.viewers = slices.Delete(t.viewers, i, i+1)
	}
}

func (t *spot) viewer(u world.User) *Viewer {
	i, there := slices.BinarySearchFunc(t.viewers, u, func(v Viewer, u world.User) int { return cmp.Compare(v.User, u) })
	if !there {
		return nil
	}
	return &t.viewers[i]
}

// TakeWork returns the work done since it was last asked: one for each object looked at.
func (g *Gaze) TakeWork() world.Work {
	done := g.work
	g.work = 0
	return done
}

// Bytes is the memory that the gaze holds.
func (g *Gaze) Bytes() int {
	n := cap(g.spots)*int(unsafe.Sizeof(spot{})) + cap(g.cells)*24 + 24*g.where.Len() + 4*cap(g.unused)
	for i := range g.spots {
		n += cap(g.spots[i].viewers) * int(unsafe.Sizeof(Viewer{}))
	}
	for i := range g.cells {
		n += cap(g.cells[i]) * int(unsafe.Sizeof(dweller{}))
	}
	return n
}
