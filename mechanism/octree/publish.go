package octree

import (
	"throng/mechanism"
	"throng/mechanism/parts/octree"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// refresh finds out who is to hear of an object, tells them how it is, and those who no longer are that it is gone.
func (n *storage) refresh(at int32) {
	x := &n.all[at]
	n.hearing = n.hearing[:0]
	if n.placeless[x.object.Kind] {
		for i := range n.servers {
			n.want(octree.Code{}, int32(i))
		}
	} else {
		n.watching = append(n.watching[:0], x.code)
		n.watches.Watch(n.watching, x.code.Depth, n.want)
	}
	hears := 0
	for _, i := range n.hearing {
		if n.servers[i].reads[x.first] && x.holder != int(i) {
			n.hearing[hears] = i
			hears++
		} else {
			n.wanted[i] = false
		}
	}
	n.hearing = n.hearing[:hears]
	for _, i := range x.listeners {
		if !n.wanted[i] {
			n.servers[i].out.Remove(x.object.ID)
		}
		n.wanted[i] = false
	}
	for _, i := range n.hearing {
		if n.wanted[i] { // it did not before
			n.wanted[i] = false
			n.servers[i].entered = append(n.servers[i].entered, x.object.ID)
		}
	}
	x.listeners = append(x.listeners[:0], n.hearing...)
	n.announce(x)
}

// announce tells those who hear of an object how it is.
func (n *storage) announce(x *record) {
	n.work++
	for _, i := range x.listeners {
		n.servers[i].out.Put(&x.object)
	}
}

// publish tells every server what is new in what it watches.
func (n *storage) publish(now world.Time, out *mechanism.Outbox) {
	n.spread()
	for i := range n.servers {
		s := &n.servers[i]
		to := n.config.serverNode(i)
		if !n.inTouch(to) {
			continue
		}
		n.sayNotes(now, i, out)
		n.sayNews(now, i, out)
		if now >= s.told+n.config.beat() {
			n.ack(now, i, out)
		}
	}
	if now >= n.beaten+n.config.beat() {
		n.beaten = now
		n.saySilent(now, out)
	}
}

// spread has those who hear of an object hear of its holder and action, too, where these are news.
func (n *storage) spread() {
	for _, at := range n.noted {
		x := &n.all[at]
		if !x.noted {
			continue // it is gone, and the place another's
		}
		x.noted = false
		for _, i := range x.listeners {
			n.servers[i].noted = append(n.servers[i].noted, at)
		}
	}
	n.noted = n.noted[:0]
}

// room is what a message may hold.
func (n *storage) room() int { return n.config.Datagram - linkMargin }

// linkMargin is what a link adds to a message, at most, and noteMax is the most that a note takes.
const (
	linkMargin = 32
	noteMax    = 10 + 2 + 5
)

// sayNotes tells a server who answers for what is new to it, and what has changed in that.
func (n *storage) sayNotes(now world.Time, server int, out *mechanism.Outbox) {
	s := &n.servers[server]
	n.buf = append(n.buf[:0], kindNotes)
	say := func(x *record) {
		n.buf = appendNote(n.buf, note{x.object.ID, x.holder, x.action})
		if len(n.buf)+noteMax > n.room() {
			n.tell(now, n.config.serverNode(server), mechanism.Update, n.buf, out)
			n.buf = n.buf[:1]
		}
	}
	for _, id := range s.entered {
		if x, _ := n.get(id); x != nil && s.out.Has(id) {
			say(x)
		}
	}
	for _, at := range s.noted {
		say(&n.all[at])
	}
	s.entered, s.noted = s.entered[:0], s.noted[:0]
	if len(n.buf) > 1 {
		n.tell(now, n.config.serverNode(server), mechanism.Update, n.buf, out)
	}
}

// sayNews tells a server how what it watches is. What comes after it has said what it watches ends with a mark: then it knows all.
func (n *storage) sayNews(now world.Time, server int, out *mechanism.Outbox) {
	s := &n.servers[server]
	initial := s.initial > 0 && n.trusts(now)
	for more := true; more; {
		n.buf = append(n.buf[:0], kindNews, 0)
		n.buf, more = s.out.Append(n.buf, n.room())
		if initial && !more {
			n.buf[1] = byte(min(s.initial, 255))
			s.initial -= min(s.initial, 255)
		}
		if len(n.buf) > 2 || initial && !more {
			n.tell(now, n.config.serverNode(server), mechanism.Update, n.buf, out)
			s.told = now
		}
	}
	out.Count(mechanism.Update, s.out.TakeItems())
}

// takeClaim takes that a user's client has come to a server. What the user has is handed over to that server by those who answer
// for it, or given to it if they have failed.
func (n *storage) takeClaim(now world.Time, server int, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	c := readClaim(r)
	if r.Done() != nil {
		return false
	}
	if !n.trusts(now) {
		return true // it will ask again
	}
	was := n.users.Get(c.user)
	if was.who.After(c.who) {
		return true // the client has gone on since
	}
	n.users.Set(c.user, stewardship{server + 1, c.who})
	previous := was.server - 1
	if was.server == 0 {
		previous = n.config.home(c.user)
	}
	if previous != server {
		n.cede(now, previous, c, server, out)
	}
	for _, id := range n.owned[c.user] {
		if x, _ := n.get(id); x.holder != server && x.holder != previous {
			n.cede(now, x.holder, c, server, out)
		}
	}
	n.buf = c.append(append(n.buf[:0], kindClaimed))
	if len(n.owned[c.user]) > 0 {
		n.buf = append(n.buf, 1)
	} else {
		n.buf = append(n.buf, 0)
	}
	n.tell(now, n.config.serverNode(server), mechanism.Control, n.buf, out)
	return true
}

func (n *storage) cede(now world.Time, from int, c claim, to int, out *mechanism.Outbox) {
	n.buf = wire.AppendUint(c.append(append(n.buf[:0], kindCede)), uint64(to))
	n.tell(now, n.config.serverNode(from), mechanism.Control, n.buf, out)
}

// takeLocate tells a balancer where the objects of a user are, as far as this node holds them first.
func (n *storage) takeLocate(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	u := world.User(r.UintMax(1<<32 - 1))
	if r.Done() != nil {
		return false
	}
	var box fixed.Box
	found := false
	for _, id := range n.owned[u] {
		x, _ := n.get(id)
		if n.placeless[x.object.Kind] {
			continue
		}
		at := fixed.Box{Min: x.object.Pos, Max: x.object.Pos}
		if found {
			at = at.Union(box)
		}
		found, box = true, at
	}
	n.buf = appendLocated(append(n.buf[:0], kindLocated), u, found, box)
	n.tell(now, from, mechanism.Control, n.buf, out)
	return true
}

// regrant gives what failed servers answered for to others. A server has failed when more storage nodes are out of touch with it
// than may be for anything it writes to count: then it has noticed, and answers for nothing.
func (n *storage) regrant(now world.Time, out *mechanism.Outbox) {
	if !n.trusts(now) || now < n.judged+n.config.beat() {
		return
	}
	n.judged = now
	some := false
	for i := range n.servers {
		silent := 0
		for j := range n.silent {
			if j == n.number && !n.inTouch(n.config.serverNode(i)) || j != n.number && n.silent[j][i] {
				silent++
			}
		}
		n.servers[i].dead = silent > n.config.spare()
		some = some || n.servers[i].dead
	}
	for at := range n.all {
		x := &n.all[at]
		if x.object.ID == 0 || !(some && n.servers[x.holder].dead) && (x.granted == world.Never || now < x.granted+2*n.config.Lease) {
			continue
		}
		if to, ok := n.heir(x); ok {
			n.give(now, int32(at), to, x.epoch+1, out)
		}
	}
}

// heir is the server that is to answer for what a failed one did: the one that the user's client is with, or any.
func (n *storage) heir(x *record) (server int, ok bool) {
	if s := n.users.Get(x.object.User); x.object.User != 0 && s.server > 0 && n.lives(s.server-1) {
		return s.server - 1, true
	}
	start := int(uint64(x.object.ID) % uint64(len(n.servers)))
	for k := range n.servers {
		if i := (start + k) % len(n.servers); n.lives(i) {
			return i, true
		}
	}
	return 0, false
}

func (n *storage) lives(server int) bool {
	return !n.servers[server].dead && n.inTouch(n.config.serverNode(server))
}
