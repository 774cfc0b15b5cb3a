//go:build !js

package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"throng/catalog"
	"throng/live/gateway"
	"throng/live/hub"
	"throng/live/session"
	"throng/mechanism"
)

const (
	// variantsMax is how many variants may be under way at a time.
	variantsMax = 4

	// peersMax is how many users a variant has at most whose nodes all speak to one another: what they send grows with the square.
	peersMax = 64

	// variantIdle is for how long nobody need be in a variant before it ends.
	variantIdle = 30 * time.Second
)

// variants are the world that is served under other mechanisms, for people who want to feel the difference: the same rules, seed and
// artificial players. One begins when somebody on the page asks for it, and ends when nobody is there any more. The page plays at
// the current one; another can be played beside it, below /with/NAME.
type variants struct {
	catalog     catalog.Catalog
	settings    *serving
	certificate gateway.Certificate
	log         *slog.Logger
	session     session.Description // of the world as it is served
	main        *gateway.Gateway
	own         http.Handler // the main one's
	on          bool

	mu      sync.Mutex
	begun   map[string]*variant
	current *variant // nil for the main one
	closed  bool
}

// variant is the world under one mechanism.
type variant struct {
	name  string
	gate  *gateway.Gateway
	since time.Time // when somebody was last seen there
}

// switchable says whether people may change the mechanism: by default where nobody but those on this machine could, and the world is
// in no other process and in no folder.
func (s *serving) switchable() bool {
	return s.Switch == "on" || s.Switch == "auto" && isLoopback(s.Listen) && s.Join == "" && s.further() == 0 && !s.replicated()
}

// newVariants returns those of a world, of which there are none yet.
func (e *environment) newVariants(s *serving, world *hub.Hub, certificate gateway.Certificate, log *slog.Logger) *variants {
	v := &variants{catalog: e.program.Catalog, settings: s, certificate: certificate, log: log, on: s.switchable(), begun: map[string]*variant{}}
	if err := json.Unmarshal(world.Description(), &v.session); err != nil {
		panic(err) // it was made here
	}
	return v
}

// front stands before the main gateway's handler.
func (v *variants) front(own http.Handler) http.Handler {
	v.own = own
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/mechanisms", v.serveList)
	mux.HandleFunc("POST /api/mechanisms/{name}", v.serveChoice)
	mux.HandleFunc("/with/{name}/", v.serveVisit)
	for _, path := range []string{"/api/join", "/api/info", "/ws", "/thin"} {
		mux.HandleFunc(path, v.serveCurrent)
	}
	mux.Handle("/", own)
	return mux
}

// offered is a mechanism as the page shows it.
type offered struct {
	Name    string           `json:"name"`
	About   string           `json:"about"`
	Card    []mechanism.Line `json:"card"`
	Because string           `json:"because,omitempty"` // why it is not to be had here
}

func (v *variants) serveList(w http.ResponseWriter, _ *http.Request) {
	v.mu.Lock()
	current := v.session.Mechanism.Name
	if v.current != nil {
		current = v.current.name
	}
	v.mu.Unlock()
	list := []offered{}
	for _, m := range v.catalog.Mechanisms {
		_, err := v.describe(m.Name)
		if errors.Is(err, session.ErrIdealised) {
			continue
		}
		o := offered{Name: m.Name, About: m.About, Card: mechanism.Card(m.Name)}
		if err != nil && m.Name != v.session.Mechanism.Name {
			o.Because = err.Error()
		}
		list = append(list, o)
	}
	answerJSON(w, http.StatusOK, struct {
		Current   string    `json:"current"`
		Switching bool      `json:"switching"`
		List      []offered `json:"list"`
	}{current, v.on, list})
}

// describe is the world under another mechanism, with that one's defaults.
func (v *variants) describe(name string) (session.Description, error) {
	d := v.session
	if name == d.Mechanism.Name {
		return d, nil
	}
	m, err := v.catalog.Mechanism(name)
	if err != nil {
		return d, err
	}
	if err := session.CheckServable(m.Config); err != nil {
		return d, err
	}
	w, err := v.catalog.BuildWorld(d.World)
	if err != nil {
		return d, err
	}
	d.Mechanism, d.Places = m.Choice(), nil
	servers := 0
	for _, p := range m.Config.Places(w) {
		if p.User == 0 {
			servers++
		}
	}
	if users := w.Users(); servers == 0 && users > peersMax {
		return d, fmt.Errorf("all %d users would speak to all: begin with --players %d or fewer", users, peersMax)
	}
	return d, nil
}

// serveChoice begins the world under another mechanism and, if everybody is to come along, goes on there.
func (v *variants) serveChoice(w http.ResponseWriter, r *http.Request) {
	if origin, err := url.Parse(r.Header.Get("Origin")); err != nil || origin.Host != "" && !strings.EqualFold(origin.Host, r.Host) {
		answerJSON(w, http.StatusForbidden, problem{"pages from elsewhere may not change anything here"})
		return
	}
	if !v.on {
		answerJSON(w, http.StatusForbidden, problem{"the mechanism is the operator's choice here (see --switch)"})
		return
	}
	name := r.PathValue("name")
	if _, err := v.catalog.Mechanism(name); err != nil {
		answerJSON(w, http.StatusNotFound, problem{err.Error()})
		return
	}
	chosen, err := v.begin(name)
	if err != nil {
		answerJSON(w, http.StatusConflict, problem{err.Error()})
		return
	}
	if r.FormValue("everybody") != "" {
		v.move(chosen)
	}
	answerJSON(w, http.StatusOK, struct {
		Base string `json:"base"`
	}{"/with/" + name})
}

// begin finds the variant of a name, or has it begin. The main one is nil.
func (v *variants) begin(name string) (*variant, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if name == v.session.Mechanism.Name {
		return nil, nil
	}
	if b := v.begun[name]; b != nil {
		b.since = time.Now()
		return b, nil
	}
	if v.closed {
		return nil, hub.ErrClosed
	}
	d, err := v.describe(name)
	if err != nil {
		return nil, err
	}
	v.sweep(0)
	if len(v.begun) >= variantsMax {
		return nil, fmt.Errorf("people play under %d other mechanisms already", len(v.begun))
	}
	b, err := v.open(d)
	if err != nil {
		return nil, err
	}
	v.begun[name] = b
	v.log.Info("the world begins under another mechanism too", "mechanism", name)
	time.AfterFunc(variantIdle, v.look)
	return b, nil
}

// open begins a world and makes the way in to it.
func (v *variants) open(d session.Description) (*variant, error) {
	monitor, s := gateway.NewMonitor(), v.settings
	log := v.log.With("variant", d.Mechanism.Name)
	world, err := hub.Start(hub.Config{
		Description: d, Grace: time.Duration(s.Grace), SeatsMax: s.Seats,
		Acted: monitor.Acted, Event: monitor.Event, Woken: monitor.Woken, Panicked: logPanic(log),
	}, v.catalog)
	if err != nil {
		return nil, err
	}
	gate, err := gateway.New(gateway.Config{
		Hub: world, Monitor: monitor, Log: log, Limits: s.Limits, Origins: v.origins(), BehindProxy: s.BehindProxy, AdminToken: s.AdminToken,
		Certificate: v.certificate, Accounts: s.accounts, Bans: s.bans,
	})
	if err != nil {
		world.Close(context.Background(), err.Error())
		return nil, err
	}
	if s.WebTransport {
		if udp, err := net.ListenPacket("udp", anyPort(s.Listen)); err == nil {
			if gate.ServeWebTransport(udp) != nil {
				udp.Close() // WebSockets will do
			}
		}
	}
	return &variant{d.Mechanism.Name, gate, time.Now()}, nil
}

// origins are those of the page: WebTransport to a variant has a port of its own, and browsers name the page's.
func (v *variants) origins() []string {
	list := append([]string{v.settings.gateway}, v.settings.Origin...)
	if at, err := url.Parse(v.settings.gateway); err == nil && isLoopback(at.Host) {
		list = append(list, at.Scheme+"://localhost:"+at.Port(), at.Scheme+"://127.0.0.1:"+at.Port())
	}
	return list
}

// move has everybody who plays at the current variant go on at another.
func (v *variants) move(to *variant) {
	v.mu.Lock()
	from := v.current
	v.current = to
	v.mu.Unlock()
	if from != to {
		v.gateOf(from).Dismiss(gateway.Switched)
	}
}

func (v *variants) gateOf(b *variant) *gateway.Gateway {
	if b == nil {
		return v.main
	}
	return b.gate
}

func (v *variants) handlerOf(b *variant) http.Handler {
	if b == nil {
		return v.own
	}
	return b.gate.Handler()
}

func (v *variants) serveCurrent(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	current := v.current
	v.mu.Unlock()
	v.handlerOf(current).ServeHTTP(w, r)
}

func (v *variants) serveVisit(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	v.mu.Lock()
	b := v.begun[name]
	v.mu.Unlock()
	if b == nil && name != v.session.Mechanism.Name {
		http.NotFound(w, r)
		return
	}
	http.StripPrefix("/with/"+name, v.handlerOf(b)).ServeHTTP(w, r)
}

// look ends variants in which nobody has been for a while, again and again until there are none.
func (v *variants) look() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sweep(variantIdle)
	if len(v.begun) > 0 && !v.closed {
		time.AfterFunc(variantIdle/3, v.look)
	}
}

// sweep ends variants in which nobody has been for a time. The caller holds the lock.
func (v *variants) sweep(idle time.Duration) {
	for name, b := range v.begun {
		if b.gate.Clients() > 0 || b == v.current {
			b.since = time.Now()
		} else if time.Since(b.since) >= idle {
			delete(v.begun, name)
			go v.end(context.Background(), b, "nobody is here")
		}
	}
}

func (v *variants) end(ctx context.Context, b *variant, reason string) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownTime)
	defer cancel()
	return b.gate.Close(ctx, reason)
}

// close ends all variants.
func (v *variants) close(ctx context.Context, reason string) error {
	v.mu.Lock()
	begun := v.begun
	v.begun, v.closed = nil, true
	v.mu.Unlock()
	var errs error
	for _, b := range begun {
		if err := v.end(ctx, b, reason); !errors.Is(err, context.DeadlineExceeded) {
			errs = cmp.Or(errs, err)
		}
	}
	return errs
}

// problem is the answer when something cannot be done.
type problem struct {
	Error string `json:"error"`
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
