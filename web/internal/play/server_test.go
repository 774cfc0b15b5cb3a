package play

import (
	"encoding/binary"
	"encoding/json"
	"testing"

	"throng/catalog"
	"throng/live/protocol"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// way is how long a frame takes between client and server, one way; ahead how far the server's clock is before the client's.
const (
	way   = 10 * world.Millisecond
	ahead = 1000 * world.Second
	step  = world.Millisecond
)

// server is a gateway with one server's node behind it, in simulated time.
type server struct {
	t       *testing.T
	d       session.Description
	machine *mechanism.Machine
	out     mechanism.Outbox
	place   mechanism.Place // the client's
	epoch   uint32
	refuse  string // said instead of a welcome

	now      world.Time // by the client's clock
	up, down []flight
	hellos   []protocol.Hello
	byes     int
	items    int // datagrams that the client sent
}

// flight is a frame on its way.
type flight struct {
	at    world.Time
	frame []byte
}

// newServer serves a world under central with as few users as it can have.
func newServer(t *testing.T, name string, params map[string]string) *server {
	t.Helper()
	d := session.Description{World: session.Choice{Name: name, Params: params}, Mechanism: session.Choice{Name: "central"}, Seed: 7}
	s, m, err := d.Build(catalog.Default())
	if err != nil {
		t.Fatal(err)
	}
	g := &server{t: t, d: d, place: s.Places[1]}
	config, err := mechanism.Build(m, s, s.Places[0])
	if err != nil {
		t.Fatal(err)
	}
	g.machine = mechanism.NewMachine(config)
	g.out.Carry(s.Places[0].ID, g.route)
	g.machine.Wake(0, &g.out)
	g.machine.Wake(ahead, &g.out)
	return g
}

func (g *server) time() world.Time { return g.now + ahead }

// route sends the client a datagram.
func (g *server) route(m mechanism.Message) {
	if m.To == g.place.ID {
		g.answer(protocol.AppendItem(protocol.AppendData(nil), m.From, m.Class, m.Payload))
	}
}

func (g *server) answer(frame []byte) { g.down = append(g.down, flight{g.now + way, frame}) }

// take does what a gateway does with a frame.
func (g *server) take(frame []byte) {
	switch protocol.KindOf(frame) {
	case protocol.KindHello:
		h, err := protocol.ReadHello(frame)
		if err != nil {
			g.t.Fatal(err)
		}
		if h.Fresh && len(g.hellos) > 0 {
			g.epoch++
		}
		g.hellos = append(g.hellos, h)
		g.welcome()
	case protocol.KindPing:
		sent, err := protocol.ReadPing(frame)
		if err != nil {
			g.t.Fatal(err)
		}
		g.answer(protocol.AppendPong(nil, sent, g.time()))
	case protocol.KindData:
		items := protocol.ReadData(frame)
		for item, ok := items.Next(); ok; item, ok = items.Next() {
			g.items++
			g.machine.Receive(g.time(), mechanism.Message{From: g.place.ID, To: item.Peer, Class: item.Class, Payload: item.Payload}, &g.out)
		}
	case protocol.KindBye:
		g.byes++
	}
}

func (g *server) welcome() {
	if g.refuse != "" {
		g.answer(protocol.AppendGoodbye(nil, g.refuse))
		return
	}
	text, err := json.Marshal(&g.d)
	if err != nil {
		g.t.Fatal(err)
	}
	g.answer(protocol.AppendWelcome(nil, &protocol.Welcome{
		Node: g.place.ID, User: g.place.User, Epoch: g.epoch, Time: g.time(), Tick: 100 * world.Millisecond,
		Role: []byte(g.place.Role), Description: text,
	}))
}

// run lets time pass for both. The owner calls the client when it is due, as the page does.
func (g *server) run(c *Client, span world.Time) {
	due := g.now
	for end := g.now + span; g.now < end; g.now += step {
		for len(g.up) > 0 && g.up[0].at <= g.now {
			g.take(g.up[0].frame)
			g.up = g.up[1:]
		}
		g.machine.Wake(g.time(), &g.out)
		for len(g.down) > 0 && g.down[0].at <= g.now {
			c.Receive(g.now, g.down[0].frame)
			g.down = g.down[1:]
			due = g.now
		}
		if due <= g.now {
			due = c.Advance(g.now)
		}
		g.collect(c)
	}
}

// collect sends what the client has to say.
func (g *server) collect(c *Client) {
	for list := c.Frames(); len(list) > 0; {
		size := 5 + binary.LittleEndian.Uint32(list)
		g.up = append(g.up, flight{g.now + way, append([]byte(nil), list[5:size]...)})
		list = list[size:]
	}
}

// enter returns a client that is in the world.
func enter(t *testing.T, g *server) *Client {
	t.Helper()
	c := New(catalog.Default())
	c.Hello(g.now, []byte("token"), true, 0)
	g.run(c, 2*world.Second)
	if phase, reason := c.Phase(); phase != Playing {
		t.Fatalf("phase %d (%s) after two seconds", phase, reason)
	}
	return c
}

// body is where the user's own object of a kind is shown.
func body(t *testing.T, g *server, c *Client, kind string) (x, y float32) {
	t.Helper()
	id, ok := c.session.World.Schema().Kind(kind)
	if !ok {
		t.Fatalf("no kind %s", kind)
	}
	for _, r := range c.View(g.now) {
		if r.User == uint32(g.place.User) && r.Kind == uint16(id) {
			return r.X, r.Y
		}
	}
	t.Fatalf("the user has no %s", kind)
	return 0, 0
}
