package gateway

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// ask makes a request without a network. Unless changed it comes from this machine.
func (s *site) ask(method, path, body string, change func(r *http.Request)) *httptest.ResponseRecorder {
	return askHandler(s.Handler(), method, path, body, change)
}

// askOperators makes one to the operators' listener.
func (s *site) askOperators(path string, change func(r *http.Request)) *httptest.ResponseRecorder {
	return askHandler(s.operators.Handler, "GET", path, "", change)
}

func askHandler(h http.Handler, method, path, body string, change func(r *http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:4321"
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func from(address string) func(*http.Request) {
	return func(r *http.Request) { r.RemoteAddr = address }
}

func header(key, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(key, value) }
}

func TestJoinWantsAName(t *testing.T) {
	s := open(t, nil)
	for _, c := range []struct {
		body string
		want int
	}{
		{`{"name": "Ada"}`, 200},
		{`{}`, 200},
		{``, 400},
		{`[]`, 400},
		{`{"name": 5}`, 400},
		{`{"name": "Ada", "user": 1}`, 400},
		{`{"name": "` + strings.Repeat("a", joinMax) + `"}`, 400},
	} {
		w := s.ask("POST", "/api/join", c.body, nil)
		if w.Code != c.want {
			t.Errorf("%.40s: %d, want %d", c.body, w.Code, c.want)
		}
		var reply struct{ Token, Error string }
		if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || (reply.Token == "") == (reply.Error == "") {
			t.Errorf("%.40s: %s %v", c.body, w.Body, err)
		}
	}
}

func TestNamesAreCleaned(t *testing.T) {
	for name, want := range map[string]string{
		"Ada":                    "Ada",
		"  Ada \t Lovelace\n":    "Ada Lovelace",
		"A\x00d\u202ea\ufffd":    "Ada",
		"Åsa 🦊":                  "Åsa 🦊",
		strings.Repeat("é", 100): strings.Repeat("é", nameMax),
		"<b>":                    "<b>",
	} {
		if got := cleanName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

func TestOnlyOwnAndAllowedPagesConnect(t *testing.T) {
	s := open(t, func(c *Config) { c.Origins = []string{"https://friend.example"} })
	for origin, want := range map[string]int{
		"":                               200,
		"http://127.0.0.1:8080":          200,
		"https://friend.example":         200,
		"https://friend.example.evil":    403,
		"https://127.0.0.1:8080":         200, // a proxy may add what we have not
		"ftp://127.0.0.1:8080":           403,
		"http://127.0.0.1:8081":          403,
		"https://elsewhere.example":      403,
		"null":                           403,
		"http://127.0.0.1:8080@evil.com": 403,
		"%zz":                            403,
	} {
		w := s.ask("POST", "/api/join", "{}", header("Origin", origin))
		if w.Code != want {
			t.Errorf("origin %q: %d, want %d", origin, w.Code, want)
		}
		allowed := w.Header().Get("Access-Control-Allow-Origin")
		if want == 200 && allowed != origin || want != 200 && allowed != "" {
			t.Errorf("origin %q: browsers are told %q", origin, allowed)
		}
	}
	if w := s.ask("OPTIONS", "/api/join", "", header("Origin", "https://friend.example")); w.Code != 200 {
		t.Errorf("preflight: %d", w.Code)
	}
	if _, err := s.tryDial(http.Header{"Origin": {"https://elsewhere.example"}}); err == nil {
		t.Error("a WebSocket from elsewhere was let in")
	}
	anywhere := open(t, func(c *Config) { c.Origins = []string{"*"} })
	if g, err := anywhere.tryDial(http.Header{"Origin": {"https://elsewhere.example"}}); err != nil {
		t.Error(err)
	} else {
		g.conn.NetConn().Close()
	}
}

func TestSeatsFromOneAddressAreLimited(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.JoinsPerMinute = 2 })
	for _, c := range []struct {
		from string
		want []int
	}{
		{"192.0.2.1:1000", []int{200, 200, 429}},
		{"192.0.2.2:1000", []int{200}},
		{"127.0.0.1:1000", []int{200, 200, 429}}, // behind a proxy that is everybody
	} {
		for i, want := range c.want {
			if w := s.ask("POST", "/api/join", "{}", from(c.from)); w.Code != want {
				t.Errorf("request %d from %s: %d, want %d", i, c.from, w.Code, want)
			}
		}
	}
	for range 3 {
		if w := askHandler(s.operators.Handler, "POST", "/api/join", "{}", nil); w.Code != 200 {
			t.Errorf("an operator: %d", w.Code)
		}
	}
}

func TestConnectionsAreLimited(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.Connections = 1 })
	first := s.dial(t)
	if _, err := s.tryDial(nil); err == nil {
		t.Error("a second was let in")
	}
	first.conn.NetConn().Close()
	until(t, "there is room again", func() bool {
		g, err := s.tryDial(nil)
		if err == nil {
			g.conn.NetConn().Close()
		}
		return err == nil
	})
}

func TestInfo(t *testing.T) {
	s := open(t, nil)
	s.seat(t, "Ada")
	var info InfoReply
	if err := json.Unmarshal(s.ask("GET", "/api/info", "", nil).Body.Bytes(), &info); err != nil {
		t.Fatal(err)
	}
	if info.World != "crowd" || info.Mechanism != "office" || info.People != 1 || info.Artificial != 2 || info.TickSeconds != 0.1 {
		t.Errorf("%+v", info)
	}
}

func TestHealth(t *testing.T) {
	s := open(t, func(c *Config) {
		c.Page = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "the page") })
	})
	for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n", "/": "the page", "/else": "the page"} {
		if w := s.ask("GET", path, "", from("192.0.2.1:99")); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: %d %q", path, w.Code, w.Body)
		}
	}
}

func TestAddressesAreGivenAsSeenByTheClient(t *testing.T) {
	s := open(t, func(c *Config) { c.BehindProxy = true })
	s.serveFast(t)
	var reply JoinReply
	w := s.ask("POST", "/api/join", "{}", func(r *http.Request) {
		r.Host = "play.example"
		r.Header.Set("X-Forwarded-Proto", "https")
	})
	if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil {
		t.Fatal(err)
	}
	if reply.WebSocket != "wss://play.example/ws" || !strings.HasPrefix(reply.WebTransport.URL, "https://play.example:") {
		t.Errorf("%+v %+v", reply, reply.WebTransport)
	}
	w = s.ask("POST", "/api/join", "{}", func(r *http.Request) { r.Host = "[::1]" })
	if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(reply.WebTransport.URL, "https://[::1]:") {
		t.Errorf("%+v", reply.WebTransport)
	}
}

// Where the page is HTTPS, one of the same name that came over plain HTTP is not it.
func TestOriginHasAScheme(t *testing.T) {
	s := open(t, func(c *Config) { c.BehindProxy = true })
	for origin, want := range map[string]int{"https://127.0.0.1:8080": 200, "http://127.0.0.1:8080": 403} {
		w := s.ask("POST", "/api/join", "{}", func(r *http.Request) {
			r.Header.Set("X-Forwarded-Proto", "https")
			r.Header.Set("Origin", origin)
		})
		if w.Code != want {
			t.Errorf("origin %s: %d, want %d", origin, w.Code, want)
		}
	}
}
