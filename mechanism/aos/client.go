package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// client is a user's node. It simulates some areas itself and is told of what its user sees in others.
type client struct {
	config  *Config
	session *mechanism.Session
	place   mechanism.Place
	plan    *area.Map
	servers area.Servers
	pace    turn.Pace
	links   *link.Layer

	regions  []region // by area
	view     view
	manager  manager
	manage   world.Time // when areas are to be ranked next
	entrance entrance
	begun    bool
	pending  pending
	print    world.Footprint
	action   world.Action // what the user does; here, since rules are handed a pointer to it
	also     []also       // to be told to servers
	chosen   []int
	scores   []int64
	buf      []byte
}

var (
	_ mechanism.Arriving   = (*client)(nil)
	_ mechanism.Departing  = (*client)(nil)
	_ mechanism.Holder     = (*client)(nil)
	_ mechanism.Lagging    = (*client)(nil)
	_ mechanism.Lingering  = (*client)(nil)
	_ mechanism.Mapped     = (*client)(nil)
	_ mechanism.Simulating = (*client)(nil)
	_ mechanism.Sized      = (*client)(nil)
	_ mechanism.Watching   = (*client)(nil)
)

func newClient(c *Config, s *mechanism.Session, p mechanism.Place) *client {
	n := &client{
		config: c, session: s, place: p,
		plan: c.plan(s.World), servers: c.servers(), pace: c.pace(s.World.Schema()),
		links:   link.New(c.Link, p.ID, s.Epoch),
		manager: newManager(c),
		scores:  make([]int64, c.Len()),
	}
	n.regions = make([]region, c.Len())
	for i := range n.regions {
		n.regions[i].client, n.regions[i].area, n.regions[i].server = n, i, n.servers.Of(i)
		n.regions[i].leaving = world.Never
	}
	n.view.begin(n)
	n.links.Expect(n.knows)
	n.entrance.begin(n)
	if s.Late {
		n.manage, n.begun = world.Second, true
		return n
	}
	n.count(s.Start)
	for _, i := range n.manager.first(p.User, s.Start.Seed(), n.scores) {
		n.regions[i].simulate(newReplica(c, s, n.plan, i), 0)
	}
	n.manage = c.Window
	n.begun = true
	return n
}

// firstAreas says which areas each user's client simulates from the start.
func firstAreas(c *Config, s *mechanism.Session, plan *area.Map) func(u world.User) []int {
	areas := c.Len()
	scores := make([]int64, (int(s.World.Users())+1)*areas)
	for o := range s.Start.All() {
		if o.User <= s.World.Users() {
			scores[int(o.User)*areas+plan.AreaOf(o)] += world.Value(s.World, s.Start, o)
		}
	}
	return func(u world.User) []int {
		if s.Late || u > s.World.Users() {
			return nil
		}
		m := newManager(c)
		return m.first(u, s.Start.Seed(), scores[int(u)*areas:(int(u)+1)*areas])
	}
}

// count adds up what the user has in each area.
func (n *client) count(s *world.State) {
	clear(n.scores)
	for o := range s.All() {
		if o.User == n.place.User {
			n.scores[n.plan.AreaOf(o)] += world.Value(n.session.World, s, o)
		}
	}
}

// View is what the user sees: what the client simulates, and what it is told of.
func (n *client) View() *world.State { return n.view.refresh() }

// Holds reports whether the view has an object.
func (n *client) Holds(id world.ID) bool { return n.view.refresh().Get(id) != nil }

// Lag is how long the user's actions take to take effect.
func (n *client) Lag() world.Time {
	return world.Time(n.config.Turns)*n.pace.Length() + n.pace.Length()/2
}

// Ready reports whether the client takes part.
func (n *client) Ready() bool { return n.entrance.ready() }

// Leave says goodbye to all servers, and again until they have heard it.
func (n *client) Leave(now world.Time, out *mechanism.Outbox) {
	n.entrance.leave(now, out)
	n.rest(now, out)
}

// Gone reports whether all servers have heard that the client has left: its node can stop.
func (n *client) Gone() bool { return n.entrance.all((*membership.Presence).Gone) }

// userOf is whose client a node is, or zero.
func (n *client) userOf(id mechanism.NodeID) world.User {
	return n.config.seats(n.session.World).User(id)
}

// Simulates is how many objects the client moves in each tick.
func (n *client) Simulates() int {
	sum := 0
	for i := range n.regions {
		sum += n.regions[i].size()
	}
	return sum
}

// Areas implements mechanism.Mapped.
func (n *client) Areas(dst []mechanism.Area) []mechanism.Area {
	for i := range n.regions {
		x := &n.regions[i]
		a := mechanism.Area{Box: n.plan.Box(i), Server: x.server, Role: mechanism.Ignored, Bytes: x.bytes, Work: x.work}
		switch {
		case x.replica != nil:
			a.Role = mechanism.Simulated
		case x.feed.receiver != nil:
			a.Role = mechanism.Updated
		}
		dst = append(dst, a)
	}
	return dst
}

// Watch implements mechanism.Watching.
func (n *client) Watch(now world.Time, screen fixed.Box, _ *mechanism.Outbox) {
	screen.Min.Z, screen.Max.Z = 0, 0
	n.manager.watch(now, func(i int) bool {
		box := n.plan.Box(i)
		box.Min.Z, box.Max.Z = 0, 0
		return box.Intersects(screen)
	})
}

// Wake lets a tick pass.
func (n *client) Wake(now world.Time, out *mechanism.Outbox) {
	n.links.Wake(now, n, out)
	n.entrance.proceed(now, out)
	n.proceed(now, out)
	n.rest(now, out)
}

// rest ends a call.
func (n *client) rest(now world.Time, out *mechanism.Outbox) {
	n.sayAlso(now, out)
	for i := range out.Sends() {
		if at, ok := n.servers.Area(out.Message(i, n.place.ID).To); ok {
			n.regions[at].spoke = now
		}
	}
	next := mechanism.TimeOf(mechanism.TickAt(now, n.pace.Tick)+1, n.pace.Tick)
	out.WakeAt(min(next, n.links.Next(), n.entrance.next()))
}

// proceed does what is due at a tick.
func (n *client) proceed(now world.Time, out *mechanism.Outbox) {
	tick := mechanism.TickAt(now, n.pace.Tick)
	if tick == n.view.tick {
		return
	}
	n.view.pass(tick)
	for i := range n.regions {
		n.regions[i].proceed(now, tick, out)
	}
	if now >= n.manage && n.Ready() {
		n.manage = now + n.config.Window
		n.rank(now, out)
	}
}

// rank chooses the areas to simulate anew.
func (n *client) rank(now world.Time, out *mechanism.Outbox) {
	if n.config.Manage == Static {
		return
	}
	n.count(n.View())
	if n.manager.base < 0 {
		if slices.Max(n.scores) == 0 { // it has just joined, and has not been told yet what its user has
			n.manage = now + rankAgain
			return
		}
		n.manager.first(n.place.User, 0, n.scores)
	}
	n.chosen = n.manager.choose(now, n.scores, func(i int) bool { return n.regions[i].replica != nil }, n.chosen[:0])
	for i := range n.regions {
		wanted := false
		for _, k := range n.chosen {
			wanted = wanted || k == i
		}
		n.regions[i].wish(now, wanted, out)
	}
}

// rankAgain is when a client that knows of nothing that its user has looks again.
const rankAgain = world.Second / 4

// Act sends what the user does to the server of the area in which it is done.
func (n *client) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	n.proceed(now, out)
	n.action = a
	switch {
	case a.Verb == world.Leave:
		n.entrance.leave(now, out)
		n.report(mechanism.Applied, &n.action, out)
	case a.Verb == world.Enter:
		if n.entrance.left() {
			n.entrance.comeBack(now, out) // who joins enters
		}
		n.report(mechanism.Applied, &n.action, out)
	case !n.Ready() || n.pending.full() || n.session.World.Schema().CheckAction(&n.action) != nil:
		n.report(mechanism.Dropped, &n.action, out)
	default:
		x := &n.regions[n.whose(&n.action)]
		if !x.presence.Member() {
			n.report(mechanism.Dropped, &n.action, out)
			break
		}
		n.pending.add(a.Seq, x.area)
		x.command(now, &n.action, out)
	}
	n.rest(now, out)
}

// whose is the area in which an action is done, as far as the client knows.
func (n *client) whose(a *world.Action) int {
	s := n.View()
	if o := s.Get(area.Target(n.session.World, s, a, &n.print)); o != nil {
		return n.plan.AreaOf(o)
	}
	return max(n.manager.base, 0)
}

func (n *client) report(name string, a *world.Action, out *mechanism.Outbox) {
	out.Report(mechanism.Event{Name: name, User: a.User, Seq: a.Seq})
}

// conclude takes what became of one of the user's actions.
func (n *client) conclude(seq uint32, done bool, out *mechanism.Outbox) {
	if !n.pending.take(seq) {
		return
	}
	a := world.Action{User: n.place.User, Seq: seq}
	if !done {
		n.report(mechanism.Dropped, &a, out)
		return
	}
	n.report(mechanism.Applied, &a, out)
	n.report(mechanism.Confirmed, &a, out)
}

// Receive takes a datagram.
func (n *client) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From == 0 || m.From == n.place.ID || !n.knows(m.From) {
		return
	}
	if i, ok := n.servers.Area(m.From); ok {
		n.regions[i].presence.Hear(now)
	}
	n.proceed(now, out) // what is due now would not be done otherwise, since the next wake-up is asked for below
	n.links.Receive(now, m, n, out)
	n.rest(now, out)
}

// knows reports whether a node has something to say to this one: servers do, and clients that tell of an area.
func (n *client) knows(id mechanism.NodeID) bool {
	if _, ok := n.servers.Area(id); ok || id == registryID {
		return true
	}
	for i := range n.regions {
		x := &n.regions[i]
		if x.feed.from == id || x.serves(id) {
			return true
		}
	}
	return false
}

// Deliver takes a message.
func (n *client) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(m.Payload)
	kind := r.Byte()
	if m.From == registryID {
		return kind == kindAreas && n.entrance.hear(now, &r, out)
	}
	switch kind {
	case kindUpdate:
		i := int(r.UintMax(uint64(len(n.regions) - 1)))
		return !r.Failed() && n.regions[i].takeUpdate(now, m, &r, out)
	case kindReceipt:
		i, number, receipt := readReceipt(&r)
		return r.Done() == nil && i < len(n.regions) && n.regions[i].takeReceipt(m.From, number, receipt)
	}
	i, ok := n.servers.Area(m.From)
	if !ok {
		return false
	}
	x := &n.regions[i]
	x.bytes += int64(len(m.Payload))
	switch kind {
	case kindWelcome, kindGone:
		return x.takeStanding(now, kind, &r)
	case kindHere:
		return r.Done() == nil
	case kindOrders:
		return x.takeOrders(now, nil, &r, out)
	case kindBoth:
		return x.takeOrders(now, r.Bytes(), &r, out)
	case kindNews:
		return x.takeNews(r.Rest())
	case kindChunk:
		return x.takeChunk(now, &r, out)
	case kindAnswer:
		return x.takeAnswer(now, &r, out)
	case kindSource:
		return x.takeSource(&r)
	case kindServe:
		return x.takeServe(&r)
	case kindDone:
		seq, done := readUint32(&r), readFlag(&r)
		if r.Done() == nil {
			n.conclude(seq, done, out)
			return true
		}
	}
	return false
}
