package hub

import (
	"fmt"
	"sync/atomic"
	"time"

	"throng/live/driver"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

// post is a node's place and who holds it.
type post struct {
	place    mechanism.Place
	epoch    uint32
	admitted bool // the place is not one of those that the run began with
	parting  bool // its user is being taken out of the world
	seat     *Seat
	runner   *driver.Runner
	holder   atomic.Pointer[holder]

	load      Load        // of a server
	revived   int         // how often its node was replaced after a panic
	elsewhere atomic.Bool // another process has the place now; written under the hub's lock

	routed, bytes, full, missed atomic.Int64
}

// addPost makes a place known. The caller holds the lock, here and below.
func (h *Hub) addPost(place mechanism.Place, admitted bool) (*post, error) {
	if place.ID == 0 || place.ID > NodesMax {
		return nil, fmt.Errorf("node %d: IDs are 1 to %d", place.ID, NodesMax)
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

// place lets a node hold a post. It is still to be started.
func (h *Hub) place(p *post, node mechanism.MachineConfig) {
	c := driver.Config{MachineConfig: node, Router: h}
	if h.config.Acted != nil {
		c.Acted = func(a *world.Action) { h.config.Acted(p.place, a) }
	}
	if h.config.Event != nil {
		c.Event = func(e mechanism.Event) { h.config.Event(p.place, e) }
	}
	var runner *driver.Runner
	c.Woken = func(late, took world.Time) {
		if p.place.User == 0 {
			p.load.Woken(time.Now(), late, runner.Counters().Busy, h.session.World.Schema().Tick)
			p.load.Ask(node.Node)
		}
		if h.config.Woken != nil {
			h.config.Woken(p.place, late, took)
		}
	}
	c.Panicked = func(f driver.Panic) bool { return h.panicked(p, runner, f) }
	limits := h.config.Players
	if p.place.User == 0 {
		limits = h.config.Servers
	}
	runner = driver.New(c, h.config.Clock, limits)
	p.runner = runner
	p.holder.Store(&holder{runner: runner})
}

// replace lets a new node hold a post while the run is under way, with somebody who plays for its user.
func (h *Hub) replace(p *post, player world.Player, enter bool) error {
	node, err := mechanism.Build(h.mechanism, h.session.Join(p.place, p.epoch), p.place)
	if err != nil {
		return fmt.Errorf("epoch %d: %w", p.epoch, err)
	}
	node.Player, node.Enter = player, enter
	h.place(p, node)
	p.runner.Start()
	return nil
}
