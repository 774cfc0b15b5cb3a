package measure

import (
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// actionsKept is for how long an action is remembered that may still take effect somewhere.
const actionsKept = 60 * world.Second

// effects tells whoever wants to know when a user's action first takes effect in a host's view. It is one for all measures of
// a run.
//
// Most nodes say so themselves (mechanism.Applied). Those that are sent states instead of actions cannot know what users did;
// they say how fresh an object has become (mechanism.Shown), and what was done to it before that shows in it.
type effects struct {
	run      *sim.Run
	users    []userActions                 // by user
	unseen   map[mechanism.NodeID][]uint32 // by host, then by user: all actions with lower numbers have been shown there
	watchers []effectWatcher
	reach    world.Footprint
}

// effectWatcher is told that an action has taken effect in a host's view.
type effectWatcher interface {
	effect(h *sim.Host, now world.Time, t *taken)
}

// userActions are the latest actions of one user, whose numbers follow one another.
type userActions struct {
	first uint32 // the number of actions[0]
	list  []taken
}

// taken is an action and what is known of it.
type taken struct {
	action world.Action
	at     world.Time
	tick   world.Tick                // of the user's own view when it took effect there, where the node says so
	seen   map[mechanism.NodeID]bool // where others are only shown states
}

// watchEffects has a probe of a run told of effects.
func watchEffects(r *sim.Run, w effectWatcher) *effects {
	e := r.Common("effects", func() any {
		e := &effects{run: r, users: make([]userActions, lastUser(r)+1), unseen: map[mechanism.NodeID][]uint32{}}
		r.Observe(e)
		return e
	}).(*effects)
	e.watchers = append(e.watchers, w)
	return e
}

// Acted implements sim.ActionObserver.
func (e *effects) Acted(_ *sim.Host, now world.Time, a *world.Action) {
	u := &e.users[a.User]
	if a.Seq != u.first+uint32(len(u.list)) { // whoever takes a user's place counts anew
		u.first, u.list = a.Seq, u.list[:0]
	}
	old := 0
	for old < len(u.list) && u.list[old].at < now-actionsKept {
		old++
	}
	if old > len(u.list)/2 {
		u.first += uint32(old)
		u.list = append(u.list[:0], u.list[old:]...)
	}
	u.list = append(u.list, taken{action: *a, at: now, tick: -1})
}

// find returns an action that is remembered, or nil.
func (e *effects) find(u world.User, seq uint32) *taken {
	if int(u) >= len(e.users) {
		return nil
	}
	if i := seq - e.users[u].first; i < uint32(len(e.users[u].list)) {
		return &e.users[u].list[i]
	}
	return nil
}

// Event implements sim.EventObserver.
func (e *effects) Event(h *sim.Host, now world.Time, ev mechanism.Event) {
	switch ev.Name {
	case mechanism.Applied:
		if t := e.find(ev.User, ev.Seq); t != nil {
			if h.Place.User == ev.User {
				t.tick = world.Tick(ev.Value)
			}
			e.tell(h, now, t)
		}
	case mechanism.Shown:
		if int(ev.User) < len(e.users) && h.Place.User != ev.User && h.Client != nil {
			e.shown(h, now, ev)
		}
	}
}

func (e *effects) tell(h *sim.Host, now world.Time, t *taken) {
	for _, w := range e.watchers {
		w.effect(h, now, t)
	}
}

// shown finds the actions that show in an object since it is shown as it was at a later tick.
func (e *effects) shown(h *sim.Host, now world.Time, ev mechanism.Event) {
	host := h.Place.ID
	if e.unseen[host] == nil {
		e.unseen[host] = make([]uint32, len(e.users))
	}
	from, u := &e.unseen[host][ev.User], &e.users[ev.User]
	*from = max(*from, u.first)
	for i := int(*from - u.first); i < len(u.list); i++ {
		t := &u.list[i]
		if t.seen == nil {
			t.seen = map[mechanism.NodeID]bool{}
		}
		if !t.seen[host] && t.tick >= 0 && t.tick < world.Tick(ev.Value) && e.changes(h.View(), &t.action, ev.Object) {
			t.seen[host] = true
			e.tell(h, now, t)
		}
	}
	for t := e.find(ev.User, *from); t != nil && t.seen[host]; t = e.find(ev.User, *from) {
		*from++
	}
}

// changes reports whether an action is one that changes an object.
func (e *effects) changes(s *world.State, a *world.Action, id world.ID) bool {
	e.reach.Reset()
	e.run.Setup().World.Reach(s, a, &e.reach)
	return e.reach.Writes.Has(id)
}
