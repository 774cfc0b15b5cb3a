package gateway

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lxzan/gws"

	"throng/live/livetest"
	"throng/live/thin"
	"throng/live/thin/thinclient"
)

// dialThin opens a connection for the thin protocol.
func (s *site) dialThin(t testing.TB, format thin.Format) *thinclient.Client {
	t.Helper()
	c, err := thinclient.Dial(s.http.URL, format, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// hear returns the next message of a type; others are passed over.
func hear(t testing.TB, c *thinclient.Client, kind string) thinclient.Message {
	t.Helper()
	for m := range c.Messages {
		if m.Type() == kind {
			return m
		}
		if m.Type() == "goodbye" {
			t.Fatalf("waiting for %s: %v", kind, m)
		}
	}
	t.Fatalf("the connection ended before a message of type %s", kind)
	return nil
}

func tell(t testing.TB, c *thinclient.Client, m thinclient.Message) {
	t.Helper()
	if err := c.Say(m); err != nil {
		t.Fatal(err)
	}
}

// joinThin joins, and returns the welcome.
func joinThin(t testing.TB, c *thinclient.Client, more thinclient.Message) thinclient.Message {
	t.Helper()
	m := thinclient.Message{"type": "join", "version": thin.Version, "name": "Ada"}
	for key, value := range more {
		m[key] = value
	}
	tell(t, c, m)
	welcome := hear(t, c, "welcome")
	hear(t, c, "ready")
	return welcome
}

func TestThinClients(t *testing.T) {
	for name, format := range map[string]thin.Format{"json": thin.JSON, "msgpack": thin.MessagePack} {
		t.Run(name, func(t *testing.T) {
			s := open(t, nil)
			c := s.dialThin(t, format)
			welcome := joinThin(t, c, nil)
			if welcome["world"] != "crowd" || welcome["mechanism"] != "office" || welcome["speech"] != true {
				t.Errorf("welcome %v", welcome)
			}
			view := thinclient.NewView()
			if err := view.Apply(hear(t, c, "view")); err != nil || view.Of(1.0) == nil {
				t.Errorf("%v; view %v", err, view.Objects)
			}
			tell(t, c, thinclient.Message{"type": "ping", "time": 4.5})
			if m := hear(t, c, "pong"); m["ping"] != 4.5 {
				t.Errorf("pong %v", m)
			}
			tell(t, c, thinclient.Message{"type": "act", "id": 9, "verb": "walk", "args": map[string]any{"vx": 100}})
			for _, state := range []string{"applied", "final"} {
				if m := hear(t, c, "ack"); m["id"] != 9.0 || m["state"] != state {
					t.Errorf("%v instead of %s", m, state)
				}
			}
			tell(t, c, thinclient.Message{"type": "act", "id": 10, "verb": "fly"})
			if m := hear(t, c, "ack"); m["state"] != "refused" || !strings.Contains(m["reason"].(string), "fly") {
				t.Errorf("flying: %v", m)
			}
			tell(t, c, thinclient.Message{"type": "dance"})
			hear(t, c, "error")
			tell(t, c, thinclient.Message{"type": "leave"})
			if m := theEnd(t, c); m != "left" {
				t.Errorf("ended by %s", m)
			}
			livetest.Until(t, "nobody sits there", func() bool { return s.hub.Counters().People == 0 })
		})
	}
}

// theEnd is the code of the goodbye that a client hears.
func theEnd(t testing.TB, c *thinclient.Client) string {
	t.Helper()
	code := "none"
	for m := range c.Messages {
		if m.Type() == "goodbye" {
			code = m["code"].(string)
		}
	}
	return code
}

func TestThinClientsMustBehave(t *testing.T) {
	for name, test := range map[string]struct {
		format thin.Format
		first  string
		want   string
	}{
		"no join":        {thin.JSON, `{"type":"leave"}`, "manners"},
		"version":        {thin.JSON, `{"type":"join","version":99}`, "version"},
		"packed maps":    {thin.MessagePack, "\x82\xa4type\xa4join\xa7version\x01", "version"},
		"no version":     {thin.JSON, `{"type":"join"}`, "version"},
		"garbage":        {thin.JSON, `hello`, "malformed"},
		"packed garbage": {thin.MessagePack, "\xc1", "malformed"},
		"token":          {thin.JSON, `{"type":"join","version":1,"token":"nobody's"}`, "stranger"},
		"fields":         {thin.JSON, `{"type":"join","version":1,"fields":{"dragon":[]}}`, "malformed"},
		"rate":           {thin.JSON, `{"type":"join","version":1,"rate":-1}`, "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, nil).dialThin(t, test.format)
			if err := c.Raw([]byte(test.first)); err != nil {
				t.Fatal(err)
			}
			if got := theEnd(t, c); got != test.want {
				t.Errorf("ended by %s instead of %s", got, test.want)
			}
		})
	}
}

func TestThinClientsAreLimitedLikeOthers(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.JoinsPerMinute = 2 })
	for range 2 {
		joinThin(t, s.dialThin(t, thin.JSON), nil)
	}
	c := s.dialThin(t, thin.JSON)
	tell(t, c, thinclient.Message{"type": "join", "version": thin.Version})
	if got := theEnd(t, c); got != "joins" {
		t.Errorf("the third ends by %s", got)
	}
	s = open(t, func(c *Config) { c.Limits.FramesPerSecond = 10 })
	c = s.dialThin(t, thin.JSON)
	joinThin(t, c, nil)
	go func() {
		for i := 0; c.Say(thinclient.Message{"type": "ping", "time": i}) == nil; i++ {
		}
	}()
	if got := theEnd(t, c); got != "flood" {
		t.Errorf("who floods ends by %s", got)
	}
}

// Who comes back with a token is the same user; the connection before is told so.
func TestThinClientsComeBack(t *testing.T) {
	s := open(t, nil)
	first := s.dialThin(t, thin.JSON)
	welcome := joinThin(t, first, nil)
	again := s.dialThin(t, thin.MessagePack)
	if back := joinThin(t, again, thinclient.Message{"token": welcome["token"]}); back["user"] != welcome["user"] || back["token"] != welcome["token"] {
		t.Errorf("%v comes back as %v", welcome["user"], back["user"])
	}
	if got := theEnd(t, first); got != "replaced" {
		t.Errorf("the connection before ends by %s", got)
	}
	again.Close()
	third := s.dialThin(t, thin.JSON)
	if back := joinThin(t, third, thinclient.Message{"token": welcome["token"]}); back["user"] != welcome["user"] {
		t.Errorf("%v comes back as %v", welcome["user"], back["user"])
	}
	tell(t, third, thinclient.Message{"type": "act", "id": 1, "verb": "walk"})
	hear(t, third, "ack")
}

// A bug in a client's node is that client's misfortune only.
func TestThinClientsNodePanics(t *testing.T) {
	s := open(t, nil)
	c, other := s.dialThin(t, thin.JSON), s.dialThin(t, thin.JSON)
	joinThin(t, c, nil)
	joinThin(t, other, nil)
	tell(t, c, thinclient.Message{"type": "act", "id": 1, "verb": "walk", "target": int(unlucky)})
	if got := theEnd(t, c); got != "broken" {
		t.Errorf("ended by %s", got)
	}
	tell(t, other, thinclient.Message{"type": "ping"})
	hear(t, other, "pong")
}

func TestThinFormats(t *testing.T) {
	s := open(t, nil)
	if _, _, err := gws.NewClient(gws.BuiltinEventHandler{}, &gws.ClientOption{Addr: "ws" + strings.TrimPrefix(s.http.URL, "http") + "/thin?format=xml"}); err == nil {
		t.Error("there is no XML")
	}
	c, err := thinclient.Dial(s.http.URL, thin.MessagePack, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Text(fmt.Sprintf(`{"type":"join","version":%d}`, thin.Version)); err != nil {
		t.Fatal(err)
	}
	if got := theEnd(t, c); got != "malformed" {
		t.Errorf("text on a connection for MessagePack ends by %s", got)
	}
}
