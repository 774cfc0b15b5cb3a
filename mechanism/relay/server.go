package relay

import (
	"fmt"
	"slices"

	"throng/mechanism"
	"throng/mechanism/link"
	"throng/world"
	"throng/world/wire"
)

// Server is the ID of the server's node; clients follow in the order of their users.
const Server mechanism.NodeID = 1

// Places puts the server first and then a client for each user.
func Places(w world.World) []mechanism.Place {
	places := []mechanism.Place{{ID: Server, Role: "server"}}
	for u := world.User(1); u <= w.Users(); u++ {
		places = append(places, Admit(u))
	}
	return places
}

// Admit is the place of a user, whether there from the start or later.
func Admit(u world.User) mechanism.Place {
	return mechanism.Place{ID: nodeOf(u), Role: "client", User: u}
}

func nodeOf(u world.User) mechanism.NodeID { return Server + mechanism.NodeID(u) }

func userOf(id mechanism.NodeID) world.User { return world.User(id - Server) }

// NewNode builds the node for a place: the server, which may have a filter, or a client, which tells how its user's objects
// are at least every so often if tell is not zero.
func NewNode(cfg link.Config, s *mechanism.Session, p mechanism.Place, f Filter, tell world.Time) (mechanism.Node, error) {
	switch {
	case p.ID == Server:
		if mechanism.ClientsOnly {
			return nil, mechanism.ErrClientsOnly
		}
		return newServer(cfg, s, f), nil
	case p.User == 0 || p.ID != nodeOf(p.User):
		return nil, fmt.Errorf("node %d: a client needs a user, whose number is one less", p.ID)
	}
	return newClient(cfg, s, p, tell), nil
}

// Filter decides who hears of an action.
type Filter interface {
	// Told takes over how a user's objects are, as the user's client says.
	Told(u world.User, news []News)

	// Hear lists who is to hear of a user's action, the user included, in the order of users. The result holds until the
	// next call.
	Hear(u world.User) []Hearer

	// TakeWork returns the work done since it was last asked.
	TakeWork() world.Work
}

// Hearer is somebody who is to hear of an action, and how objects are that they have to be told of before.
type Hearer struct {
	User   world.User
	Before []News
}

// server puts actions into an order and passes them on.
type server struct {
	world   world.World
	link    *link.Layer
	filter  Filter
	length  world.Time // of a tick
	still   bool       // whether ticks change nothing, so that nobody needs to hear of them
	now     moment
	members []mechanism.NodeID // in order
	epochs  []uint32           // of the members
	witness mechanism.Witness  // nil where nobody asks
	action  world.Action       // what is being put into the order
	news    []News
	buf     []byte
}

func newServer(cfg link.Config, s *mechanism.Session, f Filter) *server {
	n := &server{world: s.World, link: link.New(cfg, Server, s.Epoch), filter: f, length: s.World.Schema().Tick}
	_, n.still = s.World.(world.Still)
	n.now.tick = s.Start.Tick()
	for _, p := range s.Places {
		if p.User != 0 {
			n.members = append(n.members, p.ID)
		}
	}
	n.epochs = make([]uint32, len(n.members))
	return n
}

// Receive implements mechanism.Node.
func (n *server) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if m.From > Server && !n.welcome(userOf(m.From)) || m.From <= Server {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		return
	}
	n.link.Receive(now, m, n, out)
	n.finish(out)
}

// welcome says whether somebody can be a user: one of those that the world begins with, or anybody where people may enter.
func (n *server) welcome(u world.User) bool {
	_, inhabited := n.world.(world.Inhabited)
	return inhabited || u <= n.world.Users()
}

// Wake implements mechanism.Node.
func (n *server) Wake(now world.Time, out *mechanism.Outbox) {
	n.link.Wake(now, n, out)
	n.pass(now, out)
	n.finish(out)
}

// pass lets time pass up to now.
func (n *server) pass(now world.Time, out *mechanism.Outbox) {
	for reached := mechanism.TickAt(now, n.length); n.now.tick < reached; {
		if n.still {
			n.now.tick = reached
			return
		}
		steps := min(reached-n.now.tick, ticksMax)
		n.now.tick += steps
		n.place(int(steps))
		n.buf = n.now.append(n.buf[:0], kindTick)
		n.link.SendAll(now, n.members, mechanism.Command, n.buf, link.Ordered, out)
		out.Charge(world.Work(len(n.members)))
	}
}

func (n *server) finish(out *mechanism.Outbox) {
	next := n.link.Next()
	if !n.still {
		next = min(next, mechanism.TimeOf(n.now.tick+1, n.length))
	}
	out.WakeAt(next)
}

// Deliver implements link.Handler.
func (n *server) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	n.pass(now, out)
	r := wire.NewReader(m.Payload)
	sound := false
	switch r.Byte() {
	case kindJoin:
		sound = n.takeJoin(now, m.From, &r, out)
	case kindAct:
		sound = n.takeAct(now, m.From, &r, out)
	case kindTell:
		sound = n.takeTell(m.From, &r, out)
	}
	if !sound {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
	return sound
}

// takeJoin takes in a newcomer: from now on it is sent the order, in which it enters.
func (n *server) takeJoin(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	epoch, u := readJoin(r)
	if r.Done() != nil || u != userOf(from) {
		return false
	}
	i, known := slices.BinarySearch(n.members, from)
	if known && epoch <= n.epochs[i] {
		return true // repeated
	}
	if !known {
		n.members = slices.Insert(n.members, i, from)
		n.epochs = slices.Insert(n.epochs, i, 0)
	}
	n.epochs[i] = epoch
	n.link.Meet(from, epoch)
	n.buf = appendWelcome(n.buf[:0], epoch)
	n.link.Send(now, from, mechanism.Control, n.buf, link.Ordered, out)
	n.action = world.Action{User: u, Verb: world.Enter}
	n.order(now, out)
	return true
}

// takeAct puts an action into the order.
func (n *server) takeAct(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	n.action = world.ReadAction(r)
	a := &n.action
	if r.Failed() || a.User != userOf(from) || n.world.Schema().CheckAction(a) != nil || !n.takeTell(from, r, out) {
		return false
	}
	n.order(now, out)
	out.Report(mechanism.Event{Name: mechanism.Executed, User: a.User, Seq: a.Seq, Value: int64(n.now.tick)})
	return true
}

// takeTell takes how a user's objects are, as far as the rest of a message says.
func (n *server) takeTell(from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	n.news = readNews(r, n.world.Schema(), n.news[:0])
	if r.Done() != nil || n.filter == nil && len(n.news) > 0 {
		return false
	}
	for i := range n.news {
		if x := &n.news[i]; !x.Gone && x.Object.User != userOf(from) {
			return false
		}
	}
	if len(n.news) > 0 {
		n.filter.Told(userOf(from), n.news)
		out.Charge(n.filter.TakeWork())
	}
	return true
}

// place takes the next position in the order, for the action or, if that is not zero, for so many steps. What stands there is
// for all the world, and for good.
func (n *server) place(steps int) {
	n.now.position++
	if n.witness == nil {
		return
	}
	d := mechanism.Deed{Steps: steps, Tick: n.now.tick, Whole: true}
	if steps == 0 {
		d.Action = n.action
	}
	n.witness.Placed(n.now.position, &d)
	n.witness.Settled(n.now.position)
}

// order gives the action the next place and passes it on. Who comes and who goes concerns everybody.
func (n *server) order(now world.Time, out *mechanism.Outbox) {
	n.place(0)
	if n.filter == nil || n.action.Verb == world.Enter || n.action.Verb == world.Leave {
		n.command()
		n.link.SendAll(now, n.members, mechanism.Command, n.buf, link.Ordered, out)
		out.Charge(world.Work(len(n.members)))
		return
	}
	for _, h := range n.filter.Hear(n.action.User) {
		to := nodeOf(h.User)
		if _, known := slices.BinarySearch(n.members, to); !known {
			continue
		}
		n.show(now, to, h.Before, out)
		n.command()
		n.link.Send(now, to, mechanism.Command, n.buf, link.Ordered, out)
		out.Charge(1)
	}
	out.Charge(n.filter.TakeWork())
}

// command writes the action as it is passed on.
func (n *server) command() {
	n.buf = world.AppendAction(n.now.append(n.buf[:0], kindDo), &n.action)
}

// show tells a client how some objects are.
func (n *server) show(now world.Time, to mechanism.NodeID, news []News, out *mechanism.Outbox) {
	n.buf = n.now.append(n.buf[:0], kindShow)
	head := len(n.buf)
	for i := range news {
		n.buf = news[i].append(n.buf, n.world.Schema())
		if len(n.buf) >= tellBytes || i == len(news)-1 {
			n.link.Send(now, to, mechanism.Update, n.buf, link.Ordered, out)
			n.buf = n.buf[:head]
		}
	}
	out.Charge(world.Work(len(news)))
}

// Testify implements mechanism.Ordered.
func (n *server) Testify(w mechanism.Witness) { n.witness = w }

// Bytes implements mechanism.Sized.
func (n *server) Bytes() int { return n.link.Bytes() + 8*cap(n.members) + cap(n.buf) }
