package hub

import (
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"

	"throng/catalog"
	"throng/mechanism"
	"throng/world"
)

// What Join and Attach may answer.
var (
	ErrFull   = errors.New("all seats are taken")
	ErrStatic = errors.New("under this mechanism nobody can join while the world runs")
	ErrGone   = errors.New("the seat is no longer held")
	ErrOften  = errors.New("too many connections have used the seat of late; try again in a few seconds")
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
	gone        atomic.Pointer[losses] // nil while the world is whole

	forwarded, unknown, lost atomic.Int64
	failures                 failures

	mu        sync.Mutex
	closed    bool
	retired   bool    // everything was given up
	posts     []*post // in the order in which they came about, those of the session's places first
	servers   []*post // of these, servers'; as they were at the start
	vacant    []*post // places of users who have left
	seats     int
	nextUser  world.User
	closing   chan struct{}  // closed when the hub closes or retires
	departing []*departure   // users on their way out of the world
	parting   int            // how many they are, those included whom stand-ins take out
	standIns  chan struct{}  // holds a token for each stand-in
	ending    sync.WaitGroup // for those, and for artificial players who step back
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
		closing:     make(chan struct{}),
		standIns:    make(chan struct{}, standInsMax),
	}
	if _, inhabited := s.World.(world.Inhabited); inhabited {
		h.admitting, _ = m.(mechanism.Admitting)
	}
	if err := h.startPlaces(); err != nil {
		return nil, err
	}
	return h, nil
}

// startPlaces starts the nodes when all of them can be reached: the first words are not lost.
func (h *Hub) startPlaces() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var nodes []mechanism.MachineConfig
	for _, place := range h.session.Places {
		if h.config.Local != nil && !h.config.Local(place) {
			continue
		}
		node, err := mechanism.Build(h.mechanism, h.session, place)
		if err != nil {
			return err
		}
		nodes = append(nodes, node)
		if _, arriving := node.Node.(mechanism.Arriving); place.User != 0 && !arriving {
			h.static = true
		}
		if _, err := h.addPost(place, false); err != nil {
			return err
		}
	}
	for i, p := range h.posts {
		nodes[i].Player = h.player(p)
		h.place(p, nodes[i])
	}
	for _, p := range h.posts {
		if p.place.User == 0 {
			h.servers = append(h.servers, p)
		}
	}
	for _, p := range h.posts {
		p.runner.Start()
	}
	return nil
}

// Now is the world's time.
func (h *Hub) Now() world.Time { return h.config.Clock.Now() }

// World is the world's rules.
func (h *Hub) World() world.World { return h.session.World }

// Places are those that the run began with, wherever they are held. They are for reading.
func (h *Hub) Places() []mechanism.Place { return h.session.Places }

// Mechanism is the name of the way in which the world is shared.
func (h *Hub) Mechanism() string { return h.config.Description.Mechanism.Name }

// Partners is how many other clients one speaks to at a time, beside servers; none under most mechanisms.
func (h *Hub) Partners() int {
	if m, ok := h.mechanism.(mechanism.Mingling); ok {
		return m.Partners()
	}
	return 0
}

// Interval is how often the mechanism brings clients something new, while everything moves.
func (h *Hub) Interval() world.Time { return mechanism.Interval(h.mechanism, h.session.World) }

// Description is the session's description as JSON, for those who join.
func (h *Hub) Description() []byte { return h.description }

// Look calls f with a node that runs here, or one elsewhere that this process can look at, and reports whether there is one. It is for
// reading.
func (h *Hub) Look(id mechanism.NodeID, f func(n mechanism.Node)) bool {
	return h.Do(id, func(m *mechanism.Machine) { f(m.Node()) }) || h.config.Elsewhere != nil && h.config.Elsewhere(id, f)
}

// Runs reports whether a node runs here.
func (h *Hub) Runs(id mechanism.NodeID) bool {
	p := h.routes.get(id)
	if p == nil {
		return false
	}
	holder := p.holder.Load()
	return holder != nil && holder.runner != nil
}

// Do calls f with a node that runs here, on the node's goroutine, and reports whether there was one.
func (h *Hub) Do(id mechanism.NodeID, f func(m *mechanism.Machine)) bool {
	p := h.routes.get(id)
	if p == nil {
		return false
	}
	holder := p.holder.Load()
	return holder != nil && holder.runner != nil && holder.runner.Do(f)
}
