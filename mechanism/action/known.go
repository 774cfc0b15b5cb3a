package action

import (
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// known is what of the view matters to the user. It is kept up to date as objects come and go, so that nobody has to look
// through the whole world.
type known struct {
	owned    world.Set // what belongs to the user
	mine     world.Set // what the user answers for; not kept where that changes by itself
	homeless world.Set // what has no place
	index    *world.Index
}

// note takes note of an object that was as one thing and is another; nil is what does not exist.
func (k *known) note(n *client, id world.ID, was, is *world.Object) {
	if was != nil && is != nil && was.User == is.User && was.Kind == is.Kind {
		return
	}
	exists := is != nil
	put := func(s *world.Set, in bool) {
		if in {
			s.Add(id)
		} else {
			s.Remove(id)
		}
	}
	put(&k.owned, exists && is.User == n.place.User)
	put(&k.homeless, exists && n.geometry.placeless[is.Kind])
	put(&k.mine, exists && n.answers == nil && world.Answers(n.world, n.view, is) == n.place.User)
}

// sync has the index know where everything is.
func (k *known) sync(n *client) {
	if k.index == nil {
		k.index = world.NewIndex(max(n.geometry.effect, 1))
	}
	k.index.Sync(n.view)
}

// look asks the server, if it is time to, about what the user sees: it sends what has changed, unless the client knows. It also tells the server
// that the client is there.
func (n *client) look(now world.Time, out *mechanism.Outbox) {
	if now < n.lookAt {
		return
	}
	n.lookAt = now + n.config.Look
	n.sight()
	n.buf = n.presence.Identity.Append(append(n.buf[:0], kindLook))
	n.buf = wire.AppendUint(n.buf, uint64(now))
	if n.heldAll {
		n.buf = append(n.buf, 1)
	} else {
		n.buf = wire.AppendUint(append(n.buf, 0), uint64(len(n.held)))
		n.buf = appendIDs(n.buf, n.held)
	}
	n.say(now, n.buf, out)
}

// sight finds what the user sees, or may run into before the next look is answered: everything, where the world does not say
// how far that is. Who has gone unnoticed would still be in the way of what the user does.
func (n *client) sight() {
	n.held = n.held[:0]
	switch {
	case n.config.Protocol == Basic: // everybody is sent everything anyway
		return
	case !n.geometry.limited:
		n.heldAll = true
		return
	}
	g := &n.geometry
	reach := max(g.sight, g.effect+g.speed.MulInt(2).Mul(world.Seconds(n.config.Look+n.config.RTT)))
	n.known.sync(n)
	for _, id := range n.known.owned {
		o := n.view.Get(id)
		n.held = append(n.held, id)
		if !g.placeless[o.Kind] {
			n.held = append(n.held, n.known.index.Near(o.Pos, reach)...)
		}
	}
	n.held = append(n.held, n.known.homeless...)
	slices.Sort(n.held)
	n.held = slices.Compact(n.held)
	n.held = n.held[:min(len(n.held), readsMax)]
}
