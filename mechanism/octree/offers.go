package octree

import (
	"slices"

	"throng/world"
	"throng/world/wire"
)

// offer is an object that some storage nodes say is this server's to answer for. As a grant it is the latest state that any of them
// has, and the highest epoch.
type offer struct {
	grant
	from  []promise
	due   world.Time // when the others are asked to agree
	until world.Time
}

// promise is what a storage node has said: from an epoch on it takes nothing from anybody else, as long as it names no later one.
type promise struct {
	storage int
	epoch   uint32
}

// takeGrant takes that a storage node says an object is this server's. It is when so many say it of the same epoch that no other
// server can have been given it in that epoch, nor anybody write in an earlier one.
func (n *server) takeGrant(now world.Time, storage int, r *wire.Reader) (sound bool) {
	g := readGrant(r, n.session.World.Schema())
	if r.Done() != nil || n.session.World.Schema().CheckObject(&g.object) != nil || g.epoch == epochMax {
		return false
	}
	if epoch, ok := n.own.Get(g.id); ok && epoch >= g.epoch {
		return true // it is
	}
	i := slices.IndexFunc(n.offers, func(o offer) bool { return o.id == g.id })
	if i < 0 {
		if len(n.offers) == offersMax {
			n.offers = slices.Delete(n.offers, 0, 1)
		}
		n.offers = append(n.offers, offer{grant: g, due: now + n.config.beat()})
		i = len(n.offers) - 1
	}
	n.offers[i].add(storage, &g)
	n.offers[i].until = now + 2*n.config.Lease
	if n.offers[i].agreed() > n.config.spare() {
		n.accept(&n.offers[i])
		n.offers = slices.Delete(n.offers, i, i+1)
	}
	return true
}

// offersMax is how many offers are remembered that too few storage nodes have made.
const offersMax = 1 << 16

// add takes what one storage node has said.
func (o *offer) add(storage int, g *grant) {
	if g.later(o.stated, o.version) {
		o.stated, o.version, o.action, o.object, o.acts = g.stated, g.version, g.action, g.object, g.acts
	}
	o.epoch = max(o.epoch, g.epoch)
	o.from = slices.DeleteFunc(o.from, func(p promise) bool { return p.storage == storage })
	o.from = append(o.from, promise{storage, g.epoch})
}

// agreed is how many storage nodes have promised the highest epoch.
func (o *offer) agreed() (count int) {
	for _, p := range o.from {
		if p.epoch == o.epoch {
			count++
		}
	}
	return count
}

// bid asks storage nodes to agree to what others have offered, and forgets what they will not.
func (n *server) bid(now world.Time) {
	n.offers = slices.DeleteFunc(n.offers, func(o offer) bool { return now >= o.until })
	for i := range n.offers {
		o := &n.offers[i]
		if now < o.due {
			continue
		}
		o.due = now + n.config.beat()
		first := n.ring.first(o.id)
		for k := range n.ring.copies {
			storage := n.ring.at(first, k)
			if !slices.Contains(o.from, promise{storage, o.epoch}) {
				s := &n.writer.streams[storage]
				s.handed = append(s.handed, deed{o.id, o.epoch, n.number})
			}
		}
	}
}

// unoffer forgets what a storage node has promised that is out of touch: its successor does not know of it.
func (n *server) unoffer(storage int) {
	for i := range n.offers {
		o := &n.offers[i]
		o.from = slices.DeleteFunc(o.from, func(p promise) bool { return p.storage == storage })
	}
}

// offered reports whether some storage nodes say that an object is this server's.
func (n *server) offered(id world.ID) bool {
	return slices.ContainsFunc(n.offers, func(o offer) bool { return o.id == id })
}

// accept has the server answer for an object, or, if it does already, do so in a later epoch.
func (n *server) accept(o *offer) {
	epoch, owned := n.own.Get(o.id)
	if x := n.replica.State.Get(o.id); owned && epoch >= o.stated {
		if x != nil {
			n.own.Set(o.id, o.epoch)
			n.writer.hold(x, o.epoch, n.writer.lately(o.id))
		}
		return
	}
	n.copies.Delete(o.id)
	n.writer.unlearn(o.id)
	n.own.Set(o.id, o.epoch)
	n.replica.State.Put(o.object)
	n.replica.Window.Look(n.replica.State)
	n.writer.told.Put(o.object)
	n.writer.hold(&o.object, o.epoch, o.acts)
	n.watcher.move(&o.object)
	n.show(&o.object, o.action)
	for _, a := range o.acts {
		if a.user <= n.members.Seats().Users() {
			n.acted(a)
		}
	}
	u := o.object.User
	if u != 0 {
		n.last.Set(u, max(n.last.Get(u), o.action))
		n.adopt(u)
	}
}
