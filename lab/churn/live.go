package churn

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"

	"throng/lab/network"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// expansion works a plan out.
type expansion struct {
	plan  Plan
	stage Stage
	cast  *cast
	todo  agenda
	users world.User // the highest so far

	events  []Event
	hosts   int
	moves   int // hosts that somebody was moved to: numbered from -1 downwards until all others are known
	changes []network.Change
	network []moment // what the second pass is about
}

func newExpansion(p Plan, stage Stage) *expansion {
	x := &expansion{plan: p, stage: stage, cast: newCast(&stage)}
	for _, place := range stage.Places {
		x.users = max(x.users, place.User)
	}
	return x
}

// task is something that the expansion does when it comes to a time.
type task struct {
	at    world.Time
	order int
	do    func()
}

// agenda is tasks by time; of those for one instant the first noted comes first.
type agenda []task

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(a[i].at, a[j].at), cmp.Compare(a[i].order, a[j].order)) < 0
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(t any)   { *a = append(*a, t.(task)) }
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// live goes through the run and follows who is there.
func (x *expansion) live() {
	order := 0
	later := func(at world.Time, do func()) {
		if at <= x.stage.Duration {
			heap.Push(&x.todo, task{at, order, do})
			order++
		}
	}
	for _, m := range x.plan.moments(&x.stage) {
		switch m.clause.Verb {
		case VerbPartition, VerbHeal, VerbLimit, VerbAdd:
			x.network = append(x.network, m)
		case VerbArrive:
			later(m.at, func() { x.arrive(&m, later) })
		default:
			later(m.at, func() { x.strike(&m, later) })
		}
	}
	for len(x.todo) > 0 {
		heap.Pop(&x.todo).(task).do()
	}
}

func (x *expansion) emit(m *moment, e Event) {
	if len(x.events) == eventsMax {
		m.fail(&x.plan, fmt.Sprintf("there are more than %d events", eventsMax), "make them rarer or the run shorter")
	}
	e.Cause = m.cause
	x.events = append(x.events, e)
}

// arrive brings new users in.
func (x *expansion) arrive(m *moment, later func(world.Time, func())) {
	for i := range m.clause.Who.Count {
		at := m.at + uniform(m.stream(x.stage.Seed, "churn within ", mechanism.NodeID(i)), m.clause.Within)
		later(at, func() {
			if id := x.admit(m, at); id != 0 && m.clause.Spot.Given {
				x.emit(m, Event{At: at, Kind: Gather, Node: id, Spot: x.spot(m), Until: x.until(m, at)})
			}
		})
	}
}

// admit gives a user a place: one that is vacant, or a new one. It returns zero if there is none.
func (x *expansion) admit(m *moment, at world.Time) mechanism.NodeID {
	var place mechanism.Place
	switch {
	case len(x.cast.vacant) > 0:
		place = x.cast.vacant[0]
		x.cast.vacant = x.cast.vacant[1:]
	case x.stage.Admit != nil:
		x.users++
		place = x.stage.Admit(x.users)
		x.cast.add(place)
	case m.clause.Rate > 0:
		return 0 // whoever comes when all places are taken turns away
	default:
		m.fail(&x.plan, "no place is free for a user who arrives",
			"this world or this mechanism takes nobody beyond those that it begins with: have others leave before")
	}
	x.start(m, Arrive, at, place.ID)
	return place.ID
}

// start lets a node begin, under a higher epoch than before.
func (x *expansion) start(m *moment, kind Kind, at world.Time, id mechanism.NodeID) {
	n := x.cast.members[id]
	if n.began {
		n.epoch++
	}
	n.began, n.expected, n.state, n.spare = true, false, up, n.spares
	x.emit(m, Event{At: at, Kind: kind, Node: id, Epoch: n.epoch, Host: n.unit.host})
}

// strike finds out to whom a moment happens, and when to each.
func (x *expansion) strike(m *moment, later func(world.Time, func())) {
	filter := func(n *member) bool { return n.state == up }
	if m.clause.Verb == VerbReturn {
		filter = func(n *member) bool { return (n.state != up || n.spare < n.spares) && !n.expected }
	}
	nodes := x.resolve(m, &m.clause.Who, filter)
	var units []*unit // crashes are a process's
	for _, id := range nodes {
		if u := x.cast.members[id].unit; !slices.Contains(units, u) {
			units = append(units, u)
		}
	}
	switch m.clause.Verb {
	case VerbDrain:
		for _, u := range units {
			x.drain(m, u, later)
		}
	case VerbCrash, VerbReplace:
		for _, u := range units {
			at := m.at + uniform(m.stream(x.stage.Seed, "churn within ", u.nodes[0]), m.clause.Within)
			later(at, func() { x.crash(m, u, at, later) })
		}
	default:
		for _, id := range nodes {
			at := m.at + uniform(m.stream(x.stage.Seed, "churn within ", id), m.clause.Within)
			later(at, func() { x.one(m, id, at, later) })
		}
	}
}

func (x *expansion) resolve(m *moment, w *Who, filter func(*member) bool) []mechanism.NodeID {
	nodes, problem := x.cast.resolve(w, filter, func(id mechanism.NodeID) random.Stream {
		return m.stream(x.stage.Seed, "churn who ", id)
	})
	if problem != nil {
		m.fail(&x.plan, problem.Problem, problem.Remedy)
	}
	return nodes
}

// crash ends the nodes of a process, and has them come back if they do.
func (x *expansion) crash(m *moment, u *unit, at world.Time, later func(world.Time, func())) {
	c := m.clause
	var struck []mechanism.NodeID
	for _, id := range u.nodes {
		n := x.cast.members[id]
		if n.state != up {
			continue
		}
		struck = append(struck, id)
		kind, then := Crash, crashed
		if c.Memory {
			kind, then = Freeze, frozen
		}
		x.emit(m, Event{At: at, Kind: kind, Node: id})
		if n.spare > 0 {
			n.spare-- // one of its computers; the others go on
			continue
		}
		n.state, n.expected = then, c.Back
		x.vacate(id)
	}
	if !c.Back || len(struck) == 0 {
		return
	}
	later(at+c.After, func() {
		if c.Moved {
			x.move(u)
		}
		for _, id := range struck {
			x.comeBack(m, id, at+c.After)
		}
	})
}

// vacate notes that a user's place is free, if nobody comes back to it.
func (x *expansion) vacate(id mechanism.NodeID) {
	n := x.cast.members[id]
	if p := x.cast.place(id); p.User != 0 && !n.expected && n.state != frozen {
		x.cast.vacant = append(x.cast.vacant, p)
	}
}

// move has a process begin again on a host of its own that nobody has used.
func (x *expansion) move(u *unit) {
	x.moves++
	u.been = append(u.been, u.host)
	u.host = -x.moves
}

// comeBack lets a node that is away begin again, or go on.
func (x *expansion) comeBack(m *moment, id mechanism.NodeID, at world.Time) {
	n := x.cast.members[id]
	switch n.state {
	case up:
		x.standBy(m, id, at)
	case frozen:
		n.state, n.expected = up, false
		x.emit(m, Event{At: at, Kind: Thaw, Node: id})
	default:
		x.cast.vacant = slices.DeleteFunc(x.cast.vacant, func(p mechanism.Place) bool { return p.ID == id })
		x.start(m, Return, at, id)
	}
}

// standBy lets a computer that had failed stand by again for a node that others kept.
func (x *expansion) standBy(m *moment, id mechanism.NodeID, at world.Time) {
	n := x.cast.members[id]
	if n.spare == n.spares {
		return
	}
	n.spare++
	kind := Return
	if m.clause.Memory {
		kind = Thaw
	}
	n.epoch++
	x.emit(m, Event{At: at, Kind: kind, Node: id, Epoch: n.epoch, Host: n.unit.host})
}

// one does to a node what is not done to its whole process.
func (x *expansion) one(m *moment, id mechanism.NodeID, at world.Time, later func(world.Time, func())) {
	c, n := m.clause, x.cast.members[id]
	switch {
	case c.Verb == VerbReturn:
		if c.Moved && n.state != up {
			x.move(n.unit)
		}
		x.comeBack(m, id, at)
	case n.state != up:
	case c.Verb == VerbGather:
		x.emit(m, Event{At: at, Kind: Gather, Node: id, Spot: x.spot(m), Until: x.until(m, at)})
	default: // leave
		x.depart(m, id, at, later)
	}
}

// drain takes the nodes of a process off their host. Those without a user hold what others need: they go on elsewhere, with their
// memory. A user leaves, and has some time for it.
func (x *expansion) drain(m *moment, u *unit, later func(world.Time, func())) {
	c := m.clause
	for _, id := range u.nodes {
		switch n := x.cast.members[id]; {
		case x.cast.place(id).User != 0:
			continue
		case c.Back:
			m.fail(&x.plan, "who is drained goes on elsewhere at once", "leave out when it is back; a server that ends crashes, or is replaced")
		case n.spares > 0:
			m.fail(&x.plan, "a node with replicas cannot be drained", "have one of its computers crash, or leave host.replicas at 1")
		}
	}
	moved := false
	for _, id := range u.nodes {
		n := x.cast.members[id]
		if n.state != up {
			continue
		}
		if x.cast.place(id).User != 0 {
			x.depart(m, id, m.at, later)
			continue
		}
		if !moved {
			moved = true
			x.move(u)
		}
		n.epoch++
		x.emit(m, Event{At: m.at, Kind: Move, Node: id, Epoch: n.epoch, Host: u.host, Grace: c.Within})
	}
}

// depart has a node leave, and come back if it does.
func (x *expansion) depart(m *moment, id mechanism.NodeID, at world.Time, later func(world.Time, func())) {
	c, n := m.clause, x.cast.members[id]
	var grace world.Time
	if c.Verb == VerbDrain {
		grace = c.Within
	}
	n.state, n.expected = gone, c.Back
	x.emit(m, Event{At: at, Kind: Leave, Node: id, Grace: grace})
	epoch := n.epoch
	later(at+grace, func() {
		if n.state == gone && n.epoch == epoch {
			x.vacate(id)
		}
	})
	if c.Back {
		back := at + grace + c.After
		later(back, func() {
			if c.Moved {
				x.move(n.unit)
			}
			x.comeBack(m, id, back)
		})
	}
}

// until is when what begins at a time is over.
func (x *expansion) until(m *moment, at world.Time) world.Time {
	if m.clause.For == 0 {
		return world.Never
	}
	return at + m.clause.For
}

// spot is the place that a moment is about.
func (x *expansion) spot(m *moment) fixed.Vec {
	s, b := m.clause.Spot, x.stage.Bounds
	if !s.Relative {
		return b.Clamp(fixed.Vec{X: s.X, Y: s.Y})
	}
	size := b.Max.Sub(b.Min)
	return b.Min.Add(fixed.Vec{X: size.X.Mul(s.X), Y: size.Y.Mul(s.Y)})
}
