package gateway

import (
	"context"
	"crypto/subtle"
	"embed"
	"io/fs"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"net/url"
	"strings"
)

//go:embed admin
var adminFiles embed.FS

// operatorRoutes adds what is for operators only.
func (g *Gateway) operatorRoutes(mux *http.ServeMux) {
	files, err := fs.Sub(adminFiles, "admin")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	for pattern, handler := range g.config.Operators {
		mux.Handle(pattern, g.operatorsOnly(handler))
	}
	for pattern, handler := range g.apiRoutes() {
		mux.Handle(pattern, g.operatorsOnly(handler))
	}
	page := http.StripPrefix("/admin/", http.FileServerFS(files))
	for pattern, handler := range map[string]http.Handler{
		"GET /admin":               http.RedirectHandler(RoomPath(g.config.Room)+"/admin/", http.StatusFound),
		"GET /admin/":              strict(page),
		"GET /admin/data":          http.HandlerFunc(g.serveOverview),
		"GET /admin/panics":        http.HandlerFunc(g.servePanics),
		"GET /metrics":             g.metricsHandler(),
		"GET /debug/pprof/":        http.HandlerFunc(pprof.Index),
		"GET /debug/pprof/profile": http.HandlerFunc(pprof.Profile),
		"GET /debug/pprof/trace":   http.HandlerFunc(pprof.Trace),
	} {
		mux.Handle(pattern, g.operatorsOnly(handler))
	}
}

// strict allows a page nothing but what comes from here.
func strict(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cache-Control", "no-cache")
		page.ServeHTTP(w, r)
	})
}

// operatorsKey marks requests that came in by the operators' listener.
type operatorsKey struct{}

// ServeOperators serves operators on a listener of their own until Close: everything that Serve does, and without an admin
// token their pages, to whoever is on this machine. It is HTTPS if others can reach the listener and there is a certificate.
func (g *Gateway) ServeOperators(l net.Listener) error {
	return g.serve(g.operators, l, g.config.Certificate != nil && !parseHost(l.Addr().String()).IsLoopback())
}

// forOperators is everything that is served, as it is on the operators' listener.
func forOperators(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), operatorsKey{}, true)))
	})
}

// operatorsOnly lets operators pass. Their browsers are not led here by other sites' pages.
func (g *Gateway) operatorsOnly(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case FromOtherSite(r):
			answerText(w, http.StatusForbidden, "other sites' pages may not ask for this")
		case g.isOperator(r):
			page.ServeHTTP(w, r)
		case g.config.AdminToken != "":
			w.Header().Set("WWW-Authenticate", `Basic realm="throng: any name, and the admin token as the password"`)
			answerText(w, http.StatusUnauthorized, "the admin token is needed")
		default:
			answerText(w, http.StatusForbidden, "this is for operators: at the address that the server printed for them, or with an admin token")
		}
	})
}

// FromOtherSite reports whether another site's page has made a browser ask. Browsers that do not say so by themselves still say where
// whatever changes something comes from.
func FromOtherSite(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site != "same-origin" && site != "none"
	}
	origin := r.Header.Get("Origin")
	u, err := url.Parse(origin)
	return origin != "" && (err != nil || !strings.EqualFold(u.Host, r.Host))
}

// isOperator reports whether a request is an operator's: it has the admin token or, where there is none, came in by the operators'
// listener from this machine. An address alone would prove nothing: behind a proxy everybody comes from this machine.
func (g *Gateway) isOperator(r *http.Request) bool {
	if g.config.AdminToken != "" {
		return hasToken(r, g.config.AdminToken)
	}
	return r.Context().Value(operatorsKey{}) != nil && OnThisMachine(r)
}

// hasToken reports whether a request carries the token, as a password or as a bearer token.
func hasToken(r *http.Request, token string) bool {
	_, given, ok := r.BasicAuth()
	if !ok {
		given, ok = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	return ok && subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
}

// OnThisMachine reports whether a request was made on this machine and for it. One that a proxy passes on was not; nor was
// one for another name, which somebody else's page may have led to this address.
func OnThisMachine(r *http.Request) bool {
	if r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" || !parseHost(r.RemoteAddr).IsLoopback() {
		return false
	}
	name := r.Host
	if host, _, err := net.SplitHostPort(name); err == nil {
		name = host
	}
	addr, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return strings.EqualFold(name, "localhost") || err == nil && addr.IsLoopback()
}
