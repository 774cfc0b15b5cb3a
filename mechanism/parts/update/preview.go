package update

import (
	"math/bits"
	"slices"

	"throng/world"
	"throng/world/wire"
)

// A preview is one member of a crowd, sent ahead of the crowd's turn to a receiver that has the crowd. Nothing is noted of it and
// nothing depends on it: what it tells, the crowd will tell again. So it costs little more than to copy it, and it does not
// matter if it gets lost.

// preview is what is said of a member, kept close together for those who look at many.
type preview struct {
	crowd  int32
	member uint8  // its place there
	moved  uint32 // the moment since which it is the same
	joined uint32 // the moment since which it is there, or never
	base   uint32 // of what is encoded; zero if nothing is
	round  uint32 // in which that was
	at, n  uint32 // where it lies
}

// never is a moment that does not come.
const never = leave

// Watch has the receiver get previews of some objects from now on, besides the crowds that they are in, whenever they have changed.
// The receiver's own, which are to be sent by themselves, are left out.
func (s *Sender) Watch(ids []world.ID) {
	s.watched = s.watched[:0]
	for _, id := range ids {
		if row, ok := s.table.where.Get(id); ok && s.table.heads[row].user != s.user {
			s.watched = append(s.watched, row)
		}
	}
	slices.Sort(s.watched) // neighbours have short names
}

// previewing reports whether previews are yet to be sent in this round.
func (s *Sender) previewing() bool {
	return s.rotation.on && s.previewRound != s.round && len(s.watched) > 0
}

// appendPreviews appends what has changed since the last time of those who are watched and whose crowd does not come anyway, as
// far as there is room for it.
func (s *Sender) appendPreviews(dst []byte, limit int, before *int) (out []byte, items int) {
	since := s.previewed
	s.previewRound, s.previewed = s.round, s.table.moment
	for _, row := range s.watched {
		g := &s.table.previews[row]
		i := int(g.crowd)
		if g.moved <= since || s.rotation.nears(i) {
			continue
		}
		has := s.rotation.crowds[i].acked
		if has == leave || has < g.joined {
			continue // it has yet to get to know the member
		}
		start := len(dst)
		dst = wire.AppendUint(dst, nameOf(i-*before)<<2|opCrowd)
		dst = append(dst, g.member<<2|crowdPreview)
		if dst = append(dst, s.table.encodePreview(g, has)...); len(dst) > limit {
			return dst[:start], items
		}
		*before = i
		items++
	}
	return dst, items
}

// encodePreview returns what has changed of a member for a receiver that has its crowd as it was at a moment.
func (t *Table) encodePreview(g *preview, has uint32) []byte {
	base := t.baseOf(has)
	if g.base == base && g.round == t.round {
		return t.codes[g.at : g.at+g.n]
	}
	start := len(t.codes)
	all := t.crowds[g.crowd].columns
	var columns uint64
	for k := range all {
		if all[k].since[g.member] > base {
			columns |= 1 << k
		}
	}
	t.codes = wire.AppendUint(t.codes, columns)
	for ; columns != 0; columns &= columns - 1 {
		t.codes = wire.AppendInt(t.codes, all[bits.TrailingZeros64(columns)].units[g.member])
	}
	g.base, g.round, g.at, g.n = base, t.round, uint32(start), uint32(len(t.codes)-start)
	return t.codes[start:]
}

// readPreview reads what encodePreview wrote of a member of a crowd. It reports false if the member is not known, which does not
// matter where something later is known of the crowd: that counts.
func (v *Receiver) readPreview(r *wire.Reader, seq uint32, member uint64, x *reading) bool {
	if member >= CrowdMax {
		r.Fail()
		return true
	}
	x.op, x.member = opPreview, uint8(member)
	if c := v.known(x.handle); c != nil {
		x.thing = c.things[member]
		x.late = seq < c.seq
	}
	n := unitsMax
	if x.thing.id != 0 {
		n = v.shapes[x.thing.kind].count()
	}
	columns := r.UintMax(1<<n - 1)
	for ; columns != 0; columns &= columns - 1 {
		x.thing.units[bits.TrailingZeros64(columns)] = r.Int()
	}
	if x.thing.units[0] < 0 || x.thing.units[0] > 1<<32-1 {
		r.Fail()
	}
	return x.thing.id != 0 || x.late
}

// takePreview takes over a member of a crowd, unless something later is known of it or it is heard of by itself.
func (v *Receiver) takePreview(x *reading, seq uint32) {
	member := &v.crowds[x.handle].things[x.member]
	if x.late || member.id != x.thing.id {
		return
	}
	if at, _ := v.where.Get(x.thing.id); v.places[at].handle == 0 {
		*member = x.thing
		v.tell(at, Changed, &x.thing, seq)
	}
}
