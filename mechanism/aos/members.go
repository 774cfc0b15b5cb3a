package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/link"
	"throng/mechanism/turn"
	"throng/world"
	"throng/world/wire"
)

// members are the clients that a server knows.
type members struct {
	config     *Config
	users      []*member // by user; nil for those it does not know
	simulating []mechanism.NodeID
	groups     []*group // those who simulate the area, by what else they do
	sorted     bool
}

// group is clients that simulate the area and the same others beside it.
type group struct {
	also  []source // from which turn on they have which areas
	nodes []mechanism.NodeID
}

// has reports whether the group knows an object from its source.
func (g *group) has(from source) bool {
	return slices.ContainsFunc(g.also, func(s source) bool { return s.area == from.area && from.turn >= s.turn })
}

// sort brings the groups up to date.
func (m *members) sort() {
	if m.sorted {
		return
	}
	m.sorted = true
	m.groups = m.groups[:0]
	for _, id := range m.simulating {
		x := m.at(id)
		i := slices.IndexFunc(m.groups, func(g *group) bool { return slices.Equal(g.also, x.also) })
		if i < 0 {
			i = len(m.groups)
			m.groups = append(m.groups, &group{also: x.also})
		}
		m.groups[i].nodes = append(m.groups[i].nodes, id)
	}
}

// takeAlso takes that a client simulates another area as well, or no longer does.
func (n *server) takeAlso(x *member, r *wire.Reader) (sound bool) {
	other, from := int(r.UintMax(uint64(n.config.Len()-1))), readTurn(r)
	if r.Done() != nil {
		return false
	}
	n.members.sorted = false
	x.also = slices.DeleteFunc(slices.Clone(x.also), func(s source) bool { return s.area == other+1 })
	n.publisher.cover(x.user, other, from > 0)
	if from > 0 {
		x.also = append(x.also, source{other + 1, from - 1})
		slices.SortFunc(x.also, func(a, b source) int { return a.area - b.area })
	}
	return true
}

// member is a client.
type member struct {
	node      mechanism.NodeID
	user      world.User
	epoch     uint32
	joined    bool
	simulates bool

	// Of one that simulates the area:
	commands int          // how many commands have come
	also     []source     // other areas that it simulates
	inbox    []command    // those of turns that it is not known to be done with
	claimed  advance      // what it last said
	done     turn.Number  // the last turn that it is done with and all of whose commands have come
	latency  turn.Latency // how far away it is
	told     telling      // who tells it of the area, if it does not simulate it; its number counts on
	absent   world.Tick   // since when there was nothing to tell it of
	moving   *promotion   // under way, or nil
}

func (m *members) begin(n *server) {
	m.config = n.config
	first := firstAreas(n.config, n.session, n.plan)
	for _, p := range n.session.Places {
		if p.User == 0 {
			continue
		}
		x := m.add(p.ID, p.User, 0)
		x.joined = true
		areas := first(p.User)
		for _, i := range areas {
			if !slices.Contains(areas, n.area) {
				x.also = append(x.also, source{area: i + 1})
			}
		}
		if slices.Contains(areas, n.area) {
			x.simulates = true
			x.done, x.claimed.turn = -1, -1
			m.simulating = append(m.simulating, x.node)
			n.turns.advances.Add(x.node, 0, turn.Number(n.config.Turns))
		}
	}
}

func (m *members) add(node mechanism.NodeID, u world.User, epoch uint32) *member {
	for len(m.users) <= int(u) {
		m.users = append(m.users, nil)
	}
	m.users[u] = &member{node: node, user: u, epoch: epoch}
	return m.users[u]
}

// of returns a user's client, or nil.
func (m *members) of(u world.User) *member {
	if int(u) >= len(m.users) {
		return nil
	}
	return m.users[u]
}

// at returns the client that a node is, or nil.
func (m *members) at(id mechanism.NodeID) *member {
	u, ok := m.config.userOf(id)
	if !ok {
		return nil
	}
	return m.of(u)
}

// enlist has a client simulate the area from a turn on.
func (n *server) enlist(x *member, first turn.Number) {
	x.simulates = true
	n.members.sorted = false
	x.done = first - 2
	x.commands, x.inbox, x.claimed = 0, x.inbox[:0], advance{turn: x.done}
	at, _ := slices.BinarySearch(n.members.simulating, x.node)
	n.members.simulating = slices.Insert(n.members.simulating, at, x.node)
	n.turns.advances.Add(x.node, first-1, n.latencies.clientDelay(n))
}

// demote has a client no longer simulate the area.
func (n *server) demote(now world.Time, x *member, why byte, out *mechanism.Outbox) {
	if !x.simulates {
		return
	}
	x.simulates = false
	n.members.sorted = false
	n.turns.advances.Remove(x.node)
	n.members.simulating = slices.DeleteFunc(n.members.simulating, func(id mechanism.NodeID) bool { return id == x.node })
	for i := range x.inbox {
		n.turns.enqueue(n.turns.next(), 0, &x.inbox[i].action)
	}
	x.inbox = x.inbox[:0]
	n.reassign(now, x.node, out)
	n.send(now, x.node, mechanism.Control, append(n.buf[:0], kindAnswer, why), out)
}

// takeCommand takes what a user does. What comes from who simulates the area waits until the turn is known to be complete;
// others' actions wait as long as those of this moment do.
func (n *server) takeCommand(now world.Time, x *member, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	n.command = readCommand(r)
	c := &n.command
	if r.Done() != nil || c.action.User != x.user || c.action.Seq == 0 || c.action.Verb == world.Enter || c.action.Verb == world.Leave ||
		n.session.World.Schema().CheckAction(&c.action) != nil {
		return false
	}
	switch {
	case len(x.inbox) >= inboxMax:
		n.answer(now, &c.action, false, out)
	case x.simulates && c.count > 0:
		x.commands++
		x.inbox = append(x.inbox, *c)
		n.settleTurns(now, x)
	case !n.pass(now, 0, &c.action, out):
		n.turns.enqueue(n.turns.next()-1+n.latencies.clientDelay(n), 0, &c.action)
	}
	return true
}

// inboxMax is how many commands of one client may wait.
const inboxMax = 256

// takeAdvance takes that a client is done with a turn.
func (n *server) takeAdvance(now world.Time, x *member, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	a := readAdvance(r)
	if r.Done() != nil || x.simulates && a.turn+1 >= n.turns.next() {
		return false
	}
	if !x.simulates || a.turn <= x.claimed.turn {
		return true
	}
	x.claimed = a
	if age := n.turns.next() - (a.turn + 1); age >= 0 && age < sentMax {
		x.latency.Add(max(now-n.turns.sent[(a.turn+1)%sentMax], 0))
	}
	n.settleTurns(now, x)
	slack := world.TicksIn(n.config.Patience, n.pace.Tick)
	if n.config.Demote && a.reached+slack < n.pace.First(a.turn) {
		n.demote(now, x, answerForced, out)
	}
	return true
}

// settleTurns lets the commands of turns that are complete wait for their effect.
func (n *server) settleTurns(now world.Time, x *member) {
	if int(x.claimed.count) > x.commands {
		return // something is still on its way
	}
	for x.done < x.claimed.turn {
		effect, ok := n.turns.advances.Take(x.node, x.done+1)
		if !ok {
			return
		}
		x.done++
		used := 0
		for used < len(x.inbox) && x.inbox[used].turn <= x.done {
			n.turns.enqueue(effect, 0, &x.inbox[used].action)
			used++
		}
		x.inbox = x.inbox[:copy(x.inbox, x.inbox[used:])]
	}
}

func (n *server) takeReceipt(x *member, r *wire.Reader) (sound bool) {
	i, number, receipt := readReceipt(r)
	return r.Done() == nil && i == n.area && n.publisher.confirm(x.user, number, receipt)
}

// arrange sees to it that everybody is told of the area who is to be, once a turn.
func (n *server) arrange(now world.Time, out *mechanism.Outbox) {
	if n.publisher.everyone() {
		for _, x := range n.members.users {
			n.arrangeFor(now, x, out)
		}
		return
	}
	for _, u := range n.publisher.users {
		n.arrangeFor(now, n.members.of(u), out)
	}
	for i := len(n.desk.told) - 1; i >= 0; i-- { // backwards, since it may be taken out
		n.arrangeFor(now, n.members.of(n.desk.told[i]), out)
	}
}

// arrangeFor decides whether and by whom a client is told of the area.
func (n *server) arrangeFor(now world.Time, x *member, out *mechanism.Outbox) {
	if x == nil || !x.joined {
		return
	}
	tick := n.replica.tick()
	if n.publisher.concerns(x.user) && !x.simulates {
		x.absent = tick
	}
	lasts := world.TicksIn(lingers, n.pace.Tick)
	switch wanted := !x.simulates && tick-x.absent < lasts; {
	case wanted && x.told.node == 0 && x.absent == tick:
		n.tell(now, x, n.teller(), out)
	case !wanted && x.told.node != 0:
		n.tell(now, x, 0, out)
	}
}

// lingers is how long a client is still told of an area in which there is nothing for its user to see any more, so that it
// hears of what has left, and need not begin anew when something comes back.
const lingers = 2 * world.Second

// tell has a node tell a client of the area from now on, or nobody.
func (n *server) tell(now world.Time, x *member, node mechanism.NodeID, out *mechanism.Outbox) {
	n.silence(now, x, out)
	x.told.number++
	x.told.node = node
	at, known := slices.BinarySearch(n.desk.told, x.user)
	switch {
	case node == 0:
		n.desk.told = slices.Delete(n.desk.told, at, at+1)
	case !known:
		n.desk.told = slices.Insert(n.desk.told, at, x.user)
	}
	switch node {
	case 0:
	case n.self:
		n.publisher.admit(x.node, x.user, x.told.number)
	default:
		n.send(now, node, mechanism.Control, appendTelling(n.buf[:0], kindServe, telling{x.told.number, x.node}), out)
	}
	n.send(now, x.node, mechanism.Control, appendTelling(n.buf[:0], kindSource, x.told), out)
}

// silence has whoever tells a client of the area cease to.
func (n *server) silence(now world.Time, x *member, out *mechanism.Outbox) {
	switch x.told.node {
	case 0:
	case n.self:
		n.publisher.dismiss(x.user)
	default:
		if t := n.members.at(x.told.node); t != nil && t.simulates {
			n.send(now, x.told.node, mechanism.Control, appendTelling(n.buf[:0], kindServe, telling{0, x.node}), out)
		}
	}
}

// teller picks who tells the next client of the area: with a forwarding pool the server and all who simulate the area in turn.
func (n *server) teller() mechanism.NodeID {
	if !n.config.Pool {
		return n.self
	}
	n.desk.turn = (n.desk.turn + 1) % (len(n.members.simulating) + 1)
	if n.desk.turn == 0 {
		return n.self
	}
	return n.members.simulating[n.desk.turn-1]
}

// reassign finds others to do what a client did that no longer simulates the area.
func (n *server) reassign(now world.Time, gone mechanism.NodeID, out *mechanism.Outbox) {
	for _, u := range n.desk.told {
		if x := n.members.of(u); x.told.node == gone {
			n.tell(now, x, n.teller(), out)
		}
	}
}

// admit takes a datagram from a node that is not known: it may want to join.
func (n *server) admit(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	for part := range link.Parts(n.config.Link, m.Payload) {
		r := wire.NewReader(part.Payload)
		if r.Byte() != kindJoin {
			return
		}
		epoch, u := readJoin(&r)
		if r.Done() != nil || n.config.Admit(u).ID != m.From || !n.welcome(u) {
			return
		}
		n.welcomeMember(now, n.members.add(m.From, u, epoch), out)
		n.rest(now, out)
		return
	}
}

// welcome says whether a user may be in the world: beyond those that it begins with only where it can take them in.
func (n *server) welcome(u world.User) bool {
	_, inhabited := n.session.World.(world.Inhabited)
	return u != 0 && (inhabited || u <= n.session.World.Users())
}

// takeJoin takes that a client's place has a new holder, or that one has not heard of its welcome.
func (n *server) takeJoin(now world.Time, x *member, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	epoch, u := readJoin(r)
	if r.Done() != nil || u != x.user {
		return false
	}
	if epoch > x.epoch {
		n.dismiss(now, x, out)
		number := x.told.number
		x = n.members.add(x.node, u, epoch)
		x.told.number = number
		n.welcomeMember(now, x, out)
	}
	return true
}

// welcomeMember greets a client, whose user enters the world if the user is not in it.
func (n *server) welcomeMember(now world.Time, x *member, out *mechanism.Outbox) {
	n.links.Meet(x.node, x.epoch)
	x.joined = true
	n.send(now, x.node, mechanism.Control, append(n.buf[:0], kindWelcome), out)
	if n.home(x.user) && !n.roster.Present(x.user) {
		n.stay(now, x.user, out)
		n.turns.enqueue(n.turns.next(), 0, &world.Action{User: x.user, Verb: world.Enter})
	}
}

// home reports whether this server keeps the roster for a user.
func (n *server) home(u world.User) bool { return int(u)%n.config.Len() == n.area }

// stay begins a user's stay in the world or ends it, and tells all servers.
func (n *server) stay(now world.Time, u world.User, out *mechanism.Outbox) {
	number := n.roster.Turn(u)
	n.buf = wire.AppendUint(append(n.buf[:0], kindStay), uint64(u))
	n.buf = wire.AppendUint(n.buf, uint64(number))
	for i := range n.config.Len() {
		if i != n.area {
			n.links.Send(now, n.servers.Of(i), mechanism.Control, n.buf, link.Ordered, out)
		}
	}
}

// takeStay takes that a user has come or gone. What is here of one who has gone goes too.
func (n *server) takeStay(r *wire.Reader) (sound bool) {
	u, number := world.User(readUint32(r)), readUint32(r)
	if r.Done() != nil || !n.welcome(u) {
		return false
	}
	if n.roster.Learn(u, number) {
		n.turns.enqueue(n.turns.next(), 0, &world.Action{User: u, Verb: world.Leave})
	}
	return true
}

// takeLeave lets a client go.
func (n *server) takeLeave(now world.Time, x *member, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	epoch := readUint32(r)
	if r.Done() != nil {
		return false
	}
	if epoch != x.epoch || !x.joined {
		return true
	}
	n.dismiss(now, x, out)
	x.joined = false
	if n.home(x.user) && n.roster.Present(x.user) {
		n.stay(now, x.user, out)
		n.turns.enqueue(n.turns.next(), 0, &world.Action{User: x.user, Verb: world.Leave})
	}
	return true
}

// dismiss ends all that is under way with a client.
func (n *server) dismiss(now world.Time, x *member, out *mechanism.Outbox) {
	n.abandon(x)
	for _, s := range x.also {
		n.publisher.cover(x.user, s.area-1, false)
	}
	x.also = nil
	if x.simulates {
		n.demote(now, x, answerGranted, out)
	}
	if x.told.node != 0 {
		n.tell(now, x, 0, out)
	}
}
