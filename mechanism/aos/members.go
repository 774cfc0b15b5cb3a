package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// members are the clients that a server knows.
type members struct {
	membership.Members[*member]
	tellings   uint32 // numbers up to this one were used in telling those who have left
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
		x := m.At(id)
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
	n.publisher.cover(x.User, other, from > 0)
	if from > 0 {
		x.also = append(x.also, source{other + 1, from - 1})
		slices.SortFunc(x.also, func(a, b source) int { return a.area - b.area })
	}
	return true
}

// member is a client.
type member struct {
	membership.Member
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
	m.Members = membership.NewMembers[*member](n.config.seats(n.session.World), n.config.Timeout)
	if n.session.Late {
		return // those who were members before will find out that they are not
	}
	first := firstAreas(n.config, n.session, n.plan)
	for _, p := range n.session.Places {
		if p.User == 0 {
			continue
		}
		x := &member{Member: membership.Member{Node: p.ID, User: p.User}}
		m.Add(x)
		areas := first(p.User)
		for _, i := range areas {
			if !slices.Contains(areas, n.area) {
				x.also = append(x.also, source{area: i + 1})
			}
		}
		if slices.Contains(areas, n.area) {
			x.simulates = true
			x.done, x.claimed.turn = -1, -1
			m.simulating = append(m.simulating, x.Node)
			n.turns.advances.Add(x.Node, 0, turn.Number(n.config.Turns))
		}
	}
}

// enlist has a client simulate the area from a turn on.
func (n *server) enlist(x *member, first turn.Number) {
	x.simulates = true
	n.members.sorted = false
	x.done = first - 2
	x.commands, x.inbox, x.claimed = 0, x.inbox[:0], advance{turn: x.done}
	at, _ := slices.BinarySearch(n.members.simulating, x.Node)
	n.members.simulating = slices.Insert(n.members.simulating, at, x.Node)
	n.turns.advances.Add(x.Node, first-1, n.latencies.clientDelay(n))
}

// demote has a client no longer simulate the area.
func (n *server) demote(now world.Time, x *member, why byte, out *mechanism.Outbox) {
	if !x.simulates {
		return
	}
	x.simulates = false
	n.members.sorted = false
	n.turns.advances.Remove(x.Node)
	n.members.simulating = slices.DeleteFunc(n.members.simulating, func(id mechanism.NodeID) bool { return id == x.Node })
	for i := range x.inbox {
		n.turns.enqueue(n.turns.next(), 0, &x.inbox[i].action)
	}
	x.inbox = x.inbox[:0]
	n.reassign(now, x.Node, out)
	n.send(now, x.Node, mechanism.Control, append(n.buf[:0], kindAnswer, why), out)
}

// takeCommand takes what a user does. What comes from who simulates the area waits until the turn is known to be complete;
// others' actions wait as long as those of this moment do.
func (n *server) takeCommand(now world.Time, x *member, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	n.command = readCommand(r)
	c := &n.command
	if r.Done() != nil || c.action.User != x.User || c.action.Seq == 0 || c.action.Verb == world.Enter || c.action.Verb == world.Leave ||
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
	if x.simulates && a.checked > 0 && n.differs(&a) {
		out.Report(mechanism.Event{Name: mechanism.Differed, User: x.User, Value: int64(n.pace.First(a.checked))})
		n.demote(now, x, answerWrong, out)
	}
	if !x.simulates || a.turn <= x.claimed.turn {
		return true
	}
	x.claimed = a
	if age := n.turns.next() - (a.turn + 1); age >= 0 && age < sentMax {
		x.latency.Add(max(now-n.turns.sent[(a.turn+1)%sentMax], 0))
	}
	if !n.turns.advances.Has(x.Node) { // it was not waited for, and is again
		n.turns.advances.Add(x.Node, x.done+1, n.latencies.clientDelay(n))
	}
	n.settleTurns(now, x)
	slack := world.TicksIn(n.config.Patience, n.pace.Tick)
	if n.config.Demote && a.reached+slack < n.pace.First(a.turn) {
		n.relieve(now, x, out)
	}
	return true
}

// checkTurns is how often those who simulate an area make sure that they have it as its server has.
const checkTurns = 32

// differs reports whether a client has the area otherwise than the server had it.
func (n *server) differs(a *advance) bool {
	hash, known := n.hashes.Get(a.checked)
	return known && hash != a.hash
}

// settleTurns lets the commands of turns that are complete wait for their effect.
func (n *server) settleTurns(now world.Time, x *member) {
	if int(x.claimed.count) > x.commands {
		return // something is still on its way
	}
	for x.done < x.claimed.turn {
		effect, ok := n.turns.advances.Take(x.Node, x.done+1)
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
	return r.Done() == nil && i == n.area && n.publisher.confirm(x.User, number, receipt)
}
