package zonal

import (
	"throng/mechanism"
	"throng/mechanism/parts/balance"
	"throng/mechanism/parts/tree"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// hybrid is the node of a zone: the root of its tree, whose keeper it is, and the window through which others see into the zone. It
// answers for what no user does.
type hybrid struct {
	node
	tree    *tree.Tree
	rests   bool // the world has no such zone
	leaves  map[mechanism.NodeID]*leaf
	order   []*leaf // in the order of their coming
	past    []*leaf // who look in no longer, whose memory is used again
	adopted world.ByID[bool]
	where   recent[fixed.Vec] // writers of letters are

	asked    world.Time // when somebody last asked for a parent
	fit      func(mechanism.NodeID) bool
	checked  world.Time // when children and leaves were last looked after
	claim    claim
	gaze     gaze // scratch
	memories []world.Object
	learning bool       // it has taken another's place and knows nothing yet of what nobody answers for
	since    world.Time // when it began
	start    *world.State
	full     bool // more are in the tree than its levels have room for

	balance  *balance.Zone // nil where there is nobody to share with
	numbers  uint64        // of the zone's last plan
	load     balance.Load
	accused  recent[accusation]
	receipts []receipt // scratch
	turn     int       // whose receipts come first

	notify func(side int, n balance.Note)
	out    *mechanism.Outbox // where it goes, during a call
}

// leaf is somebody of another zone who sees into this one. It is not part of the tree.
type leaf struct {
	pipe
	gaze   gaze
	number uint64
	until  world.Time
}

var (
	_ mechanism.Relaying = (*hybrid)(nil)
	_ mechanism.Sized    = (*hybrid)(nil)
)

func newHybrid(c *Config, s *mechanism.Session, p mechanism.Place) *hybrid {
	n := &hybrid{node: newNode(c, s, p), leaves: map[mechanism.NodeID]*leaf{}}
	n.zone = int(p.ID) - 1
	n.rests = n.zone >= n.land.Len()
	n.degree = c.Root
	n.path = []mechanism.NodeID{p.ID}
	n.tree = tree.New(p.ID, c.Root)
	n.spread = n.spreadDown
	n.mine = n.answersFor
	n.fit = n.lively
	n.share(s.Epoch)
	if n.learning = s.Late; n.learning {
		n.start = s.Start
		return n
	}
	for o := range s.Start.All() {
		if n.placeless[o.Kind] || n.zoneOf(o) == n.zone {
			n.state.Put(*o)
			n.ledger.Set(o.ID, entry{stamp: -1, until: c.forgets()})
		}
	}
	return n
}

// answersFor reports whether it is for this node to decide about an object.
func (n *hybrid) answersFor(o *world.Object) bool {
	if n.owner(o) == 0 {
		return n.zoneOf(o) == n.zone
	}
	_, adopted := n.adopted.Get(o.ID)
	return adopted
}

// Wake brings the next tick, or sends what has waited.
func (n *hybrid) Wake(now world.Time, out *mechanism.Outbox) {
	if n.rests {
		return
	}
	if n.learning && n.since == 0 {
		n.since = now
	}
	if present := mechanism.TickAt(now, n.schema.Tick); n.ended < present {
		n.ended = present
		n.catchUp(now)
		n.part(now, out)
		if every := n.config.every(n.schema.Tick); present%every == world.Tick(n.id)%every {
			n.publish(now, out)
			n.handOver(now, out)
		}
		n.remind(now, out)
	}
	if now-n.checked >= n.config.KeepAlive/4 {
		n.checked = now
		n.lookAfter(now, out)
	}
	n.finish(now, out)
}

func (n *hybrid) finish(now world.Time, out *mechanism.Outbox) {
	n.flush(now, out)
	out.Charge(n.window.TakeWork())
	out.WakeAt(min(mechanism.TimeOf(n.ended+1, n.schema.Tick), n.relay.due()))
}

// lookAfter gives up who is silent, forgets what is not heard of, and shows that the node is alive.
func (n *hybrid) lookAfter(now world.Time, out *mechanism.Outbox) {
	n.abandon(now, func(id mechanism.NodeID) { n.tree.Hang(now, id, 0) })
	for _, c := range n.children {
		n.tree.Put(now, c.to, c.degree)
		n.tree.Hang(now, c.to, n.id)
	}
	n.tree.Expire(now-max(3*seldom*n.config.KeepAlive, 2*n.config.forgets()), func(mechanism.NodeID) {})
	n.changed = false
	kept := n.order[:0]
	for _, l := range n.order {
		if l.until > now {
			kept = append(kept, l)
		} else {
			delete(n.leaves, l.to)
			l.buf, l.items = l.buf[:0], 0
			n.past = append(n.past, l)
		}
	}
	clear(n.order[len(kept):])
	n.order = kept
	n.forget(now, n.adopts)
	n.signs(now, false, out)
	n.learn(now, out)
	n.weigh(now, out)
}

// adopts keeps what a user has left behind who is not heard of and has not said goodbye to this zone, where users cannot leave: from now
// on this node answers for it, until the user is back.
func (n *hybrid) adopts(o *world.Object) bool {
	u := n.owner(o)
	if !n.stays || u == 0 || n.zoneOf(o) != n.zone || !n.tree.Has(n.seats.Node(u)) {
		return false
	}
	n.adopted.Set(o.ID, true)
	return true
}

// spreadDown sends a letter to the children and to whoever looks in from other zones.
func (n *hybrid) spreadDown(now world.Time, l *letter, from mechanism.NodeID, out *mechanism.Outbox) {
	n.pass(now, l, from, n.scene, out)
	for _, x := range n.order {
		if x.to != l.origin && x.to != from && (!n.filter || l.concerns(&x.gaze, n.land.margin, n.placeless)) {
			n.forward(now, &x.pipe, l, from, out)
		}
	}
}

// Receive takes a message.
func (n *hybrid) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	if n.rests || !n.known(m.From) {
		return
	}
	if !n.receive(now, m, out) {
		malformed(m, out)
	}
	n.finish(now, out)
}

func (n *hybrid) receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) (sound bool) {
	r := wire.NewReader(m.Payload)
	switch kind := r.Byte(); kind {
	case kindPieces:
		return n.receivePieces(now, m, r.Rest(), out)
	case kindOrder:
		return n.obey(now, m, &r, out)
	case kindAsk:
		return n.receiveAsk(now, m.From, &r, out)
	case kindAttach:
		a := readAttach(&r, n.land.Len())
		return r.Done() == nil && n.receiveAttach(now, m.From, &a, out)
	case kindClaim:
		return n.receiveClaim(now, m.From, &r, out)
	case kindLook:
		return n.receiveLook(now, m.From, &r, out)
	case kindRecall:
		return n.receiveRecall(m.From, &r, out)
	case kindMemory:
		return n.receiveMemory(now, m.From, &r)
	case kindAudit:
		return n.receiveAudit(now, m.From, &r, out)
	case kindShare:
		return n.receiveShare(now, m.From, &r, out)
	case kindPing, kindBye, kindGone, kindDone, kindAccuse:
		number := r.UintMax(number)
		if r.Done() != nil {
			return false
		}
		switch kind {
		case kindPing:
			n.buf = append(appendKind(n.buf[:0], kindPong, number), flag(n.room(false)))
			n.tell(m.From, out)
		case kindBye:
			n.receiveBye(now, m.From, number, out)
		case kindGone:
			n.receiveGone(now, m.From, number, out)
		case kindDone:
			n.done(m.From, number)
		case kindAccuse:
			n.receiveAccuse(m.From, mechanism.NodeID(number))
		}
		return true
	}
	return false
}

// receivePieces takes letters: along the tree, from whoever has something in this zone but is in another, and from other hybrid
// nodes.
func (n *hybrid) receivePieces(now world.Time, m mechanism.Message, pieces []byte, out *mechanism.Outbox) (sound bool) {
	c := n.find(m.From)
	letters, sound := n.readPieces(pieces, func(kind byte, r *wire.Reader) bool {
		number, degree, leaf := r.UintMax(number), int(r.UintMax(degreeMax)), r.UintMax(1) == 1
		if c != nil && kind == signUp && number == c.number && !r.Failed() {
			c.degree, c.leaf = degree, leaf
		}
		return kind == signUp
	})
	if !sound {
		return false
	}
	if c != nil {
		c.heard = now
	}
	n.catchUp(now)
	for i := range letters {
		l := &letters[i]
		if c == nil && l.origin != m.From && !n.standsIn(m.From) {
			continue // only who is in the tree passes on what others say
		}
		if c != nil && l.origin == m.From {
			c.gaze.copyFrom(&l.gaze)
		}
		n.admit(l, m.From)
		if n.hear(now, l, n.config.forgets()*2/3, out) && l.hops < hopsMax {
			n.locate(l)
			n.onward(l)
			n.spread(now, l, m.From, out)
		}
	}
	return true
}

// standsIn reports whether the node stands in for the parent of somebody who has children.
func (n *hybrid) standsIn(id mechanism.NodeID) bool {
	x := n.leaves[id]
	return x != nil && x.gaze.all && n.tree.Has(id)
}

// admit makes way for what a letter tells of: a user who is back answers for what the node has adopted, and this node for what has come
// over from another zone.
func (n *hybrid) admit(l *letter, from mechanism.NodeID) {
	for i := range l.objects {
		o := &l.objects[i]
		if u := n.seats.User(l.origin); u != 0 {
			n.adopted.Delete(o.ID)
		}
		if n.isHybrid(from) && n.owner(o) == 0 && n.zoneOf(o) == n.zone && n.state.Get(o.ID) == nil {
			n.state.Put(*o)
		}
	}
}

// Fed says that the node is a root, and how many it feeds.
func (n *hybrid) Fed() (parent mechanism.NodeID, level, children int) { return 0, 0, len(n.children) }

// Bytes is the memory that the node's structures hold.
func (n *hybrid) Bytes() int { return n.size() + n.tree.Bytes() + 200*len(n.order) }
