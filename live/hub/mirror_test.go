package hub_test

import (
	"slices"

	"throng/catalog"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// mirror is the plainest mechanism that people can join: a server runs the world and sends all of it to every client once a
// tick. Client messages begin with a letter and the sender's epoch.
type mirror struct {
	Farewells chan mechanism.NodeID `param:"-"` // who said goodbye to the server; may be nil
}

const (
	hello    = 'h'
	goodbye  = 'g'
	command  = 'c'
	serverID = mechanism.NodeID(1)
)

// withMirror is a catalog that has it.
func withMirror(farewells chan mechanism.NodeID) catalog.Catalog {
	c := catalog.Default()
	c.Mechanisms = append(c.Mechanisms, catalog.Mechanism{Name: "mirror", About: "a test's",
		New: func() mechanism.Mechanism { return &mirror{farewells} }})
	return c
}

func (m *mirror) Places(w world.World) []mechanism.Place {
	places := []mechanism.Place{{ID: serverID, Role: "server"}}
	for u := range w.Users() {
		places = append(places, m.Admit(u+1))
	}
	return places
}

func (m *mirror) Admit(u world.User) mechanism.Place {
	return mechanism.Place{ID: serverID + mechanism.NodeID(u), Role: "client", User: u}
}

func (m *mirror) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if p.User == 0 {
		return &mirrorServer{Replica: mechanism.NewReplica(s.World, s.Start), farewells: m.Farewells, epochs: map[mechanism.NodeID]uint64{}}, nil
	}
	return &mirrorClient{session: s, place: p, view: s.Start.Detach(), ready: !s.Late}, nil
}

type mirrorServer struct {
	mechanism.Replica
	farewells chan mechanism.NodeID
	clients   []mechanism.NodeID
	epochs    map[mechanism.NodeID]uint64
	buf       []byte
}

func (n *mirrorServer) View() *world.State { return n.State }
func (n *mirrorServer) Held() *world.State { return n.State }
func (n *mirrorServer) Owns(world.ID) bool { return true }

func (n *mirrorServer) Wake(now world.Time, out *mechanism.Outbox) {
	tick := n.World.Schema().Tick
	for n.State.Tick() < mechanism.TickAt(now, tick) {
		n.Advance()
	}
	n.buf = n.State.Append(n.buf[:0])
	out.SendAll(n.clients, mechanism.Snapshot, n.buf)
	out.WakeAt(mechanism.TimeOf(n.State.Tick()+1, tick))
}

func (n *mirrorServer) Receive(_ world.Time, m mechanism.Message, out *mechanism.Outbox) {
	r := wire.NewReader(m.Payload)
	kind, epoch := r.Byte(), r.Uint()
	if r.Failed() || epoch < n.epochs[m.From] {
		return
	}
	n.epochs[m.From] = epoch
	switch kind {
	case hello:
		if !slices.Contains(n.clients, m.From) {
			n.clients = append(n.clients, m.From)
		}
	case goodbye:
		n.clients = slices.DeleteFunc(n.clients, func(id mechanism.NodeID) bool { return id == m.From })
		if n.farewells != nil {
			n.farewells <- m.From
		}
	case command:
		a := world.ReadAction(&r)
		if r.Done() == nil && n.World.Schema().CheckAction(&a) == nil && mechanism.NodeID(a.User) == m.From-serverID {
			n.Do(&a)
		}
	}
}

// Leave keeps the server from being told nothing of its end: the test wants to see the order.
func (n *mirrorServer) Leave(world.Time, *mechanism.Outbox) {
	if n.farewells != nil {
		n.farewells <- serverID
	}
}

type mirrorClient struct {
	session *mechanism.Session
	place   mechanism.Place
	view    *world.State
	ready   bool
	buf     []byte
}

func (n *mirrorClient) View() *world.State { return n.view }
func (n *mirrorClient) Ready() bool        { return n.ready }

func (n *mirrorClient) Wake(_ world.Time, out *mechanism.Outbox) {
	n.say(hello, nil, out)
}

func (n *mirrorClient) Act(_ world.Time, a world.Action, out *mechanism.Outbox) {
	n.say(command, &a, out)
}

func (n *mirrorClient) Leave(_ world.Time, out *mechanism.Outbox) { n.say(goodbye, nil, out) }

func (n *mirrorClient) say(kind byte, a *world.Action, out *mechanism.Outbox) {
	n.buf = wire.AppendUint(append(n.buf[:0], kind), uint64(n.session.Epoch))
	if a != nil {
		n.buf = world.AppendAction(n.buf, a)
	}
	out.Send(serverID, mechanism.Control, n.buf)
}

func (n *mirrorClient) Receive(_ world.Time, m mechanism.Message, out *mechanism.Outbox) {
	r := wire.NewReader(m.Payload)
	view, err := world.Decode(n.session.World.Schema(), &r)
	if err != nil {
		out.Report(mechanism.Event{Name: mechanism.Malformed})
		return
	}
	n.view, n.ready = view, true
}
