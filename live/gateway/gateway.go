package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lxzan/gws"
	"github.com/prometheus/client_golang/prometheus"

	"throng/live/hub"
	"throng/live/session"
	"throng/live/thin"
	"throng/mechanism"
	"throng/world"
)

// Gateway is the way in to a hub.
type Gateway struct {
	config    Config
	hub       *hub.Hub
	log       *slog.Logger
	mux       *http.ServeMux
	public    *http.Server
	operators *http.Server
	upgrader  *gws.Upgrader
	fast      atomic.Pointer[fastLane] // WebTransport; nil where it is not served
	admission *admission
	tokens    *tokens                  // where this is the only gateway
	others    atomic.Pointer[[]string] // where clients may try next; nil for nowhere
	former    atomic.Pointer[[]string]
	began     time.Time
	gathered  prometheus.Gatherers // what /metrics shows of this room
	session   session.Description
	thin      *thin.Catalogue
	nodes     sync.WaitGroup // of thin clients

	isServer           map[mechanism.NodeID]bool
	servers            map[mechanism.NodeID]bool // the only nodes that clients may address; nil for all
	datagramsPerSecond int                       // from one client

	pollOnce sync.Once
	pollers  []*poller // that watch clients' sockets; none until there are any, and where the system has none
	polled   atomic.Uint64
	writers  int
	ready    chan *client // those to be written to
	drops    drops
	meeting  acquaintance
	draining atomic.Bool
	shut     atomic.Bool // an operator lets nobody in
	bans     *Bans
	closed   chan struct{} // closed at the end

	counted struct { // for those who ask for information
		sync.Mutex
		counters hub.Counters
		at       time.Time
	}

	mu      sync.Mutex
	clients map[*client]struct{}
	empty   chan struct{} // nil at first; then nobody gets in any more, and it is closed when the last client has gone
	past    Traffic       // of connections that have ended
	ended   map[*ending]int64
}

// drops counts what came from clients and was not passed on.
type drops struct {
	rate      atomic.Int64 // over the client's limits
	malformed atomic.Int64 // could not be read
	stray     atomic.Int64 // to a node that clients have no business with
}

// New returns a gateway to a hub. It serves nothing yet.
func New(config Config) (*Gateway, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	g := &Gateway{
		config:  config,
		hub:     config.Hub,
		log:     config.Log,
		began:   time.Now(),
		writers: runtime.GOMAXPROCS(0),
		closed:  make(chan struct{}),
		clients: map[*client]struct{}{},
		ended:   map[*ending]int64{},
	}
	g.share()
	if err := json.Unmarshal(g.hub.Description(), &g.session); err != nil {
		return nil, err
	}
	g.thin = thin.NewCatalogue(g.hub.World())
	g.findServers()
	g.upgrader = g.newUpgrader()
	g.mux = g.routes()
	public := http.Handler(g.mux)
	if config.Front != nil {
		public = config.Front(public)
	}
	g.public, g.operators = g.newServer(public, false), g.newServer(forOperators(public), true)
	for range g.writers {
		go g.write()
	}
	g.lookAround()
	go g.watch()
	return g, nil
}

// share decides who gets in together with other rooms of the server, or alone.
func (g *Gateway) share() {
	l := &g.config.Limits
	if beside := g.config.Beside; beside != nil {
		g.bans, g.admission = beside.bans, beside.admission
		g.tokens = newTokens(beside.tokens.names)
	} else {
		wanted := l.Connections
		requests := l.divide(descriptors())
		if l.Connections < wanted {
			g.log.Warn("there may be fewer connections than the limits say: see ulimit -n", "descriptors", descriptors(), "connections", l.Connections, "wanted", wanted)
		}
		g.bans, g.admission, g.tokens = &Bans{}, newAdmission(l, requests), newTokens(newNames())
	}
	g.ready = make(chan *client, l.Connections)
}

// findServers decides whom clients may address and how often. Where there are servers, clients speak to those, unless the mechanism says
// otherwise: what they would say to one another could only be to somebody's harm. How much a node has to say goes with the nodes it speaks to.
func (g *Gateway) findServers() {
	places := g.hub.Places()
	servers := map[mechanism.NodeID]bool{}
	for _, p := range places {
		if p.User == 0 {
			servers[p.ID] = true
		}
	}
	g.isServer = servers
	partners := len(places)
	if others := g.hub.Partners(); others > 0 {
		partners = len(servers) + others
	} else if len(servers) > 0 {
		g.servers, partners = servers, len(servers)
	}
	if g.datagramsPerSecond = g.config.Limits.DatagramsPerSecond; g.datagramsPerSecond == 0 {
		const perTick, least = 4, 400
		ticks := int(world.Second/g.hub.World().Schema().Tick) + 1
		g.datagramsPerSecond = max(least, perTick*ticks*partners)
	}
}

func (g *Gateway) addressable(id mechanism.NodeID) bool { return g.servers == nil || g.servers[id] }

// Handler is everything that the gateway serves over HTTP.
func (g *Gateway) Handler() http.Handler { return g.mux }

func (g *Gateway) newServer(h http.Handler, operators bool) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: time.Duration(g.config.Limits.Handshake),
		ReadTimeout:       time.Minute,
		WriteTimeout:      time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          newServerLog(g.log),
		ConnState:         g.follow(operators),
	}
}

// Serve serves HTTP, or HTTPS if there is a certificate for it, until Close.
func (g *Gateway) Serve(l net.Listener) error {
	return g.serve(g.public, l, g.config.Certificate != nil)
}

// serve runs a server until it is closed.
func (g *Gateway) serve(s *http.Server, l net.Listener, encrypted bool) error {
	var err error
	if encrypted {
		s.TLSConfig = tlsConfig(g.config.Certificate, "http/1.1")
		err = s.ServeTLS(l, "", "")
	} else {
		err = s.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// write writes to clients whose turn it is, until it is told to end by none.
func (g *Gateway) write() {
	for c := <-g.ready; c != nil; c = <-g.ready {
		c.flush()
	}
}

// add takes a client in. It reports whether there is still anybody to serve it.
func (g *Gateway) add(c *client) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.empty == nil {
		g.clients[c] = struct{}{}
	}
	return g.empty == nil
}

// remove forgets a client that has ended.
func (g *Gateway) remove(c *client) {
	c.mu.Lock()
	end, traffic := c.end, c.traffic
	c.mu.Unlock()
	if end == nil {
		end = endLost
	}
	g.mu.Lock()
	delete(g.clients, c)
	g.past.add(&traffic)
	g.count(end)
	if g.empty != nil && len(g.clients) == 0 {
		close(g.empty)
	}
	g.mu.Unlock()
	if c.counted {
		g.admission.leave(c.from)
	}
	level := slog.LevelDebug // strangers come and go without a line in the log
	if c.ticket != nil {
		level = slog.LevelInfo
	}
	g.log.Log(context.Background(), level, "connection ended", c.attrs("because", end.code)...)
}

// count counts an ending under its code: those in other words are the same.
func (g *Gateway) count(e *ending) {
	at := slices.IndexFunc(endings, func(known *ending) bool { return known.code == e.code })
	g.ended[endings[at]]++
}

// all returns the clients that there are.
func (g *Gateway) all() []*client {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]*client, 0, len(g.clients))
	for c := range g.clients {
		list = append(list, c)
	}
	return list
}

// Clients is how many connections are open.
func (g *Gateway) Clients() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.clients)
}

const (
	// watchEvery is how often connections are looked over.
	watchEvery = time.Second

	// sampleEvery is how often the operators' overview is kept up.
	sampleEvery = 5 * time.Second

	// linger is how long a client has to hang up after it was told to.
	linger = 2 * time.Second
)

// watch ends connections that have gone on for too long without what they were there for.
func (g *Gateway) watch() {
	look, note := time.NewTicker(watchEvery), time.NewTicker(sampleEvery)
	defer look.Stop()
	defer note.Stop()
	for {
		select {
		case now := <-look.C:
			g.sweep(now)
		case now := <-note.C:
			g.config.Monitor.sample(g, now)
		case <-g.closed:
			return
		}
	}
}

func (g *Gateway) sweep(now time.Time) {
	for _, c := range g.all() {
		c.look(now)
	}
	g.admission.sweep(now)
	g.tokens.sweep(now)
	g.lookAround()
	g.warn(now)
}

// look sees to a client that takes too long for something.
func (c *client) look(now time.Time) {
	l := &c.gate.config.Limits
	silent := time.Duration(monotonic(now) - c.heard.Load())
	c.mu.Lock()
	stuck := !c.stuck.IsZero() && after(c.stuck, now, l.Patience)
	leaving := c.end != nil && now.Sub(c.endSince) >= linger
	if stuck && c.end == nil {
		c.end, c.endSince = endSlow, now // it would not hear of it
		c.closing.Store(true)
	}
	stranger := c.ticket == nil
	c.mu.Unlock()
	switch {
	case stuck, leaving:
		c.pipe.shut()
	case stranger && after(c.began, now, l.Handshake):
		c.dismiss(endLate, now)
	case silent >= time.Duration(l.Silence):
		c.dismiss(endSilent, now)
	case silent >= time.Duration(l.Silence)/2:
		c.probe(now)
	}
}

// Close ends the world and everything that the gateway serves: nobody gets in any more, the hub's nodes end in good order,
// and everybody is told the reason. When ctx is done, connections that are still open are cut.
func (g *Gateway) Close(ctx context.Context, reason string) error {
	if g.draining.Swap(true) {
		return hub.ErrClosed
	}
	err := g.hub.Close(ctx, reason)
	g.tokens.close()
	emptied := g.seal()
	now := time.Now()
	for _, c := range g.all() {
		c.dismiss(&ending{endShutdown.code, reason}, now)
	}
	select {
	case <-emptied:
	case <-ctx.Done():
		for _, c := range g.all() {
			c.pipe.shut()
		}
		<-emptied
	}
	g.nodes.Wait()
	err = errors.Join(err, g.public.Close(), g.operators.Close())
	if fast := g.fast.Load(); fast != nil {
		err = errors.Join(err, fast.close())
	}
	close(g.closed)
	g.closePollers()
	for range g.writers {
		g.ready <- nil
	}
	return err
}

// Dismiss shows everybody out who is here now, with a reason. The world goes on.
func (g *Gateway) Dismiss(reason string) {
	for _, c := range g.all() {
		c.Close(reason)
	}
}

// seal takes in no more clients. The channel is closed when the last one has gone.
func (g *Gateway) seal() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.empty = make(chan struct{})
	if len(g.clients) == 0 {
		close(g.empty)
	}
	return g.empty
}
