package relay

import (
	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// Filter decides who hears of an action.
type Filter interface {
	// Told takes over how a user's objects are, as the user's client says.
	Told(u world.User, news []News)

	// Left says that a user is gone, with all they had.
	Left(u world.User)

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
	config  *Config
	world   world.World
	link    *link.Layer
	filter  Filter
	length  world.Time // of a tick
	still   bool       // whether ticks change nothing, so that nobody needs to hear of them
	now     moment
	members membership.Members[*member]
	lookAt  world.Time        // when to look for those who have gone
	witness mechanism.Witness // nil where nobody asks
	action  world.Action      // what is being put into the order
	begun   bool              // somebody has ever known the world
	routes  []route
	none    latejoin.Guide // for those who have to ask again
	news    []News
	buf     []byte
}

var (
	_ mechanism.Ordered = (*server)(nil)
	_ mechanism.Sized   = (*server)(nil)
)

func newServer(c *Config, s *mechanism.Session, f Filter) *server {
	n := &server{config: c, world: s.World, link: link.New(c.Link, star.Server, s.Epoch), filter: f, length: s.World.Schema().Tick}
	n.link.Expect(func(id mechanism.NodeID) bool { return n.members.At(id) != nil })
	n.members = membership.NewMembers[*member](star.Seats(s.World), c.Patience)
	_, n.still = s.World.(world.Still)
	n.now.tick = s.Start.Tick()
	if s.Late {
		return n // it knows nobody: who was there is told so, and joins again
	}
	for _, p := range s.Places {
		if p.User != 0 {
			n.members.Add(&member{Member: membership.Member{Node: p.ID, User: p.User}, knows: true, asked: -askLapse - 1})
			n.begun = true
		}
	}
	return n
}

// Receive implements mechanism.Node.
func (n *server) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if star.UserOf(n.world, m.From) == 0 {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
		return
	}
	known := n.members.At(m.From) != nil
	n.link.Receive(now, m, n, out)
	if x := n.members.At(m.From); x != nil {
		x.Heard = now
	} else if !known {
		n.refuse(now, m.From, out)
	}
	n.finish(out)
}

// Wake implements mechanism.Node.
func (n *server) Wake(now world.Time, out *mechanism.Outbox) {
	n.link.Wake(now, n, out)
	n.pass(now, out)
	n.lookAround(now, out)
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
		n.link.SendAll(now, n.members.Nodes(), mechanism.Command, n.buf, link.Ordered, out)
		out.Charge(world.Work(n.members.Len()))
	}
}

func (n *server) finish(out *mechanism.Outbox) {
	next := n.link.Next()
	if n.members.Len() > 0 {
		next = min(next, n.lookAt)
	}
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
	switch kind := r.Byte(); {
	case kind == kindJoin:
		sound = n.takeJoin(now, m.From, &r, out)
	case kind == kindLeave:
		sound = n.takeLeave(now, m.From, &r, out)
	case n.members.At(m.From) == nil:
		sound = true // whatever it is, it is too late
	case kind == kindAct:
		sound = n.takeAct(now, n.members.At(m.From), &r, out)
	case kind == kindTell:
		sound = n.takeTell(star.UserOf(n.world, m.From), &r, out)
	case kind == kindHere:
		sound = r.Done() == nil
	case kind == kindKnows:
		if sound = r.Done() == nil; sound {
			n.members.At(m.From).knows = true
		}
	case kind == kindAsk:
		sound = n.takeAsk(now, n.members.At(m.From), r.Rest(), out)
	case kind == kindPart:
		sound = n.takePart(now, m.From, &r, out)
	}
	if !sound {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
	return sound
}

// takeAct puts an action into the order.
func (n *server) takeAct(now world.Time, m *member, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	n.action = world.ReadAction(r)
	a := &n.action
	if r.Failed() || a.User != m.User || n.world.Schema().CheckAction(a) != nil || !n.takeTell(m.User, r, out) {
		return false
	}
	if !n.may(m) {
		out.Report(mechanism.Event{Name: mechanism.Dropped, User: a.User, Seq: a.Seq})
		return true
	}
	n.order(now, out)
	out.Report(mechanism.Event{Name: mechanism.Executed, User: a.User, Seq: a.Seq, Verb: a.Verb, Value: int64(n.now.tick)})
	return true
}

// takeTell takes how a user's objects are, as far as the rest of a message says.
func (n *server) takeTell(u world.User, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	n.news = readNews(r, n.world.Schema(), n.news[:0])
	if r.Done() != nil || n.filter == nil && len(n.news) > 0 {
		return false
	}
	for i := range n.news {
		if x := &n.news[i]; !x.Gone && x.Object.User != u {
			return false
		}
	}
	if len(n.news) > 0 {
		n.filter.Told(u, n.news)
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
	d := mechanism.Entry{Steps: steps, Tick: n.now.tick, Whole: true}
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
		n.link.SendAll(now, n.members.Nodes(), mechanism.Command, n.buf, link.Ordered, out)
		out.Count(mechanism.Command, n.members.Len())
		out.Charge(world.Work(n.members.Len()))
		return
	}
	for _, h := range n.filter.Hear(n.action.User) {
		to := star.NodeOf(h.User)
		if n.members.Of(h.User) == nil {
			continue
		}
		n.show(now, to, h.Before, out)
		n.command()
		n.link.Send(now, to, mechanism.Command, n.buf, link.Ordered, out)
		out.Count(mechanism.Command, 1)
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
	out.Count(mechanism.Update, len(news))
	out.Charge(world.Work(len(news)))
}

// Testify implements mechanism.Ordered.
func (n *server) Testify(w mechanism.Witness) { n.witness = w }

// Bytes implements mechanism.Sized.
func (n *server) Bytes() int { return n.link.Bytes() + n.members.Bytes() + cap(n.buf) }
