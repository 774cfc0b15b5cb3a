// Package truth says what is really so in a world that is served, whoever may see it: what the nodes hold that decide.
//
// Under most mechanisms these are servers. Where none decides, because users' machines decide about what is their users', it is what
// those of artificial players hold of their own. A person's machine is elsewhere and only its own page knows what it decides; of
// that the truth has what others were told.
package truth

import (
	"sync"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
)

// Basis says where the truth is from.
type Basis string

// Where the truth may be from.
const (
	Servers Basis = "servers" // nodes of servers, which decide
	Owners  Basis = "owners"  // those of artificial players, each of what is its user's
	Nobody  Basis = "nobody"  // there is none of either
)

// Observer looks at a world.
type Observer struct {
	hub   *hub.Hub
	world world.World

	mu    sync.Mutex
	state *world.State
	here  map[world.User]bool // whose nodes run here
}

// New returns an observer of a world.
func New(h *hub.Hub) *Observer {
	return &Observer{hub: h, world: h.World(), state: world.NewState(h.World().Schema(), 0), here: map[world.User]bool{}}
}

// Look calls f with what is so now. The state is for reading, during the call.
func (o *Observer) Look(f func(s *world.State, b Basis)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state.Release()
	o.state.SetTick(0)
	b := Servers
	if !o.askServers() {
		if b = Owners; !o.askOwners() {
			b = Nobody
		}
	}
	f(o.state, b)
}

// deciding is a node that holds what it decides about, and perhaps more; see mechanism.Authority.
type deciding interface{ Held() *world.State }

// askServers gathers what servers decide about.
func (o *Observer) askServers() (found bool) {
	for _, p := range o.hub.Places() {
		if p.User != 0 {
			continue
		}
		o.hub.Look(p.ID, func(n mechanism.Node) {
			d, ok := n.(deciding)
			if !ok || d.Held() == nil {
				return
			}
			found = true
			part, _ := n.(mechanism.Authority)
			o.take(d.Held(), func(x *world.Object) bool { return part == nil || part.Owns(x.ID) })
		})
	}
	return found
}

// askOwners gathers what artificial players' machines hold of their own, and what they were told of everybody else's.
func (o *Observer) askOwners() (found bool) {
	nodes := o.hub.Nodes()
	clear(o.here)
	for _, n := range nodes {
		if n.Holding == hub.Artificial {
			o.here[n.Place.User] = true
		}
	}
	for _, n := range nodes {
		if n.Holding != hub.Artificial {
			continue
		}
		o.hub.Look(n.Place.ID, func(node mechanism.Node) {
			c, ok := node.(mechanism.Client)
			if a, arriving := node.(mechanism.Arriving); !ok || arriving && !a.Ready() {
				return
			}
			found = true
			view := c.View()
			o.take(view, func(x *world.Object) bool {
				who := world.Answers(o.world, view, x)
				return who == n.Place.User || !o.here[who] && o.state.Get(x.ID) == nil
			})
		})
	}
	return found
}

// take takes over the objects of a state that are wanted.
func (o *Observer) take(from *world.State, wanted func(x *world.Object) bool) {
	o.state.SetTick(max(o.state.Tick(), from.Tick()))
	for x := range from.All() {
		if wanted(x) {
			o.state.Put(*x)
		}
	}
}
