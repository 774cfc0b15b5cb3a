package update

import (
	"math/bits"

	"throng/world"
	"throng/world/wire"
)

// CrowdMax is how many objects a crowd has at most.
const CrowdMax = 16

// crowd is a stretch of the table whose objects are sent together, so that what is encoded once serves many receivers at the
// cost of one. Its versions are moments at which it was looked at, not changes of single objects.
type crowd struct {
	head
	past  [kept][CrowdMax]uint32 // by version: those of the members, zero where there was none
	codes [cached]code
	stale bool // an object has come or gone since it was last looked at
}

// Group sets how large crowds are: so that any of them fits into a number of bytes. It must be called before anything is put
// into the table.
func (t *Table) Group(most int) {
	largest := 0
	for i := range t.shapes {
		largest = max(largest, t.shapes[i].wholeMax())
	}
	t.size = min((most-8)/largest, CrowdMax)
}

// Size is how many objects a crowd has at most; zero if not even one fits.
func (t *Table) Size() int { return t.size }

// Crowds is how many crowds there are.
func (t *Table) Crowds() int { return len(t.crowds) }

// Len is how many objects there are.
func (t *Table) Len() int { return len(t.where) }

// Gather brings crowds up to date: what is sent of them is what they were like when they were last gathered.
func (t *Table) Gather() {
	for len(t.crowds)*t.size < len(t.heads) {
		t.crowds = append(t.crowds, crowd{head: head{first: 1}})
	}
	for i := range t.crowds {
		t.gather(i)
	}
}

func (t *Table) gather(i int) {
	c := &t.crowds[i]
	c.stale = false
	var now [CrowdMax]uint32
	for j := range t.members(i) {
		if h := &t.heads[i*t.size+j]; h.id != 0 {
			now[j] = h.altered
		}
	}
	if now != c.past[c.version%kept] {
		c.version++
		c.altered = c.version
		c.past[c.version%kept] = now
	}
}

// members is how many places of the table belong to a crowd.
func (t *Table) members(crowd int) int { return min(t.size, len(t.heads)-crowd*t.size) }

// unsettle notes that another object stands at a place.
func (t *Table) unsettle(row int32) {
	if t.size > 0 && int(row)/t.size < len(t.crowds) {
		t.crowds[int(row)/t.size].stale = true
	}
}

// crowdOf is the crowd with a number, as it is now: an object that is gone must not be sent any more.
func (t *Table) crowdOf(i int) *crowd {
	if t.crowds[i].stale {
		t.gather(i)
	}
	return &t.crowds[i]
}

// What can become of a member of a crowd.
const (
	memberSame = iota
	memberGone
	memberDelta
	memberWhole
)

// encodeCrowd returns a crowd as a difference to an earlier version, or the whole of it for base zero.
func (t *Table) encodeCrowd(i int, base uint32) []byte {
	c := &t.crowds[i]
	code := &c.codes[base%cached]
	if code.version == c.version && code.base == base && code.round == t.round {
		return t.codes[code.at : code.at+code.n]
	}
	start := len(t.codes)
	now, was := &c.past[c.version%kept], &t.nobody
	fates := uint64(0)
	if base != 0 {
		was = &c.past[base%kept]
		fates = 1 // the lowest bit says that there is something to build on
	}
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
	*code = codeAt(c.version, base, t.round, start, len(t.codes))
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

// EnterCrowd has the receiver see a crowd from now on, and returns its handle. Leave ends it.
func (s *Sender) EnterCrowd(i int) int32 {
	return s.take(0, ^int32(i), Lanes-1)
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
