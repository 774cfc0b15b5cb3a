package app

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lxzan/gws"

	"throng/catalog"
	"throng/live/driver"
	"throng/live/gateway"
	"throng/live/livetest"
	"throng/live/protocol"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// visitor is a person in a world, with a node of their own, who comes in through a gateway by a WebSocket.
type visitor struct {
	gws.BuiltinEventHandler
	user    world.User
	token   string
	conn    *gws.Conn
	welcome chan []byte
	lost    chan struct{} // closed with the connection
	told    string        // why, once it is

	mu     sync.Mutex
	runner *driver.Runner // nil until welcome
	acts   atomic.Int64
	done   atomic.Int64 // actions that the node says have taken effect
}

// visit has somebody come in at an address, who walks about like artificial players do.
func visit(t *testing.T, url string) *visitor {
	t.Helper()
	resp, err := http.Post(url+"/api/join", "application/json", strings.NewReader(`{"name": "Ada"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var seat gateway.JoinReply
	if err := json.NewDecoder(resp.Body).Decode(&seat); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("joining: %s, %v", resp.Status, err)
	}
	return sit(t, seat.WebSocket, seat.Token)
}

// sit takes the seat of a token.
func sit(t *testing.T, socket, token string) *visitor {
	t.Helper()
	v := &visitor{token: token, welcome: make(chan []byte, 1), lost: make(chan struct{})}
	var err error
	if v.conn, _, err = gws.NewClient(v, &gws.ClientOption{Addr: socket}); err != nil {
		t.Fatal(err)
	}
	go v.conn.ReadLoop()
	t.Cleanup(func() { v.conn.NetConn().Close() })
	hello := protocol.Hello{Version: protocol.Version, Fresh: true, Token: []byte(token)}
	if err := v.conn.WriteMessage(gws.OpcodeBinary, protocol.AppendHello(nil, hello)); err != nil {
		t.Fatal(err)
	}
	select {
	case frame := <-v.welcome:
		v.live(t, frame)
	case <-v.lost:
		t.Fatal("the connection was closed before the welcome")
	}
	return v
}

// live builds the visitor's node.
func (v *visitor) live(t *testing.T, frame []byte) {
	t.Helper()
	w, err := protocol.ReadWelcome(frame)
	if err != nil {
		t.Fatal(err)
	}
	var d session.Description
	if err := json.Unmarshal(w.Description, &d); err != nil {
		t.Fatal(err)
	}
	s, m, err := d.Build(catalog.Default())
	if err != nil {
		t.Fatal(err)
	}
	node, err := mechanism.Build(m, s.Join(w.Place(), w.Epoch), w.Place())
	if err != nil {
		t.Fatal(err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.user = w.User
	node.Enter, node.Player = true, s.World.Player(w.User, random.New(1, "visitor", uint64(w.User)))
	v.runner = driver.Run(driver.Config{MachineConfig: node, Router: v, Acted: func(*world.Action) { v.acts.Add(1) }, Event: v.event}, driver.Since(time.Now().Add(-time.Duration(w.Time))), driver.DefaultLimits)
	t.Cleanup(v.runner.Stop)
}

// event takes note of actions that have taken effect in the visitor's own view, or for good.
func (v *visitor) event(e mechanism.Event) {
	if e.User == v.user && (e.Name == mechanism.Applied || e.Name == mechanism.Confirmed) {
		v.done.Add(1)
	}
}

// leave says goodbye, and waits until that is heard.
func (v *visitor) leave(t *testing.T) {
	t.Helper()
	v.runner.Stop()
	if err := v.conn.WriteMessage(gws.OpcodeBinary, protocol.AppendBye(nil)); err != nil {
		t.Fatal(err)
	}
	<-v.lost
}

// Route sends what the node has to say.
func (v *visitor) Route(m mechanism.Message) bool {
	frame := protocol.AppendItem(protocol.AppendData(nil), m.To, m.Class, m.Payload)
	return v.conn.WriteMessage(gws.OpcodeBinary, frame) == nil
}

func (v *visitor) OnMessage(_ *gws.Conn, m *gws.Message) {
	defer m.Close()
	switch frame := m.Bytes(); protocol.KindOf(frame) {
	case protocol.KindWelcome:
		v.welcome <- append([]byte(nil), frame...)
	case protocol.KindData:
		v.hear(frame)
	case protocol.KindGoodbye:
		reason, _ := protocol.ReadGoodbye(frame)
		v.told = string(reason)
	}
}

func (v *visitor) hear(frame []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.runner == nil {
		return
	}
	items := protocol.ReadData(frame)
	for item, ok := items.Next(); ok; item, ok = items.Next() {
		v.runner.Deliver(mechanism.Message{From: item.Peer, Class: item.Class, Payload: item.Payload})
	}
}

func (v *visitor) OnClose(*gws.Conn, error) { close(v.lost) }

// sees is where the visitor sees somebody.
func (v *visitor) sees(u world.User) (at fixed.Vec, seen bool) {
	v.runner.Do(func(m *mechanism.Machine) { at, seen = livetest.Sees(m, u) })
	return at, seen
}

// watches waits until the visitor has seen somebody move.
func (v *visitor) watches(t *testing.T, u world.User) {
	t.Helper()
	livetest.Moves(t, func() (fixed.Vec, bool) { return v.sees(u) })
}
