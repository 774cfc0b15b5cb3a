// Package conformance finds out whether a client of the thin protocol keeps to docs/protocol.md: it is a server with a script, which says what a
// client must understand and checks by the client's reports that it did.
package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"time"

	"github.com/lxzan/gws"
	"github.com/tinylib/msgp/msgp"

	"throng/live/thin"
	"throng/live/thin/thinclient"
)

// patience is how long a client may take for anything.
const patience = 15 * time.Second

// Server is a server for one client. What it found is on the channel, once: nil if the client conforms.
type Server struct {
	URL   string
	Found <-chan error

	http  *http.Server
	conns chan *session
}

// session is one connection of the client.
type session struct {
	gws.BuiltinEventHandler
	conn     *gws.Conn
	format   thin.Format
	messages chan thinclient.Message
	pongs    chan struct{}
	reported map[any]bool // the IDs of reports so far
}

// Start begins to wait for a client.
func Start() (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	found := make(chan error, 1)
	s := &Server{URL: "http://" + l.Addr().String(), Found: found, conns: make(chan *session, 8)}
	mux := http.NewServeMux()
	mux.HandleFunc("/thin", s.accept)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: patience}
	go s.http.Serve(l)
	go func() { found <- s.play() }()
	return s, nil
}

// Close ends the server.
func (s *Server) Close() { s.http.Close() }

func (s *Server) accept(w http.ResponseWriter, r *http.Request) {
	format, ok := thin.ParseFormat(r.URL.Query().Get("format"))
	if !ok {
		http.Error(w, "no such format", http.StatusBadRequest)
		return
	}
	k := &session{format: format, messages: make(chan thinclient.Message, 64), pongs: make(chan struct{}, 1), reported: map[any]bool{}}
	conn, err := gws.NewUpgrader(k, nil).Upgrade(w, r)
	if err != nil {
		return
	}
	k.conn = conn
	go conn.ReadLoop()
	s.conns <- k
}

// OnMessage implements gws.Event.
func (k *session) OnMessage(_ *gws.Conn, m *gws.Message) {
	defer m.Close()
	message, err := thinclient.Parse(k.format, m.Bytes())
	if err != nil {
		message = thinclient.Message{"type": "unreadable", "error": err.Error()}
	}
	select {
	case k.messages <- message:
	default: // nobody will look at so many
	}
}

// OnPong implements gws.Event.
func (k *session) OnPong(*gws.Conn, []byte) {
	select {
	case k.pongs <- struct{}{}:
	default:
	}
}

// OnClose implements gws.Event.
func (k *session) OnClose(*gws.Conn, error) { close(k.messages) }

// say sends a message that is given as JSON.
func (k *session) say(text string) error {
	if k.format == thin.JSON {
		return k.conn.WriteString(text)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return err
	}
	if m, ok := v.(map[string]any); ok && m["view"] != nil {
		v = packed(m)
	}
	b, err := msgp.AppendIntf(nil, whole(v))
	if err != nil {
		return err
	}
	return k.conn.WriteMessage(gws.OpcodeBinary, b)
}

// packed is a view as MessagePack has it: an array, with more at its end than anybody knows.
func packed(m map[string]any) []any {
	list := []any{}
	for _, key := range []string{"view", "change", "enter", "leave", "tables", "weather"} {
		part := m[key]
		if part == nil {
			part = []any{}
		}
		list = append(list, part)
	}
	if m["weather"] == nil {
		list = list[:5]
	}
	for len(list) > 1 {
		if last, ok := list[len(list)-1].([]any); !ok || len(last) > 0 {
			break
		}
		list = list[:len(list)-1]
	}
	return list
}

// whole has numbers without fractions as whole ones.
func whole(v any) any {
	switch v := v.(type) {
	case float64:
		if v == math.Trunc(v) {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = whole(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = whole(v[key])
		}
	}
	return v
}

// next waits for a message of a type.
func (k *session) next(kind string) (thinclient.Message, error) {
	limit := time.After(patience)
	for {
		select {
		case m, more := <-k.messages:
			switch {
			case !more:
				return nil, fmt.Errorf("the client hung up instead of sending %s", kind)
			case m.Type() == "unreadable":
				return nil, fmt.Errorf("a message cannot be read: %v", m["error"])
			case m.Type() == "ping": // at any time
			case m.Type() != kind:
				return nil, fmt.Errorf("got %v instead of %s", m, kind)
			default:
				return m, nil
			}
		case <-limit:
			return nil, fmt.Errorf("no %s within %v", kind, patience)
		}
	}
}

// report waits for a report that says what the client should know.
func (k *session) report(objects, sum, mine float64) error {
	m, err := k.next("act")
	if err != nil {
		return err
	}
	args, _ := m["args"].(map[string]any)
	got := func(name string) float64 {
		f, ok := args[name].(float64)
		if !ok {
			return math.NaN()
		}
		return f
	}
	switch {
	case m["verb"] != "report":
		return fmt.Errorf("got %v instead of a report", m)
	case k.reported[m["id"]]:
		return fmt.Errorf("two actions have the id %v", m["id"])
	case got("objects") != objects || math.Abs(got("sum")-sum) > 0.5 || got("mine") != mine:
		return fmt.Errorf("the client reports %v; it should know %v objects, of which %v are its own, and the sum is %v", args, objects, mine, sum)
	}
	k.reported[m["id"]] = true
	id, err := json.Marshal(m["id"])
	if err != nil {
		return err
	}
	for _, state := range []string{"applied", "final"} {
		if err := k.say(fmt.Sprintf(`{"type":"ack","id":%s,"state":%q}`, id, state)); err != nil {
			return err
		}
	}
	return nil
}

// pong finds out whether the client answers a WebSocket's ping.
func (k *session) pong() error {
	if err := k.conn.WritePing(nil); err != nil {
		return err
	}
	select {
	case <-k.pongs:
		return nil
	case <-time.After(patience):
		return errors.New("a WebSocket ping was not answered")
	}
}

// join waits for a connection and the client's first message.
func (s *Server) join(token string) (*session, error) {
	select {
	case k := <-s.conns:
		m, err := k.next("join")
		if err != nil {
			return nil, err
		}
		if given, _ := m["token"].(string); given != token || m["version"] != float64(thin.Version) {
			return nil, fmt.Errorf("joined by %v; the token should be %q and the version %d", m, token, thin.Version)
		}
		if m["name"] != "conform" {
			return nil, fmt.Errorf("joined as %v instead of conform", m["name"])
		}
		return k, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("no connection within %v", patience)
	}
}
