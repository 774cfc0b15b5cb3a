package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
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
	b.claims, b.flying, b.pending, b.coming = map[world.ID]int{}, map[world.ID]bool{}, map[world.ID]bool{}, map[world.ID]bool{}
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
		b.flying[id] = true
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

// tellOf has the bands along the borders follow a change.
func (n *server) tellOf(c world.Change) {
	b := &n.borders
	if c.New != nil && n.replica.owns(c.New) {
		b.scratch = b.plan.Concerned(b.scratch[:0], c.New)
		for _, i := range b.scratch {
			if i != n.area {
				b.side(i).border.Band.Put(c.New)
			}
		}
	} else {
		b.scratch = b.scratch[:0]
	}
	if c.Old == nil || !n.replica.owns(c.Old) {
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

// takeZone takes what another server tells. It counts from a later turn on.
func (n *server) takeZone(now world.Time, i int, r *wire.Reader) (sound bool) {
	z := readZone(r)
	text := r.Rest()
	s := n.borders.side(i)
	if r.Failed() || z.echo > n.turns.next() {
		return false
	}
	if len(text) > 0 && !s.read(text, n.borders.coming) {
		return false
	}
	if !z.last {
		return true
	}
	effect := n.turns.next()
	if n.neighbours(i) {
		if z.echo > 0 {
			n.latencies.hearServer(i, now, z.held, n.borders.sent[(z.echo-1)%sentMax])
		}
		id := n.servers.Of(i)
		if !n.turns.advances.Has(id) { // it was not waited for, and is again
			n.turns.advances.Add(id, z.turn, n.latencies.serverDelay(n.config, i))
		}
		if e, ok := n.turns.advances.Take(id, z.turn); ok {
			// An area that has fallen behind does not wait until it is where its neighbour was: what is handed over would be
			// nowhere for as long.
			effect = min(e, effect+2*n.latencies.serverDelay(n.config, i)+aheadMax)
		}
	}
	s.turn, s.since = z.turn+1, now
	s.inbox = append(s.inbox, heard{what: heardAll})
	for k := s.fresh; k < len(s.inbox); k++ {
		s.inbox[k].turn, s.inbox[k].as = effect, z.turn
	}
	s.fresh = len(s.inbox)
	return true
}

// aheadMax is by how many turns a neighbour may be ahead, beyond the delay there and back, for its time to count.
const aheadMax = 4

// read takes a message of the border, and notes what is coming.
func (s *side) read(text []byte, coming map[world.ID]bool) bool {
	f, ok := s.border.Read(text)
	if !ok {
		return false
	}
	for _, l := range f.Landed {
		s.inbox = append(s.inbox, heard{what: heardLanded, object: world.Object{ID: l.ID}})
	}
	for i := range f.Changes {
		what := heardChanged
		if f.Changes[i].Gone {
			what = heardGone
		}
		s.inbox = append(s.inbox, heard{what: what, object: f.Changes[i].Object})
	}
	for i := range f.Handed {
		s.inbox = append(s.inbox, heard{what: heardHanded, object: f.Handed[i].Object, stay: f.Handed[i].Stay})
		coming[f.Handed[i].Object.ID] = true
	}
	return true
}

// hearBorders turns what counts from a turn on into news.
func (n *server) hearBorders(number turn.Number) {
	b := &n.borders
	b.news.reset()
	if b.encoding == area.Full {
		for o := range n.replica.state().All() {
			if !n.replica.owns(o) && b.claims[o.ID] > 0 {
				b.news.put(o)
			}
		}
	}
	b.handed = b.handed[:0]
	for i, s := range b.sides {
		if s == nil {
			continue
		}
		used := 0
		for ; used < s.fresh && s.inbox[used].turn <= number; used++ {
			n.hearBorder(i, number, &s.inbox[used])
			s.used = s.inbox[used].as
		}
		n.correct(i, number)
		s.inbox = s.inbox[:copy(s.inbox, s.inbox[used:])]
		s.fresh -= used
	}
	for _, id := range b.lapsed {
		n.forget(id)
	}
	b.lapsed = b.lapsed[:0]
	kept := b.leftovers[:0]
	for _, l := range b.leftovers {
		if l.turn > number {
			kept = append(kept, l)
		} else {
			n.forget(l.id)
		}
	}
	b.leftovers = kept
	// What is this server's own from now on counts more than what others say of it, who may not know yet.
	for i := range b.handed {
		b.news.put(&b.handed[i])
		b.arrived = append(b.arrived, b.handed[i].ID)
	}
}

func (n *server) hearBorder(i int, number turn.Number, h *heard) {
	b := &n.borders
	s := b.sides[i]
	id := h.object.ID
	switch h.what {
	case heardLanded:
		delete(b.flying, id)
		b.leftovers = append(b.leftovers, leftover{id, number + 2*turn.Number(n.config.Turns) + 2})
	case heardChanged:
		if !s.knows[id] {
			s.knows[id] = true
			b.claims[id]++
		}
		if o := n.replica.state().Get(id); o == nil || !n.replica.owns(o) {
			b.news.putFrom(n.replica.since(&h.object, h.as, number, false), source{i + 1, h.as})
		}
	case heardGone:
		if s.knows[id] {
			delete(s.knows, id)
			b.disclaim(id)
		}
		n.forget(id)
	case heardHanded:
		delete(b.coming, id)
		if o := n.replica.state().Get(id); o != nil && n.replica.owns(o) {
			return // it was handed over before, and is here
		}
		if !n.roster.Over(h.object.User, h.stay) {
			b.handed = append(b.handed, *n.replica.since(&h.object, h.as, number, true))
		}
	}
}

// correct sees to what a neighbour has nothing new to tell of although the rules guess that it goes on: it has not.
func (n *server) correct(i int, number turn.Number) {
	b, s := &n.borders, n.borders.sides[i]
	if !n.config.Reckon || !n.neighbours(i) {
		return
	}
	clear(b.pending)
	for k := range s.inbox {
		b.pending[s.inbox[k].object.ID] = true
	}
	for o := range s.border.Seen.All() {
		if b.pending[o.ID] || !s.knows[o.ID] || !n.replica.goes(o) {
			continue
		}
		if at := n.replica.state().Get(o.ID); at != nil && n.replica.owns(at) {
			continue
		}
		b.news.putFrom(n.replica.since(o, s.used, number, false), source{i + 1, s.used})
	}
}

func (b *borders) disclaim(id world.ID) {
	if b.claims[id]--; b.claims[id] == 0 {
		delete(b.claims, id)
	}
}

// forget removes a neighbour's object of which one server tells no more, or shows it as another one tells of it.
func (n *server) forget(id world.ID) {
	b := &n.borders
	if o := n.replica.state().Get(id); o != nil && n.replica.owns(o) || b.flying[id] {
		return
	}
	if b.claims[id] == 0 {
		b.news.remove(id)
		return
	}
	for _, s := range b.sides {
		if s != nil && s.knows[id] {
			if o := s.border.Seen.Get(id); o != nil {
				b.news.put(o)
			}
		}
	}
}
