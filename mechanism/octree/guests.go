package octree

import (
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// guest is a user whose client is about to move here from another server: what it sees is watched already.
type guest struct {
	user   world.User
	from   int
	bodies []world.ID // the user's objects
	whole  bool       // all of them have been named
	asked  []uint64   // by storage node: how many questions must have been answered until all is known; nil before they were asked
	told   bool       // the other server knows that all is
	reach  fixed.F    // how far away objects are told of one by one
	until  world.Time
}

// Bounds of what another server may have this one watch.
const (
	guestsMax = 1 << 12
	ownedMax  = 1 << 12
)

// takePrefetch takes what a user has whose client is about to come.
func (n *server) takePrefetch(now world.Time, from int, r *wire.Reader) (sound bool) {
	u, whole := world.User(r.UintMax(1<<32-1)), r.UintMax(1) == 1
	reach := fixed.F(r.UintMax(1 << 62))
	n.bodies = n.bodies[:0]
	for r.Len() > 0 && !r.Failed() {
		n.bodies = append(n.bodies, readBody(r, n.session.World.Schema()))
	}
	if r.Done() != nil || u == 0 || u > n.members.Seats().Users() {
		return false
	}
	g := n.guest(u, from)
	if g == nil || len(g.bodies)+len(n.bodies) > ownedMax {
		return true
	}
	g.until = now + 4*n.config.Timeout
	g.whole, g.asked, g.told, g.reach = whole, nil, false, reach
	for i := range n.bodies {
		o := &n.bodies[i]
		if !slices.Contains(g.bodies, o.ID) {
			g.bodies = append(g.bodies, o.ID)
		}
		if !n.owns(o.ID) {
			n.watcher.move(o)
		}
	}
	return true
}

// guest is what is known of a user who is about to come, or nil if too many are.
func (n *server) guest(u world.User, from int) *guest {
	p := &n.placement
	i := slices.IndexFunc(p.guests, func(g guest) bool { return g.user == u })
	switch {
	case i >= 0:
		p.guests[i].from = from
		return &p.guests[i]
	case len(p.guests) == guestsMax:
		return nil
	}
	p.guests = append(p.guests, guest{user: u, from: from})
	return &p.guests[len(p.guests)-1]
}

// resume has what a client may be sent go on as it was with its last server, if it comes from one.
func (n *server) resume(u world.User, a *allowance) {
	if i := slices.IndexFunc(n.guests, func(g guest) bool { return g.user == u }); i >= 0 {
		a.reach = min(max(n.guests[i].reach, n.field.Sight()/reachMin), a.reach)
	}
}

// host tells other servers that what their clients see is known here, and forgets those who have not come, or have.
func (n *server) host(now world.Time, out *mechanism.Outbox) {
	p := &n.placement
	for i := len(p.guests) - 1; i >= 0; i-- {
		g := &p.guests[i]
		switch {
		case now >= g.until:
			for _, id := range g.bodies {
				if !n.owns(id) {
					n.watcher.drop(id)
				}
			}
			p.guests = slices.Delete(p.guests, i, i+1)
		case !g.whole || g.told:
		case g.asked == nil:
			g.asked = n.watcher.questions(g.asked)
		case n.watcher.answered(g.asked):
			g.told = true
			n.buf = wire.AppendUint(append(n.buf[:0], kindReady), uint64(g.user))
			n.tell(now, n.config.serverNode(g.from), mechanism.Control, n.buf, out)
		}
	}
}

// questions appends how often each storage node has been told what is watched.
func (w *watcher) questions(dst []uint64) []uint64 {
	for i := range w.sources {
		dst = append(dst, w.sources[i].asked)
	}
	return dst
}

// answered reports whether those from which the server hears have answered so many of these.
func (w *watcher) answered(asked []uint64) bool {
	for _, reader := range w.readers {
		if reader < 0 || w.sources[reader].answered < asked[reader] {
			return false
		}
	}
	return true
}
