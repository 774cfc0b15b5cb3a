package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/turn"
	"throng/world"
)

// borders is what a server has to do with other servers: what it tells them of the zones it shares with them, and what it has
// heard and will use in a later turn.
type borders struct {
	plan     *area.Map
	schema   *world.Schema
	encoding area.Encoding
	sides    []*side      // by area; nil for those it has nothing to do with so far
	near     []int        // the neighbours
	told     *world.State // the area as neighbours have been told

	news      news
	claims    map[world.ID]int  // how many servers tell of an object
	flying    map[world.ID]bool // handed over, and not known to have landed
	relayed   map[world.ID]bool // handed over, and told of by this server until the new one does
	leftovers []leftover
	lapsed    []world.ID        // what another server told of, and may not any more
	leaving   []world.ID        // to be handed over at the end of the turn
	coming    map[world.ID]bool // handed over to this server, from a later turn on
	handed    []world.Object    // to this server in this turn
	arrived   []world.ID        // the same
	scratch   []int
	pending   map[world.ID]bool   // what a side has told of that does not count yet
	sent      [sentMax]world.Time // when neighbours were told of the latest turns
}

// side is another server, seen from this one.
type side struct {
	border *area.Border
	knows  map[world.ID]bool // which of its objects the area has heard of
	inbox  []heard
	fresh  int         // from where in the inbox on it is not yet known when it is to be used
	used   turn.Number // the last of which something counts
	turn   turn.Number // plus one: the last that was heard of
	since  world.Time  // when
}

// heard is something that another server has said.
type heard struct {
	turn   turn.Number // from when on it counts
	as     turn.Number // at whose end it was so
	what   heardKind
	object world.Object // of what is gone or has landed only the ID
	stay   uint32
}

type heardKind uint8

const (
	heardLanded heardKind = iota
	heardChanged
	heardGone
	heardHanded
	heardAll // of a turn
)

// leftover is an object that was handed over and has landed. It stays as it was for some turns, to be replaced by what its
// new server tells, and goes if that tells nothing.
type leftover struct {
	id   world.ID
	turn turn.Number // when it goes
}

func (b *borders) begin(n *server) {
	b.plan, b.schema = n.plan, n.session.World.Schema()
	b.encoding, _ = area.ParseEncoding(n.config.Borders)
	b.sides = make([]*side, n.config.Len())
	b.claims, b.flying, b.relayed = map[world.ID]int{}, map[world.ID]bool{}, map[world.ID]bool{}
	b.pending, b.coming = map[world.ID]bool{}, map[world.ID]bool{}
	b.near = n.plan.Neighbours(nil, n.area, n.plan.Reach)
	b.told = n.replica.state().Clone()
	b.told.Release()
	delay := turn.Number(n.config.Turns)
	for _, i := range b.near {
		b.side(i)
		n.turns.advances.Add(n.servers.Of(i), 0, delay)
	}
	// What the area knows of its neighbours at the start, they will tell of.
	for o := range n.replica.state().All() {
		if i := n.plan.AreaOf(o); i != n.area {
			b.side(i).knows[o.ID] = true
			b.claims[o.ID]++
		}
	}
}

// side returns what there is between this server and another one.
func (b *borders) side(i int) *side {
	if b.sides[i] == nil {
		b.sides[i] = &side{border: area.NewBorder(b.schema, b.encoding), knows: map[world.ID]bool{}}
	}
	return b.sides[i]
}

// hand hands over what has left the area in a turn, as it is guessed to be at its end.
func (n *server) hand() {
	b := &n.borders
	for _, id := range b.leaving {
		o := n.replica.state().Get(id)
		if o == nil || n.replica.owns(o) {
			continue
		}
		b.side(n.plan.AreaOf(o)).border.Hand(o, n.roster.Stay(o.User))
		b.flying[id], b.relayed[id] = true, true
	}
	b.leaving = b.leaving[:0]
}

// tellNeighbours tells neighbours how a turn has ended.
func (n *server) tellNeighbours(now world.Time, out *mechanism.Outbox) {
	b := &n.borders
	n.hand()
	for c := range world.Diff(b.told, n.replica.state()) {
		n.tellOf(c)
	}
	b.told.CopyFrom(n.replica.state())
	number := n.turns.next() - 1
	b.sent[number%sentMax] = now
	for _, i := range b.near {
		n.tellSide(now, i, number, true, out)
	}
	for i, s := range b.sides {
		if s != nil && !n.neighbours(i) && (s.border.Flying() > 0 || s.turn != 0) {
			n.tellSide(now, i, number, false, out)
			s.turn = 0
		}
	}
}

func (n *server) neighbours(i int) bool { return slices.Contains(n.borders.near, i) }

// tells reports whether this server tells others of an object: of its own, and of those that it has handed over, whose new server
// cannot do so yet. Else whoever is near both would miss them meanwhile.
func (n *server) tells(o *world.Object) bool {
	return o != nil && (n.replica.owns(o) || n.borders.relayed[o.ID])
}

// tellOf has the bands along the borders follow a change.
func (n *server) tellOf(c world.Change) {
	b := &n.borders
	b.scratch = b.scratch[:0]
	if n.tells(c.New) {
		b.scratch = b.plan.Concerned(b.scratch, c.New)
		owner := n.plan.AreaOf(c.New)
		b.scratch = slices.DeleteFunc(b.scratch, func(i int) bool { return i == n.area || i == owner })
		for _, i := range b.scratch {
			b.side(i).border.Band.Put(c.New)
		}
	}
	told := n.tells(c.Old)
	if c.New == nil {
		delete(b.relayed, c.Old.ID)
	}
	if !told {
		return
	}
	now := len(b.scratch)
	b.scratch = b.plan.Concerned(b.scratch, c.Old)
	for _, i := range b.scratch[now:] {
		if i != n.area && !slices.Contains(b.scratch[:now], i) {
			b.side(i).border.Band.Remove(c.Old.ID)
		}
	}
}

// cease no longer tells of an object that was handed over.
func (b *borders) cease(id world.ID) {
	if !b.relayed[id] {
		return
	}
	delete(b.relayed, id)
	for _, s := range b.sides {
		if s != nil {
			s.border.Band.Remove(id)
		}
	}
}

// tellSide tells another server what is new for it, a neighbour also if nothing is.
func (n *server) tellSide(now world.Time, i int, number turn.Number, always bool, out *mechanism.Outbox) {
	s := n.borders.sides[i]
	for more := n.peers[i].InTouch(); more; {
		var text []byte
		text, more = s.border.Append(n.turns.packed[:0], n.replica.tick(), n.config.Datagram-headerMax)
		n.turns.packed = text
		if len(text) == 0 && !always {
			return
		}
		z := zone{turn: number, last: !more, echo: s.turn}
		if s.turn > 0 {
			z.held = now - s.since
		}
		n.buf = append(appendZone(n.buf[:0], &z), text...)
		n.tellServer(now, i, mechanism.Border, n.buf, out)
		out.Count(mechanism.Border, s.border.TakeItems())
	}
}
