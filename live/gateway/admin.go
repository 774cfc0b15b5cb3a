package gateway

import (
	"cmp"
	"crypto/subtle"
	"embed"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"time"
)

//go:embed admin
var adminFiles embed.FS

// adminRoutes adds the operators' overview.
func (g *Gateway) adminRoutes(mux *http.ServeMux) {
	files, err := fs.Sub(adminFiles, "admin")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	page := http.StripPrefix("/admin/", http.FileServerFS(files))
	mux.Handle("GET /admin", http.RedirectHandler("/admin/", http.StatusFound))
	mux.Handle("GET /admin/", g.operatorsOnly(strict(page)))
	mux.Handle("GET /admin/data", g.operatorsOnly(http.HandlerFunc(g.serveOverview)))
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

// operatorsOnly lets those pass who have the admin token or, where there is none, who are on this machine.
func (g *Gateway) operatorsOnly(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case g.config.AdminToken != "" && !hasToken(r, g.config.AdminToken):
			w.Header().Set("WWW-Authenticate", `Basic realm="throng: any name, and the admin token as the password"`)
			answerText(w, http.StatusUnauthorized, "the admin token is needed")
		case g.config.AdminToken == "" && !onThisMachine(r):
			answerText(w, http.StatusForbidden, "this is for operators on this machine only, unless an admin token is set")
		default:
			page.ServeHTTP(w, r)
		}
	})
}

// hasToken reports whether a request carries the token, as a password or as a bearer token.
func hasToken(r *http.Request, token string) bool {
	_, given, ok := r.BasicAuth()
	if !ok {
		given, ok = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	return ok && subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
}

// onThisMachine reports whether a request was made on this machine and for it. One that a proxy passes on was not; nor was
// one for another name, which somebody else's page may have led to this address.
func onThisMachine(r *http.Request) bool {
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

// overview is what the operators' page shows.
type overview struct {
	World     string `json:"world"`
	Mechanism string `json:"mechanism"`

	Up       float64          `json:"up"`   // seconds
	Time     float64          `json:"time"` // of the world, in seconds
	Tick     float64          `json:"tick"` // milliseconds
	Draining bool             `json:"draining"`
	Broken   string           `json:"broken"` // what of the world is gone
	Servers  int              `json:"servers"`
	Memory   uint64           `json:"memory"`
	Routines int              `json:"routines"`
	Open     map[string]int   `json:"open"`
	Ended    map[string]int64 `json:"ended"`
	Drops    map[string]int64 `json:"drops"`
	Parts    []processInfo    `json:"processes"`
	Clients  []clientInfo     `json:"clients"`
	Samples  []Sample         `json:"samples"`
}

// processInfo is one line of the list of processes.
type processInfo struct {
	Number uint32 `json:"number"`
	Name   string `json:"name"`
	Nodes  string `json:"nodes"`
	State  string `json:"state"`
}

// processes lists those that the world's servers run in.
func (g *Gateway) processes() []processInfo {
	list := []processInfo{}
	if g.config.Processes == nil {
		return list
	}
	for _, p := range g.config.Processes() {
		state := "runs"
		switch {
		case p.Gone:
			state = "gone"
		case p.Here:
			state = "this one"
		}
		list = append(list, processInfo{p.Number, p.Name, p.Nodes(), state})
	}
	return list
}

// clientInfo is one line of the list of clients.
type clientInfo struct {
	Node     uint32  `json:"node"`
	User     uint32  `json:"user"`
	Name     string  `json:"name"`
	Host     string  `json:"host"`
	By       string  `json:"by"`
	Since    float64 `json:"since"` // seconds
	BytesIn  int64   `json:"bytes_in"`
	BytesOut int64   `json:"bytes_out"`
	Waiting  int     `json:"waiting"`
	Dropped  int64   `json:"dropped"`
}

// clientsShown is how many clients the overview lists: those in trouble first.
const clientsShown = 50

func (g *Gateway) serveOverview(w http.ResponseWriter, r *http.Request) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	counters, totals := g.hub.Counters(), g.totals()
	o := overview{
		Up: time.Since(g.began).Seconds(), Time: seconds(g.hub.Now()), Tick: 1e3 * seconds(g.hub.World().Schema().Tick),
		Draining: g.draining.Load(), Servers: counters.Servers,
		Memory: memory.Sys - memory.HeapReleased, Routines: runtime.NumGoroutine(),
		Open: totals.open, Ended: map[string]int64{}, World: g.session.World.Name, Mechanism: g.session.Mechanism.Name,
		Drops: map[string]int64{
			"queue": totals.Dropped, "mailbox": counters.Runners.Dropped, "away": counters.Missed, "unknown": counters.Unknown,
			"rate": g.drops.rate.Load(), "stray": g.drops.stray.Load(), "malformed": g.drops.malformed.Load(),
		},
		Parts: g.processes(), Clients: g.troubled(time.Now()),
	}
	if err := g.hub.Whole(); err != nil {
		o.Broken = err.Error()
	}
	g.mu.Lock()
	for e, n := range g.ended {
		o.Ended[e.code] = n
	}
	g.mu.Unlock()
	m := g.config.Monitor
	m.mu.Lock()
	o.Samples = m.history.list()
	m.mu.Unlock()
	answer(w, http.StatusOK, o)
}

// troubled lists clients, those first for which most was dropped or waits.
func (g *Gateway) troubled(now time.Time) []clientInfo {
	list := []clientInfo{}
	for _, c := range g.all() {
		list = append(list, c.info(now))
	}
	slices.SortFunc(list, func(a, b clientInfo) int {
		return cmp.Or(cmp.Compare(b.Dropped, a.Dropped), cmp.Compare(b.Waiting, a.Waiting), cmp.Compare(a.Node, b.Node))
	})
	return list[:min(len(list), clientsShown)]
}

func (c *client) info(now time.Time) clientInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := clientInfo{
		Host: c.host.String(), By: c.kind, Since: now.Sub(c.began).Seconds(),
		BytesIn: c.traffic.BytesIn, BytesOut: c.traffic.BytesOut, Waiting: c.waitingBytes(), Dropped: c.traffic.Dropped,
	}
	if c.ticket != nil {
		place := c.ticket.seat.Place()
		i.Node, i.User, i.Name = uint32(place.ID), uint32(place.User), c.ticket.seat.Name
	}
	return i
}
