package octree

import (
	"throng/mechanism"
	"throng/mechanism/parts/aggregate"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/fixed"
)

// A client with a budget is told of what is near one by one, as far as the budget suffices, and of what is farther away by clouds
// (package aggregate). How far that is follows from what its objects would cost if all were told of: the projection.

// allowance is what a client may be sent, and what that is used for.
type allowance struct {
	update.Budget
	rate  int     // bytes per second: the budget, or less while the client does not keep up
	reach fixed.F // how far away objects are told of one by one

	// Of the updates since it was last reviewed:
	bytes, items, members, updates int
	starved                        bool // something had to wait
	blocked                        bool // the client did not keep up
	each                           int  // what one object costs in an update, about
	share                          int  // of the objects that an update tells of, in 1,024ths
}

func (n *server) newAllowance(now world.Time) allowance {
	b := n.config.Budget
	burst := max(int(int64(b)*int64(n.config.interval(n.length))/int64(world.Second)), n.config.Datagram)
	return allowance{Budget: update.NewBudget(b, burst, now), rate: b, reach: n.field.Sight(), each: eachAtFirst, share: shareAll}
}

const (
	eachAtFirst = 10
	shareAll    = 1024

	// reachMin is how near objects are told of one by one whatever they cost, as a share of sight: they go by turns then.
	reachMin = 64
)

// room is how much a datagram to a client may hold now; too little for anything is none.
func (a *allowance) room(now world.Time, datagram int) int {
	room := min(datagram, a.Left(now))
	if room < roomMin {
		a.starved = true
		return 0
	}
	return room
}

// roomMin is the least that a datagram is sent for.
const roomMin = 64

// spent notes what an update took.
func (a *allowance) spent(size, items int, more bool) {
	a.Spend(size)
	a.bytes += size
	a.items += items
	a.starved = a.starved || more
}

// review sets how far objects are told of one by one until the next review, from what they would cost.
func (a *allowance) review(now world.Time, budget int, sight fixed.F, perSecond int) {
	if a.items > 0 {
		a.each += (a.bytes/a.items - a.each) / 4
	}
	if a.members > 0 {
		share := shareAll * a.items / a.members
		if a.starved {
			share = max(share, shareAll) // not all that should have been told was
		}
		a.share += (share - a.share) / 4
	}
	if a.blocked {
		a.rate = max(a.rate*3/4, budget/16, 1)
	} else {
		a.rate = min(a.rate+budget/32+1, budget)
	}
	a.Slow(a.rate)
	if a.updates > 0 {
		projected := int64(a.members/a.updates) * int64(a.each) * int64(a.share) / shareAll * int64(perSecond)
		a.follow(projected, int64(a.rate)*7/8, sight)
	}
	a.bytes, a.items, a.members, a.updates, a.starved, a.blocked = 0, 0, 0, 0, false, false
}

// follow lengthens or shortens the reach: what is within it goes with its square, about.
func (a *allowance) follow(projected, allowed int64, sight fixed.F) {
	switch {
	case projected > allowed:
		a.reach = max(a.reach.Mul(max(fixed.Ratio(allowed, projected).Sqrt(), fixed.One/2)), sight/reachMin)
	case projected < allowed*7/8:
		a.reach = min(a.reach+a.reach/8, sight)
	}
}

// clouded reports whether a client sees some of its surroundings as clouds.
func (n *server) clouded(m *member) bool { return m.budget.reach < n.field.Sight() }

// survey reviews budgets, and tells clients of the crowds that they are not told of one by one. The book of these is kept only while
// somebody needs it.
func (n *server) survey(now world.Time, out *mechanism.Outbox) {
	if n.config.Budget == 0 || now < n.surveyed+n.config.Clouds {
		return
	}
	n.surveyed = now
	some := false
	perSecond := int(world.Second / n.config.interval(n.length))
	for _, m := range n.members.All() {
		m.budget.review(now, n.config.Budget, n.field.Sight(), perSecond)
		some = some || n.clouded(m)
	}
	switch {
	case !some:
		n.book = nil
		return
	case n.book == nil:
		n.beginClouds(now)
	}
	n.book.Renew(now)
	for _, m := range n.members.All() {
		if n.clouded(m) {
			n.sayClouds(now, m, out)
		}
	}
}

// beginClouds begins to count who is where.
func (n *server) beginClouds(now world.Time) {
	n.book = aggregate.NewBook(n.session.World.Schema().Bounds, depthFor(n.watcher.space, n.field.Sight()/cloudsAcross))
	for o := range n.shown.All() {
		n.count(world.Change{New: o})
	}
	n.book.Renew(now)
}

// cloudsAcross is how many of the smallest clouds sight reaches, at least.
const cloudsAcross = 16

// count notes how an object has changed, if anybody sees crowds as clouds.
func (n *server) count(c world.Change) {
	o := c.New
	if o == nil {
		o = c.Old
	}
	if n.book != nil && n.field.Placed(o) {
		n.book.Change(c)
	}
}

// sayClouds tells a client of the crowds around it, in a datagram that is no more than part of its budget.
func (n *server) sayClouds(now world.Time, m *member, out *mechanism.Outbox) {
	n.buf = input.AppendClouds(n.buf[:0], m.Identity, n.shownAt)
	head := len(n.buf)
	room := min(n.config.Datagram, max(int(int64(m.budget.rate)*int64(n.config.Clouds)/int64(world.Second)/cloudsPart), cloudsLeast))
	eye := aggregate.Eye{Centres: n.field.Centres(m.User), Near: m.budget.reach, Sight: n.field.Sight()}
	if len(eye.Centres) == 0 {
		return
	}
	for most := (room - head) / cloudLeast; most > 0; most = most * 7 / 8 { // all that there are have to fit
		n.clouds = n.book.Look(n.clouds[:0], eye, most)
		n.buf = n.buf[:head]
		for i := range n.clouds {
			n.buf = aggregate.Append(n.buf, n.clouds[i])
		}
		n.work += world.Work(len(n.clouds))
		if len(n.buf) <= room {
			break
		}
	}
	m.budget.Spend(len(n.buf))
	out.Send(m.Node, mechanism.Update, n.buf)
}

const (
	cloudLeast  = 10  // bytes that a cloud takes, about
	cloudsPart  = 4   // what part of a budget clouds may take
	cloudsLeast = 128 // bytes that they get at a time whatever the budget
)
