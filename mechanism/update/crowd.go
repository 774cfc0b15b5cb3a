package update

import (
	"math/bits"

	"throng/world"
	"throng/world/wire"
)

// CrowdMax is how many objects a crowd has at most.
const CrowdMax = 16

// crowdKept is how many moments can be bases of a crowd. They follow each other faster than the versions of an object.
const crowdKept = 256

// crowdCached is how many encodings of a crowd are kept, by base.
const crowdCached = 16

// crowd is a stretch of the table whose objects are sent together, so that what is encoded once serves many receivers at the
// cost of one. Its versions are moments at which all crowds were looked at, not changes of single objects.
type crowd struct {
	changed uint32                      // the last moment at which it was not what it had been before
	past    [crowdKept][CrowdMax]uint32 // by moment: the versions of the members, zero where there was none
	since   [crowdKept]uint32           // by moment: what changed was then
	codes   [crowdCached]code
}

// Group sets how large crowds are: so that any of them fits into a number of bytes whose objects' numbers keep to their natural
// ranges. One that does not fit waits until it does. It must be called before anything is put into the table.
func (t *Table) Group(most int) {
	largest := 0
	for i := range t.shapes {
		largest = max(largest, t.shapes[i].wholeUsual())
	}
	t.most = most
	t.size = min((most-crowdHead)/largest, CrowdMax)
}

const (
	handleMax = 5             // what a handle takes, at most
	crowdHead = handleMax + 5 // what a crowd takes beside its members: its handle, and two bits for each
)

// Size is how many objects a crowd has at most; zero if not even one fits.
func (t *Table) Size() int { return t.size }

// Len is how many objects there are.
func (t *Table) Len() int { return len(t.where) }

// Gather brings crowds up to date: what is sent of them is what they were like when they were last gathered.
func (t *Table) Gather() {
	t.moment++
	t.stale = false
	for len(t.crowds)*t.size < len(t.heads) {
		t.crowds = append(t.crowds, crowd{})
	}
	for i := range t.crowds {
		t.gather(i)
	}
}

func (t *Table) gather(i int) {
	c := &t.crowds[i]
	now := &c.past[t.moment%crowdKept]
	*now = [CrowdMax]uint32{}
	first := i * t.size
	for j := range t.members(i) {
		if h := &t.heads[first+j]; h.id != 0 {
			now[j] = h.altered
		}
	}
	if *now != c.past[(t.moment-1)%crowdKept] {
		c.changed = t.moment
	}
	c.since[t.moment%crowdKept] = c.changed
}

// members is how many places of the table belong to a crowd.
func (t *Table) members(crowd int) int { return min(t.size, len(t.heads)-crowd*t.size) }

// What can become of a member of a crowd.
const (
	memberSame = iota
	memberGone
	memberDelta
	memberWhole
)

// encodeCrowd returns a crowd as a difference to what it was at an earlier moment, or the whole of it if that is zero or too
// long ago; nothing if that does not fit.
func (t *Table) encodeCrowd(i int, has uint32) []byte {
	c := &t.crowds[i]
	now, was := &c.past[t.moment%crowdKept], &t.nobody
	var base uint32 // for all moments at which it was the same
	fates := uint64(0)
	if has != 0 && t.moment-has < crowdKept {
		was, base = &c.past[has%crowdKept], c.since[has%crowdKept]
		fates = 1 // the lowest bit says that there is something to build on
	}
	code := &c.codes[base%crowdCached]
	if code.version == c.changed && code.base == base && code.round == t.round {
		return t.codes[code.at : code.at+code.n]
	}
	start := len(t.codes)
	for j := range t.members(i) {
		fates |= t.fate(i*t.size+j, now[j], was[j]) << (2*j + 1)
	}
	t.codes = wire.AppendUint(t.codes, fates)
	for rest := fates >> 1; rest != 0; {
		j := bits.TrailingZeros64(rest) / 2
		switch rest >> (2 * j) & 3 {
		case memberDelta:
			t.appendMember(i*t.size+j, now[j], was[j])
		case memberWhole:
			t.appendMember(i*t.size+j, now[j], 0)
		}
		rest &^= 3 << (2 * j)
	}
	if len(t.codes)-start > t.most-handleMax {
		t.codes = t.codes[:start]
	}
	*code = codeAt(c.changed, base, t.round, start, len(t.codes))
	return t.codes[start:]
}

// fate is what became of the object at a place from one version to another.
func (t *Table) fate(row int, now, was uint32) uint64 {
	h := &t.heads[row]
	switch {
	case now == was:
		return memberSame
	case now == 0:
		return memberGone
	case was != 0 && h.base(was) == was:
		return memberDelta
	}
	return memberWhole
}

func (t *Table) appendMember(row int, now, was uint32) {
	h, r := &t.heads[row], &t.rows[row]
	n := t.shapes[h.kind].count()
	from := t.none[:n]
	if was != 0 {
		from = r.units(h, was, n)
	} else {
		t.codes = h.appendName(t.codes)
	}
	t.codes = appendDelta(t.codes, r.units(h, now, n), from)
}

// appendName appends what an object is.
func (h *head) appendName(dst []byte) []byte {
	dst = wire.AppendUint(dst, uint64(h.id))
	dst = wire.AppendUint(dst, uint64(h.kind))
	return wire.AppendUint(dst, uint64(h.user))
}

// throng is what a receiver knows of a crowd: those without an ID are none.
type throng [CrowdMax]thing

// readCrowd reads what encodeCrowd wrote. It reports false if that builds on something that is not known.
func (v *Receiver) readCrowd(r *wire.Reader, base *throng, x *reading) bool {
	fates := r.Uint()
	var t throng
	if fates&1 != 0 {
		if base == nil {
			return false
		}
		t = *base
	}
	fates >>= 1
	for j := range t {
		switch fates >> (2 * j) & 3 {
		case memberGone:
			t[j] = thing{}
		case memberDelta:
			if t[j].id == 0 {
				r.Fail()
			}
			readDelta(r, &t[j].units, v.shapes[t[j].kind].count())
		case memberWhole:
			t[j] = v.readName(r)
			if !r.Failed() {
				readDelta(r, &t[j].units, v.shapes[t[j].kind].count())
			}
		}
	}
	if fates>>(2*CrowdMax) != 0 {
		r.Fail()
	}
	x.throng = int32(len(v.throngs))
	v.throngs = append(v.throngs, t)
	return true
}

// readName reads what appendName wrote.
func (v *Receiver) readName(r *wire.Reader) thing {
	id, kind := world.ID(r.Uint()), r.Uint()
	user := world.User(r.UintMax(1<<32 - 1))
	if id == 0 || kind >= uint64(len(v.shapes)) {
		r.Fail()
		return thing{}
	}
	return thing{id: id, kind: world.KindID(kind), user: user}
}
