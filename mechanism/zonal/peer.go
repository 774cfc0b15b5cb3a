package zonal

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// peer is a user's machine: it answers for what is the user's, and passes on what others tell.
type peer struct {
	node
	user    world.User
	every   world.Tick
	number  uint64 // of the last bond, claim or look
	seat    seat
	former  mechanism.NodeID // the parent before, whose last letters still count
	climb   climb
	gaze    gaze
	views   []view
	wants   []int // zones to look into
	leaving farewell
	recall  recall
	audit   audit
	crook   crook

	claim   claim
	claimed bool         // the hybrid node knows the children
	claimAt world.Time   // when it was last told
	leaf    bool         // what the parent was last told
	spare   world.Time   // when a backup parent is to be looked for
	cover   *world.State // what the view shows until the peer knows what is its user's
	byes    []bye

	outlines [][]fixed.Vec // of zones, once somebody has asked
}

// seat is a place in a tree.
type seat struct {
	zone   int
	number uint64 // of the bond
	parent pipe   // to nobody while there is no parent
	heard  world.Time
	trip   world.Time // to the parent and back, as it was when the peer turned to it
	backup candidate

	usual   world.Time // the longest that the parent says nothing, of late
	doubted bool       // it has been silent for longer
}

// attached reports whether there is a parent.
func (s *seat) attached() bool { return s.parent.to != 0 }

// view is a look into a zone whose tree the peer is not part of.
type view struct {
	zone int
	gaze gaze
	sent world.Time
}

var (
	_ mechanism.Arriving   = (*peer)(nil)
	_ mechanism.Cheating   = (*peer)(nil)
	_ mechanism.Departing  = (*peer)(nil)
	_ mechanism.Holder     = (*peer)(nil)
	_ mechanism.Lingering  = (*peer)(nil)
	_ mechanism.Relaying   = (*peer)(nil)
	_ mechanism.Simulating = (*peer)(nil)
	_ mechanism.Sized      = (*peer)(nil)
	_ mechanism.Zoned      = (*peer)(nil)
)

func newPeer(c *Config, s *mechanism.Session, p mechanism.Place) *peer {
	n := &peer{node: newNode(c, s, p), user: p.User, number: firstNumber(s.Epoch) + 1, leaf: true, claimed: true}
	n.ended = -1
	n.every = c.every(n.schema.Tick)
	n.degree = c.degreeOf(p.User)
	n.spread = n.spreadAround
	if c.cheats(p.User) {
		n.crook = newCrook(c, n.schema)
		n.spread = n.spreadWrongly
	}
	n.mine = func(o *world.Object) bool { return n.owner(o) == n.user }
	n.zone = int(p.User) % n.land.Len()
	if s.Late {
		n.recall.begin(n.land.Len(), s.Start)
		n.cover = n.state.Clone()
		return n
	}
	n.settle(s.Start, c.forgets())
	return n
}

// settle takes over from the start of the world what the user answers for, and what can be seen from there.
func (n *peer) settle(start *world.State, keep world.Time) {
	for o := range start.All() {
		if n.mine(o) {
			n.state.Put(*o)
		}
	}
	n.review(0, world.Never, func(*world.Object) {})
	n.own = n.own[:0] // nobody has been told
	for o := range n.state.All() {
		n.own = append(n.own, told{*o, -world.Never})
	}
	if at, ok := n.look(n.user, &n.gaze); ok {
		n.zone = n.land.Of(at)
	}
	for o := range start.All() {
		if !n.mine(o) && (n.placeless[o.Kind] || n.gaze.sees(o.Pos, n.land.margin)) {
			n.state.Put(*o)
			n.ledger.Set(o.ID, entry{stamp: -1, until: keep})
		}
	}
}

// View is what the user sees: what the node answers for, and what it has been told of.
func (n *peer) View() *world.State {
	if n.cover != nil {
		return n.cover
	}
	return n.state
}

// Holds reports whether the view has an object.
func (n *peer) Holds(id world.ID) bool { return n.View().Get(id) != nil }

// Ready reports whether the peer takes part: it is in a tree.
func (n *peer) Ready() bool { return n.cover == nil && (n.seat.attached() || n.climb.aim != joining) }

// Simulates is how many objects the node moves in each tick.
func (n *peer) Simulates() int { return len(n.own) }

// Fed is the peer's place in the tree.
func (n *peer) Fed() (parent mechanism.NodeID, level, children int) {
	if n.seat.attached() {
		level = len(n.path) - 1
	}
	return n.seat.parent.to, level, len(n.children)
}

// Bytes is the memory that the node's structures hold.
func (n *peer) Bytes() int { return n.size() }

// Act carries out what the user does on what the node answers for, and has others carry it out on what they do.
func (n *peer) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	n.catchUp(now)
	n.action = a
	if n.schema.CheckAction(&n.action) != nil || n.cover != nil {
		out.Report(mechanism.Event{Name: mechanism.Dropped, User: a.User, Seq: a.Seq})
		return
	}
	if a.Verb != world.Enter && a.Verb != world.Leave {
		n.command(now, &n.action, out)
	}
	n.do(&n.action)
	out.Report(mechanism.Event{Name: mechanism.Applied, User: a.User, Seq: a.Seq, Value: int64(n.tick())})
	out.Charge(n.window.TakeWork())
	n.rest(now, out)
}

// Wake brings the next tick, goes on with what takes time, and sends what has waited.
func (n *peer) Wake(now world.Time, out *mechanism.Outbox) {
	switch {
	case n.leaving.begun:
		n.farewell(now, out)
		return
	case n.cover != nil && !n.remember(now, out):
		return
	}
	if present := mechanism.TickAt(now, n.schema.Tick); n.ended < present {
		n.ended = present
		n.catchUp(now)
		n.part(now, out)
		if present%n.every == world.Tick(n.id)%n.every {
			n.publish(now, out)
			n.handOver(now, out)
			n.moved(now, out)
		}
		n.lookAfter(now, out)
		n.remind(now, out)
		n.letGo(now, out)
	}
	n.proceed(now, out)
	n.rest(now, out)
}

// rest sends what has waited, and sleeps until there is something to do.
func (n *peer) rest(now world.Time, out *mechanism.Outbox) {
	n.flush(now, out)
	out.Charge(n.window.TakeWork())
	out.WakeAt(min(mechanism.TimeOf(n.ended+1, n.schema.Tick), n.relay.due(), n.climb.next()))
}

// moved finds out where the user is, and with that which tree to be in and what to look at.
func (n *peer) moved(now world.Time, out *mechanism.Outbox) {
	if at, ok := n.look(n.user, &n.gaze); ok {
		if zone := n.settleIn(at); zone != n.zone {
			n.zone = zone
			out.Report(mechanism.Event{Name: mechanism.Moved, Value: int64(zone)})
		}
		n.write.head.adjacent = n.adjacent(at)
	}
	n.write.head.gaze.copyFrom(&n.gaze)
	if n.seat.zone != n.zone || !n.seat.attached() && n.climb.phase == resting {
		n.seek(now, joining, out)
	}
	n.lookAround(now, out)
}

// adjacent is the zone in whose band a place is, too, or none.
func (n *peer) adjacent(at fixed.Vec) int {
	n.zones = n.land.Within(n.zones[:0], at, n.land.band/2)
	for _, z := range n.zones {
		if z != n.zone {
			return z
		}
	}
	return none
}

// lookAround looks into all zones that the user sees something of and whose tree the peer is not part of: its own, too, while it has
// no parent.
func (n *peer) lookAround(now world.Time, out *mechanism.Outbox) {
	n.wants = n.wants[:0]
	for i := range n.own {
		o := n.state.Get(n.own[i].object.ID)
		if o == nil || o.User != n.user || n.placeless[o.Kind] {
			continue
		}
		n.zones = n.land.Within(n.zones[:0], o.Pos, n.land.sight+n.land.margin+n.land.reach)
		for _, z := range n.zones {
			n.want(z)
			n.wantHolders(now, z, o.Pos)
		}
	}
	if len(n.wants) == 0 {
		n.want(n.zone)
	}
	head := &n.write.head
	head.visible = [2]int{none, none}
	for i := range min(len(n.wants), 2) {
		head.visible[i] = n.wants[i]
	}
	kept := 0
	for i := range n.views {
		if v := &n.views[i]; !contains(n.wants, v.zone) {
			n.peek(now, v, &gaze{}, out)
			continue
		}
		n.views[kept], n.views[i] = n.views[i], n.views[kept] // each keeps its own memory, which viewOf uses again
		kept++
	}
	n.views = n.views[:kept]
	for _, z := range n.wants {
		g := &n.gaze
		if z == n.zone && len(n.children) > 0 {
			g = &everything // for those who hang on the peer
		}
		n.peek(now, n.viewOf(z), g, out)
	}
}

var everything = gaze{all: true}

// want adds a zone to those to look into.
func (n *peer) want(zone int) {
	if !contains(n.wants, zone) && !(n.seat.attached() && n.seat.zone == zone && !n.seat.doubted) {
		n.wants = append(n.wants, zone)
	}
}

func contains(zones []int, z int) bool {
	for _, x := range zones {
		if x == z {
			return true
		}
	}
	return false
}

func (n *peer) viewOf(zone int) *view {
	for i := range n.views {
		if n.views[i].zone == zone {
			return &n.views[i]
		}
	}
	if len(n.views) < cap(n.views) { // with the memory of one that was closed
		n.views = n.views[:len(n.views)+1]
		v := &n.views[len(n.views)-1]
		*v = view{zone: zone, sent: -world.Never, gaze: gaze{centres: v.gaze.centres[:0]}}
		return v
	}
	n.views = append(n.views, view{zone: zone, sent: -world.Never})
	return &n.views[len(n.views)-1]
}

// peek tells a zone's hybrid node what the user sees, if that is new or has not been said for a while.
func (n *peer) peek(now world.Time, v *view, g *gaze, out *mechanism.Outbox) {
	if now-v.sent < n.config.KeepAlive && v.gaze.near(g, n.land.margin/4) {
		return
	}
	v.gaze.copyFrom(g)
	v.sent = now
	n.number++
	n.buf = g.append(appendKind(n.buf[:0], kindLook, n.number))
	n.tell(hybridOf(v.zone), out)
}

// near reports whether two gazes differ by no more than a little.
func (g *gaze) near(o *gaze, by fixed.F) bool {
	if g.all != o.all || len(g.centres) != len(o.centres) {
		return false
	}
	for i := range g.centres {
		if !g.centres[i].Within(o.centres[i], by) {
			return false
		}
	}
	return true
}

// spreadAround sends a letter to the parent and the children. The hybrid node gets it while it stands in for the parent, and what is the
// peer's own while that is on its way into another zone.
func (n *peer) spreadAround(now world.Time, l *letter, from mechanism.NodeID, out *mechanism.Outbox) {
	n.pass(now, l, from, n.scene, out)
	if from != 0 && (from == n.seat.parent.to || from == hybridOf(n.zone)) {
		return
	}
	if n.seat.attached() {
		n.forward(now, &n.seat.parent, l, from, out)
	}
	if n.fedByHybrid() || n.seat.zone != n.zone && l.origin == n.id {
		n.forward(now, n.pipeTo(n.zone), l, from, out)
	}
}

// Receive takes a message.
func (n *peer) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if !n.known(m.From) {
		return
	}
	if !n.receive(now, m, out) {
		malformed(m, out)
	}
	if !n.leaving.begun && n.cover == nil {
		n.rest(now, out)
	}
}

func (n *peer) receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(m.Payload)
	switch kind := r.Byte(); {
	case kind == kindMemory:
		return n.receiveMemory(now, m.From, &r, out)
	case n.leaving.begun:
		return n.receiveLast(m.From, kind, &r)
	case n.cover != nil:
		return true // it has yet to learn who it is
	case kind == kindPieces:
		return n.receivePieces(now, m, r.Rest(), out)
	case kind == kindOrder:
		return n.obey(now, m, &r, out)
	default:
		return n.receiveBond(now, m.From, kind, &r, out)
	}
}
