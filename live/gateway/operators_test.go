package gateway

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

// operatorsPaths are what only operators may see.
var operatorsPaths = []string{"/admin/api/people", "/admin/api/objects", "/admin/api/bans", "/metrics", "/admin", "/admin/", "/admin/data", "/admin/admin.js", "/debug/pprof/", "/debug/pprof/heap",
	"/debug/pprof/profile?seconds=1", "/debug/pprof/trace?seconds=1"}

func TestOperatorsPagesAreGuarded(t *testing.T) {
	local := open(t, nil)
	token := open(t, func(c *Config) { c.AdminToken = "sesame" })
	basic := func(password string) func(*http.Request) {
		return func(r *http.Request) {
			r.RemoteAddr = "192.0.2.1:99"
			r.SetBasicAuth("admin", password)
		}
	}
	public, operators := local.Handler(), local.operators.Handler
	for _, c := range []struct {
		name    string
		handler http.Handler
		change  func(*http.Request)
		want    int
	}{
		{"this machine", operators, nil, 200},
		{"this machine by name", operators, func(r *http.Request) { r.Host = "localhost:8080" }, 200},
		{"this machine over IPv6", operators, func(r *http.Request) { r.RemoteAddr, r.Host = "[::1]:99", "[::1]:8080" }, 200},
		{"their own page", operators, header("Sec-Fetch-Site", "same-origin"), 200},
		{"typed in", operators, header("Sec-Fetch-Site", "none"), 200},
		{"another machine", operators, from("192.0.2.1:99"), 403},
		{"through a proxy", operators, header("X-Forwarded-For", "192.0.2.1"), 403},
		{"under another name", operators, func(r *http.Request) { r.Host = "evil.example:8080" }, 403},
		{"another site's page", operators, header("Sec-Fetch-Site", "cross-site"), 403},
		{"another site's page, in a browser that does not say so", operators, header("Origin", "https://evil.example"), 403},
		{"a page without a site", operators, header("Origin", "null"), 403},
		{"their own page, in such a browser", operators, func(r *http.Request) { r.Header.Set("Origin", "http://"+r.Host) }, 200},
		{"a token where there is none", operators, basic(""), 403},
		{"the way that everybody comes in", public, nil, 403},
		{"that way with a token where there is none", public, basic(""), 403},
		{"no token", token.Handler(), nil, 401},
		{"no token, operators' listener", token.operators.Handler, nil, 401},
		{"wrong token", token.Handler(), basic("sesam"), 401},
		{"token as password", token.Handler(), basic("sesame"), 200},
		{"token, operators' listener", token.operators.Handler, basic("sesame"), 200},
		{"bearer token", token.Handler(), header("Authorization", "Bearer sesame"), 200},
		{"other scheme", token.Handler(), header("Authorization", "sesame"), 401},
	} {
		for _, path := range operatorsPaths {
			if c.want == 200 && (strings.Contains(path, "?") || path == "/admin") {
				continue // takes a second; redirects
			}
			if w := askHandler(c.handler, "GET", path, "", c.change); w.Code != c.want {
				t.Errorf("%s, %s: %d, want %d", c.name, path, w.Code, c.want)
			}
		}
	}
}

// A proxy on this machine that says nothing about its clients must not make operators of them, nor free them of limits.
func TestProxyThatSaysNothing(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.ConnectionsPerHost, c.Limits.JoinsPerMinute = 3, 5 })
	behind, err := url.Parse(s.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(behind) // for the name of this machine, too
		r.Out.Header.Del("X-Forwarded-For")
	}})
	t.Cleanup(proxy.Close)
	for _, path := range operatorsPaths {
		resp, err := http.Get(proxy.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", path, resp.Status)
		}
	}
	through := &site{s.Gateway, proxy}
	joined, connected := 0, 0
	for range 10 {
		resp, err := http.Post(proxy.URL+"/api/join", "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			joined++
		}
		if g, err := through.tryDial(nil); err == nil {
			connected++
			t.Cleanup(func() { g.conn.NetConn().Close() })
		}
	}
	if joined != 5 || connected != 3 {
		t.Errorf("%d joined and %d connected", joined, connected)
	}
}

// On the operators' listener they get their pages and everything else, and are not limited by address.
func TestOperatorsListener(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.ConnectionsPerHost, c.Limits.JoinsPerMinute = 1, 1 })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.ServeOperators(l) }()
	operators := &site{s.Gateway, &httptest.Server{URL: "http://" + l.Addr().String()}}
	resp, err := http.Get(operators.http.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !strings.Contains(string(text), "throng_users") {
		t.Errorf("%s %v", text, err)
	}
	for range 3 {
		operators.seat(t, "Ada")
	}
	if err := s.operators.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
