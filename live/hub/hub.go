package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"throng/catalog"
	"throng/live/driver"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

// Config is a live world and how it is kept.
type Config struct {
	Description session.Description

	Clock    driver.Clock  // the world's time; nil for a world that begins now
	Grace    time.Duration // how long a seat is kept for somebody who is away; 0 for DefaultGrace
	SeatsMax int           // how many people may sit here; 0 for DefaultSeatsMax

	Servers driver.Limits // of a server's mailbox; zero for DefaultServers
	Players driver.Limits // of an artificial player's mailbox; zero for driver.DefaultLimits

	// For a world in several processes. Local says which of the places the run begins with are held here; nil for all.
	// Fallback takes what is for nodes elsewhere; nil if there are none. Present is told of nodes that can be reached here
	// from now on, or no more. Users who are admitted here have the numbers FirstUser, FirstUser+UserStep, …, by default
	// all those beyond the world's own.
	Local     func(p mechanism.Place) bool
	Fallback  driver.Router
	Present   func(id mechanism.NodeID, here bool)
	FirstUser world.User
	UserStep  world.User

	// Event is told what nodes report, Woken of their wake-ups; see driver.Config. Both are called from many goroutines
	// and must not call the hub.
	Event func(p mechanism.Place, e mechanism.Event)
	Woken func(p mechanism.Place, late, took world.Time)
}

// Defaults of a configuration.
const (
	DefaultGrace    = 20 * time.Second
	DefaultSeatsMax = 15_000
)

// DefaultServers are the limits of a server's mailbox: what ten thousand users send in half a second.
var DefaultServers = driver.Limits{Datagrams: 1 << 16, Bytes: 8 << 20}

// What Join and Attach may answer.
var (
	ErrFull   = errors.New("all seats are taken")
	ErrStatic = errors.New("under this mechanism nobody can join while the world runs")
	ErrGone   = errors.New("the seat is no longer held")
	ErrClosed = errors.New("the world is closing")
)

// Hub is a world that lives.
type Hub struct {
	config      Config
	session     *mechanism.Session
	mechanism   mechanism.Mechanism
	admitting   mechanism.Admitting // nil where people take over artificial players' seats
	static      bool                // users' nodes cannot join a run under way
	description []byte
	routes      routes

	forwarded, unknown, lost atomic.Int64

	mu       sync.Mutex
	closed   bool
	posts    []*post // in the order in which they came about, those of the session's places first
	vacant   []*post // places of users who have left
	seats    int
	nextUser world.User
	closing  context.Context // done when the hub closes
	close    context.CancelFunc
	partings chan struct{} // a token for each user who is being taken out of the world
	parting  sync.WaitGroup
}

// post is a node's place and who holds it.
type post struct {
	place    mechanism.Place
	epoch    uint32
	admitted bool // the place is not one of those that the run began with
	seat     *Seat
	runner   *driver.Runner
	holder   atomic.Pointer[holder]

	routed, bytes, full, missed atomic.Int64
}

// Start brings a world to life.
func Start(config Config, c catalog.Catalog) (*Hub, error) {
	s, m, err := config.Description.Build(c)
	if err != nil {
		return nil, err
	}
	description, err := json.Marshal(&config.Description)
	if err != nil {
		return nil, err
	}
	config.complete(s.World)
	h := &Hub{
		config:      config,
		session:     s,
		mechanism:   m,
		description: description,
		nextUser:    config.FirstUser,
		partings:    make(chan struct{}, partingsMax),
	}
	h.closing, h.close = context.WithCancel(context.Background())
	if _, inhabited := s.World.(world.Inhabited); inhabited {
		h.admitting, _ = m.(mechanism.Admitting)
	}
	return h, h.startPlaces()
}

func (c *Config) complete(w world.World) {
	if c.Clock == nil {
		c.Clock = driver.Since(time.Now())
	}
	if c.Grace == 0 {
		c.Grace = DefaultGrace
	}
	if c.SeatsMax == 0 {
		c.SeatsMax = DefaultSeatsMax
	}
	if c.Servers == (driver.Limits{}) {
		c.Servers = DefaultServers
	}
	if c.Players == (driver.Limits{}) {
		c.Players = driver.DefaultLimits
	}
	if c.FirstUser == 0 {
		c.FirstUser = w.Users() + 1
	}
	if c.UserStep == 0 {
		c.UserStep = 1
	}
}

// startPlaces builds all nodes before it starts the first: from then on they speak to one another.
func (h *Hub) startPlaces() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var nodes []mechanism.Node
	for _, place := range h.session.Places {
		if h.config.Local != nil && !h.config.Local(place) {
			continue
		}
		node, err := h.mechanism.NewNode(h.session, place)
		if err != nil {
			return fmt.Errorf("node %d (%s): %w", place.ID, place.Role, err)
		}
		nodes = append(nodes, node)
		if _, arriving := node.(mechanism.Arriving); place.User != 0 && !arriving {
			h.static = true
		}
		if _, err := h.addPost(place, false); err != nil {
			return err
		}
	}
	for i, p := range h.posts {
		h.run(p, driver.Config{Node: nodes[i], Player: h.player(p)})
	}
	return nil
}

func (h *Hub) addPost(place mechanism.Place, admitted bool) (*post, error) {
	if place.ID == 0 || place.ID > nodesMax {
		return nil, fmt.Errorf("node %d: IDs are 1 to %d", place.ID, nodesMax)
	}
	if h.routes.get(place.ID) != nil {
		return nil, fmt.Errorf("node %d: the place is given twice", place.ID)
	}
	p := &post{place: place, admitted: admitted}
	h.posts = append(h.posts, p)
	h.routes.put(place.ID, p)
	h.present(p, true)
	return p, nil
}

func (h *Hub) present(p *post, here bool) {
	if h.config.Present != nil {
		h.config.Present(p.place.ID, here)
	}
}

// player is the artificial player of a post's user, or nil for a server. One who returns to a place plays differently.
func (h *Hub) player(p *post) world.Player {
	if p.place.User == 0 {
		return nil
	}
	seed := h.config.Description.Seed
	if p.epoch == 0 {
		return h.session.World.Player(p.place.User, random.New(seed, "player", uint64(p.place.User)))
	}
	return h.session.World.Player(p.place.User, random.New(seed, "player", uint64(p.place.User), uint64(p.epoch)))
}

// run lets a node hold a post.
func (h *Hub) run(p *post, c driver.Config) {
	c.Place, c.World, c.Router = p.place, h.session.World, h
	if h.config.Event != nil {
		c.Event = func(e mechanism.Event) { h.config.Event(p.place, e) }
	}
	if h.config.Woken != nil {
		c.Woken = func(late, took world.Time) { h.config.Woken(p.place, late, took) }
	}
	limits := h.config.Players
	if p.place.User == 0 {
		limits = h.config.Servers
	}
	p.runner = driver.Run(c, h.config.Clock, limits)
	p.holder.Store(&holder{runner: p.runner})
}

// replace lets a new node hold a post while the run is under way.
func (h *Hub) replace(p *post, c driver.Config) error {
	node, err := h.mechanism.NewNode(session.Late(h.session, p.place, p.epoch), p.place)
	if err != nil {
		return fmt.Errorf("node %d (%s), epoch %d: %w", p.place.ID, p.place.Role, p.epoch, err)
	}
	c.Node = node
	h.run(p, c)
	return nil
}

// Now is the world's time.
func (h *Hub) Now() world.Time { return h.config.Clock.Now() }

// World is the world's rules.
func (h *Hub) World() world.World { return h.session.World }

// Description is the session's description as JSON, for those who join.
func (h *Hub) Description() []byte { return h.description }

// Do calls f with a node that runs here, on the node's goroutine, and reports whether there was one.
func (h *Hub) Do(id mechanism.NodeID, f func(m *driver.Machine)) bool {
	p := h.routes.get(id)
	if p == nil {
		return false
	}
	holder := p.holder.Load()
	return holder != nil && holder.runner != nil && holder.runner.Do(f)
}

// Close ends the world in good order: players stop acting, users' nodes work through what has arrived and say goodbye, then
// servers do, then connections are closed with the reason. When ctx is done what is left is stopped without further ado. In
// any case everything has ended when Close returns.
func (h *Hub) Close(ctx context.Context, reason string) error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return ErrClosed
	}
	h.closed = true
	h.close()
	var users, servers []*driver.Runner
	var conns []Conn
	for _, p := range h.posts {
		switch {
		case p.runner != nil && p.place.User == 0:
			servers = append(servers, p.runner)
		case p.runner != nil:
			users = append(users, p.runner)
		}
		if p.seat != nil {
			p.seat.timer.Stop()
			if p.seat.conn != nil {
				conns = append(conns, p.seat.conn)
			}
		}
	}
	h.mu.Unlock()

	each(users, (*driver.Runner).Rest)
	h.parting.Wait()
	for _, group := range [][]*driver.Runner{users, servers} {
		if ctx.Err() != nil {
			each(group, (*driver.Runner).Stop)
		} else {
			each(group, (*driver.Runner).Leave)
		}
	}
	for _, c := range conns {
		c.Close(reason)
	}
	return ctx.Err()
}

// each calls f for all runners at once and waits.
func each(runners []*driver.Runner, f func(*driver.Runner)) {
	var all sync.WaitGroup
	for _, r := range runners {
		all.Go(func() { f(r) })
	}
	all.Wait()
}

// Nodes describes all nodes that have a place here, in the order of their IDs.
func (h *Hub) Nodes() []Info {
	h.mu.Lock()
	infos := make([]Info, 0, len(h.posts))
	for _, p := range h.posts {
		infos = append(infos, p.info())
	}
	h.mu.Unlock()
	slices.SortFunc(infos, func(a, b Info) int { return int(int64(a.Place.ID) - int64(b.Place.ID)) })
	return infos
}
