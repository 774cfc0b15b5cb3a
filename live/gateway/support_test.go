package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lxzan/gws"

	"throng/catalog"
	"throng/internal/param"
	"throng/live/hub"
	"throng/live/protocol"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// office is a mechanism with one server, which sends back what begins with the letter for it, and clients that do nothing by
// themselves. It makes a test a matter of datagrams.
type office struct {
	peers bool // there is no server
}

const (
	officeID = mechanism.NodeID(1)
	echo     = 'e' // send the payload back

	// Whole payloads, which no other test says by chance, or a fuzzer:
	fall  = "fall"  // panic
	sleep = "sleep" // panic whenever woken from now on
)

func (o *office) Places(w world.World) []mechanism.Place {
	var places []mechanism.Place
	if !o.peers {
		places = append(places, mechanism.Place{ID: officeID, Role: "server"})
	}
	for u := range w.Users() {
		places = append(places, o.Admit(u+1))
	}
	return places
}

func (o *office) Admit(u world.User) mechanism.Place {
	return mechanism.Place{ID: officeID + mechanism.NodeID(u), Role: "client", User: u}
}

func (o *office) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if p.User == 0 {
		return &officer{}, nil
	}
	return &customer{view: s.Start.Detach()}, nil
}

type officer struct{ asleep bool }

func (o *officer) Wake(now world.Time, out *mechanism.Outbox) {
	if o.asleep {
		panic("asleep")
	}
	out.WakeAt(now + 50*world.Millisecond)
}

func (o *officer) Receive(_ world.Time, m mechanism.Message, out *mechanism.Outbox) {
	switch payload := string(m.Payload); {
	case payload == fall:
		out.Send(m.From, m.Class, []byte("half an answer"))
		panic("fallen")
	case payload == sleep:
		o.asleep = true
	case strings.HasPrefix(payload, string(echo)):
		out.Send(m.From, m.Class, m.Payload)
	}
}

type customer struct{ view *world.State }

// unlucky is what nobody may act upon: a customer then panics.
const unlucky world.ID = 13

func (c *customer) Wake(world.Time, *mechanism.Outbox)                       {}
func (c *customer) Receive(world.Time, mechanism.Message, *mechanism.Outbox) {}
func (c *customer) Act(_ world.Time, a world.Action, out *mechanism.Outbox) {
	if a.Target == unlucky {
		panic("unlucky")
	}
	out.Report(mechanism.Event{Name: mechanism.Applied, User: a.User, Seq: a.Seq})
	out.Report(mechanism.Event{Name: mechanism.Confirmed, User: a.User, Seq: a.Seq})
}
func (c *customer) View() *world.State { return c.view }
func (c *customer) Ready() bool        { return true }

// site is a gateway that is being served, to operators too.
type site struct {
	*Gateway
	http *httptest.Server
}

// open starts a world of two artificial walkers under office, and a gateway to it.
func open(t testing.TB, change func(*Config), mechanisms ...*office) *site {
	t.Helper()
	return openHub(t, hub.Config{}, change, mechanisms...)
}

// openHub is open with more to say about the hub.
func openHub(t testing.TB, hubConfig hub.Config, change func(*Config), mechanisms ...*office) *site {
	t.Helper()
	o := &office{}
	if len(mechanisms) > 0 {
		o = mechanisms[0]
	}
	c := catalog.Default()
	c.Mechanisms = append(c.Mechanisms, catalog.Mechanism{Name: "office", New: func() mechanism.Mechanism { return o }})
	m := NewMonitor("")
	hubConfig.Description = session.Description{
		World:     session.Choice{Name: "crowd", Params: map[string]string{"walkers": "2"}},
		Mechanism: session.Choice{Name: "office"},
	}
	hubConfig.Event, hubConfig.Woken = m.Event, m.Woken
	h, err := hub.Start(hubConfig, c)
	if err != nil {
		t.Fatal(err)
	}
	config := Config{Hub: h, Monitor: m, Limits: param.Default[Limits]()}
	if change != nil {
		change(&config)
	}
	g, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{g, httptest.NewServer(g.Handler())}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // connections that a test has left open are cut
		g.Close(ctx, "the test is over")
		s.http.Close()
	})
	return s
}

// join asks for a seat.
func (s *site) join(t testing.TB, name string) JoinReply {
	t.Helper()
	body, err := json.Marshal(JoinRequest{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(s.http.URL+"/api/join", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var reply JoinReply
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("joining: %s, %v", resp.Status, err)
	}
	return reply
}

// guest is a client over a real WebSocket. What it hears is in frames; the channel is closed at the end.
type guest struct {
	gws.BuiltinEventHandler
	conn   *gws.Conn
	frames chan []byte
	pings  chan struct{}
	closed error // why, once frames is closed
}

// framesMax is how many frames a guest holds that nobody has asked for.
const framesMax = 4096

func (s *site) dial(t testing.TB) *guest {
	t.Helper()
	g, err := s.tryDial(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.conn.NetConn().Close() })
	return g
}

func (s *site) tryDial(header http.Header) (*guest, error) {
	g := &guest{frames: make(chan []byte, framesMax), pings: make(chan struct{}, 1)}
	conn, _, err := gws.NewClient(g, &gws.ClientOption{
		Addr: "ws" + strings.TrimPrefix(s.http.URL, "http") + "/ws", RequestHeader: header,
	})
	if err != nil {
		return nil, err
	}
	g.conn = conn
	go conn.ReadLoop()
	return g, nil
}

func (g *guest) OnMessage(_ *gws.Conn, m *gws.Message) {
	g.frames <- bytes.Clone(m.Bytes())
	m.Close()
}

func (g *guest) OnClose(_ *gws.Conn, err error) {
	g.closed = err
	close(g.frames)
}

func (g *guest) OnPing(c *gws.Conn, payload []byte) {
	g.BuiltinEventHandler.OnPing(c, payload)
	select {
	case g.pings <- struct{}{}:
	default:
	}
}

func (g *guest) send(t testing.TB, frame []byte) {
	t.Helper()
	if err := g.conn.WriteMessage(gws.OpcodeBinary, frame); err != nil {
		t.Fatal(err)
	}
}

// hello introduces the guest and returns what it is told.
func (g *guest) hello(t testing.TB, token string, fresh bool) protocol.Welcome {
	t.Helper()
	g.send(t, helloFrame(token, fresh))
	w, err := protocol.ReadWelcome(g.next(t))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func helloFrame(token string, fresh bool) []byte {
	return protocol.AppendHello(nil, protocol.Hello{Version: protocol.Version, Fresh: fresh, Token: []byte(token)})
}

// next is the next frame. A test that waits for one in vain is ended by the test's own time limit.
func (g *guest) next(t testing.TB) []byte {
	t.Helper()
	f, ok := <-g.frames
	if !ok {
		t.Fatalf("the connection was closed: %v", g.closed)
	}
	return f
}

// goodbye reads up to the server's farewell and to the end of the connection.
func (g *guest) goodbye(t testing.TB) (reason string) {
	t.Helper()
	for f := range g.frames {
		if protocol.KindOf(f) == protocol.KindGoodbye {
			text, err := protocol.ReadGoodbye(f)
			if err != nil {
				t.Fatal(err)
			}
			reason = string(text)
		}
	}
	return reason
}

// dataFrame is a frame with one datagram.
func dataFrame(to mechanism.NodeID, payload string) []byte {
	return protocol.AppendItem(protocol.AppendData(nil), to, mechanism.Command, []byte(payload))
}

// datagram is the next datagram; frames of other kinds are passed over.
func (g *guest) datagram(t testing.TB) protocol.Item {
	t.Helper()
	for {
		f := g.next(t)
		if protocol.KindOf(f) != protocol.KindData {
			continue
		}
		items := protocol.ReadData(f)
		item, ok := items.Next()
		if !ok {
			t.Fatalf("data frame without a datagram: %v", f)
		}
		return item
	}
}

// seat joins and connects.
func (s *site) seat(t testing.TB, name string) (*guest, protocol.Welcome) {
	t.Helper()
	g := s.dial(t)
	return g, g.hello(t, s.join(t, name).Token, true)
}

// idle returns the only client, once nobody writes to it, and makes it look as if somebody did from now on: until sent is
// called, what is to be written gathers.
func (s *site) idle(t testing.TB) *client {
	t.Helper()
	c := s.all()[0]
	until(t, "nobody writes to the client", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		idle := !c.busy
		c.busy = true
		return idle
	})
	return c
}

// until waits for something that goroutines bring about in their own time, without a channel to tell. The test's time limit
// ends it.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for !ok() {
		select {
		case <-ticker.C:
		case <-t.Context().Done():
			t.Fatal("never: " + what)
		}
	}
}
