package aos

import (
	"slices"

	"throng/mechanism/parts/area"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

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
			b.cease(l.id)
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
		if o := n.replica.state().Get(id); (o == nil || !n.replica.owns(o)) && !b.hearsay(i, &h.object) {
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
		b.cease(id)
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
		if b.pending[o.ID] || !s.knows[o.ID] || !n.replica.goes(o) || b.hearsay(i, o) {
			continue
		}
		if at := n.replica.state().Get(o.ID); at != nil && n.replica.owns(at) {
			continue
		}
		b.news.putFrom(n.replica.since(o, s.used, number, false), source{i + 1, s.used})
	}
}

// hearsay reports whether a server tells of an object that another one has, who tells of it as well.
func (b *borders) hearsay(i int, o *world.Object) bool {
	if b.claims[o.ID] < 2 || b.plan.AreaOf(o) == i {
		return false
	}
	return slices.ContainsFunc(b.near, func(k int) bool {
		s := b.sides[k]
		if k == i || !s.knows[o.ID] {
			return false
		}
		told := s.border.Seen.Get(o.ID)
		return told != nil && b.plan.AreaOf(told) == k
	})
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
	for i, s := range b.sides {
		if s != nil && s.knows[id] {
			if o := s.border.Seen.Get(id); o != nil && !b.hearsay(i, o) {
				b.news.put(n.replica.since(o, s.used, n.turns.next(), false))
			}
		}
	}
}
