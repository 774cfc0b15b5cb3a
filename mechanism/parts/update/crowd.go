package update

import (
	"math/bits"
	"unsafe"

	"throng/world"
	"throng/world/wire"
)

// CrowdMax is how many objects a crowd has at most.
const CrowdMax = 32

const (
	// crowdStep is how many rounds share a base: who has a crowd as of any moment of them is sent what has changed since the
	// first, so that one encoding serves nearly everybody.
	crowdStep = 8

	// crowdCached is how many encodings of a crowd are kept, one for each of the latest bases.
	crowdCached = 8
)

// crowd is a stretch of the table with objects of one kind that are sent together, so that what is encoded once serves many
// receivers at the cost of one. Its versions are moments at which all crowds were looked at, not changes of single objects.
type crowd struct {
	first   int32            // place of its first member
	kind    world.KindID     // of its members
	touched bool             // something in it has changed since it was gathered
	present uint32           // which places have a member, by bit
	changed uint32           // the last moment at which it was not what it had been before
	members [CrowdMax]uint32 // by member: the version that was last gathered, zero for none
	joined  [CrowdMax]uint32 // the moment since which it is there
	columns []column         // the members' numbers
	codes   [crowdCached]code
}

// column is one of the numbers of all members.
type column struct {
	changed uint32           // the last moment at which one of them was not what it had been before
	since   [CrowdMax]uint32 // by member: the moment since which it is the same
	units   [CrowdMax]int64
}

// Group sets how large crowds are: so that any of them fits into a number of bytes whose objects' numbers keep to their natural
// ranges. One that does not fit waits until it does. It must be called before anything is put into the table.
func (t *Table) Group(most int) {
	t.most = most - handleMax
	t.sizes = make([]int, len(t.shapes))
	for kind := range t.shapes {
		for t.sizes[kind] < CrowdMax && t.shapes[kind].crowdUsual(t.sizes[kind]+1) <= t.most {
			t.sizes[kind]++
		}
	}
}

const handleMax = 5 // what a handle takes, at most

// crowdUsual is the most that a crowd of so many takes whose numbers keep to their natural ranges: the whole of it, as what is
// not whole does without names.
func (s *shape) crowdUsual(members int) int {
	const (
		heads   = 5 + 5 + 3 + 5 // who is there, who is new, their kind, which columns there are
		name    = 10 + 5        // an ID and a user
		actions = 32            // bits of an action's number
	)
	n := heads + members*name + columnSize(members, 5, actions)
	for i := range s.fields {
		n += columnSize(members, s.fields[i].width, s.fields[i].bits)
	}
	return n
}

// Size is how many objects a crowd of any kind can have; zero if not even one fits.
func (t *Table) Size() int {
	least := CrowdMax
	for _, n := range t.sizes {
		least = min(least, n)
	}
	return least
}

// Len is how many objects there are.
func (t *Table) Len() int { return t.where.Len() }

// found makes places for a new crowd of a kind. The first of them is taken.
func (t *Table) found(kind world.KindID) int32 {
	first, size := int32(len(t.heads)), 1
	number := int32(len(t.crowds))
	if t.sizes != nil {
		size = max(1, t.sizes[kind])
		t.crowds = append(t.crowds, crowd{first: first, kind: kind})
		for j := range size {
			t.previews = append(t.previews, preview{crowd: number, member: uint8(j), joined: never})
		}
	}
	for i := first + int32(size) - 1; i > first; i-- {
		t.free[kind] = append(t.free[kind], i)
	}
	for range size {
		t.heads = append(t.heads, head{crowd: number})
	}
	t.rows = append(t.rows, make([]row, size)...)
	return first
}

// touch notes that what is at a place has changed.
func (t *Table) touch(i int32) {
	if t.sizes == nil {
		return
	}
	if n := t.heads[i].crowd; !t.crowds[n].touched {
		t.crowds[n].touched = true
		t.touched = append(t.touched, n)
	}
}

// Gather brings crowds up to date: what is sent of them is what they were like when they were last gathered.
func (t *Table) Gather() {
	if t.moment++; t.moment > momentsMax {
		t.recount()
	}
	t.stale = false
	for _, n := range t.touched {
		t.gather(&t.crowds[n])
	}
	t.touched = t.touched[:0]
}

func (t *Table) gather(c *crowd) {
	c.touched = false
	if c.columns == nil {
		c.columns = make([]column, t.shapes[c.kind].count())
	}
	heads := t.heads[c.first:][:max(1, t.sizes[c.kind])]
	for j := range heads {
		h := &heads[j]
		version := h.altered
		if h.id == 0 {
			version = 0
		}
		was := c.members[j]
		if version == was {
			continue
		}
		c.members[j], c.changed = version, t.moment
		g := &t.previews[int(c.first)+j]
		g.moved, g.base = t.moment, 0
		if version == 0 {
			c.present &^= 1 << j
			g.joined = never
			continue
		}
		isNew := was < h.first
		if isNew {
			c.present |= 1 << j
			c.joined[j], g.joined = t.moment, t.moment
		}
		units := t.rows[int(c.first)+j].units(h, h.version, len(c.columns))
		for k := range units {
			if x := &c.columns[k]; isNew || x.units[j] != units[k] {
				x.units[j], x.since[j], x.changed = units[k], t.moment, t.moment
			}
		}
	}
}

// momentsMax is how many moments are counted. There may be some thousands in a second, and so many in a week.
const momentsMax = 1 << 31

// recount counts moments from one again, as of which everything is what it is. Senders begin anew when they notice.
func (t *Table) recount() {
	t.counts++
	t.moment, t.marks = 1, [crowdCached]uint32{}
	t.Renew()
	for i := range t.previews {
		g := &t.previews[i]
		if g.moved = t.moment; g.joined != never {
			g.joined = t.moment
		}
	}
	for i := range t.crowds {
		c := &t.crowds[i]
		c.changed = t.moment
		for j := range c.joined {
			c.joined[j] = t.moment
		}
		for k := range c.columns {
			x := &c.columns[k]
			x.changed = t.moment
			for j := range x.since {
				x.since[j] = t.moment
			}
		}
	}
}

// mark makes the present moment a base. Moments are left out so that the latest bases lie in different places among a crowd's
// encodings.
func (t *Table) mark() {
	at := t.round / crowdStep % crowdCached
	t.moment += crowdCached - (t.moment-at)%crowdCached
	t.marks[at] = t.moment
}

// baseOf is the latest base that a receiver has who has a crowd as it was at a moment.
func (t *Table) baseOf(has uint32) uint32 {
	for i := range uint32(crowdCached) {
		if base := t.marks[(t.round/crowdStep-i)%crowdCached]; base != 0 && base <= has {
			return base
		}
	}
	return min(has, 1)
}

// encodeCrowd returns what has changed of a crowd for a receiver that has it as it was at a moment, or all of it if that is zero;
// nothing if that does not fit.
func (t *Table) encodeCrowd(i int, has uint32) []byte {
	c := &t.crowds[i]
	base := t.baseOf(has)
	code := &c.codes[base%crowdCached]
	if code.version == c.changed && code.base == base && code.round == t.round {
		return t.codes[code.at : code.at+code.n]
	}
	start := len(t.codes)
	t.appendNames(c, base)
	t.appendColumns(c, base)
	if len(t.codes)-start > t.most {
		t.codes = t.codes[:start]
	}
	*code = codeAt(c.changed, base, t.round, start, len(t.codes))
	return t.codes[start:]
}

// What is said of a crowd.
const (
	crowdSame    = iota // who is there; they were before
	crowdGrown          // who is there, and who of them is new
	crowdPreview        // one of its members
)

// appendNames appends who is in a crowd, and what they are who have come since a moment.
func (t *Table) appendNames(c *crowd, since uint32) {
	came := among(c.present, &c.joined, since)
	how := uint64(crowdSame)
	if came != 0 {
		how = crowdGrown
	}
	t.codes = wire.AppendUint(t.codes, uint64(c.present)<<2|how)
	if came == 0 {
		return
	}
	t.codes = wire.AppendUint(t.codes, uint64(came))
	t.codes = wire.AppendUint(t.codes, uint64(c.kind))
	for ; came != 0; came &= came - 1 {
		h := &t.heads[int(c.first)+bits.TrailingZeros32(came)]
		t.codes = wire.AppendUint(t.codes, uint64(h.id))
		t.codes = wire.AppendUint(t.codes, uint64(h.user))
	}
}

// appendColumns appends the numbers of a crowd's members that have changed since a moment.
func (t *Table) appendColumns(c *crowd, since uint32) {
	if c.present == 0 {
		return
	}
	var columns uint64
	var changed [unitsMax]uint32 // by column: for whom
	for k := range c.columns {
		if x := &c.columns[k]; x.changed > since {
			if changed[k] = among(c.present, &x.since, since); changed[k] != 0 {
				columns |= 1 << k
			}
		}
	}
	t.codes = wire.AppendUint(t.codes, columns)
	for ; columns != 0; columns &= columns - 1 {
		k := bits.TrailingZeros64(columns)
		t.codes = appendColumn(t.codes, &c.columns[k].units, changed[k], c.present)
	}
}

// among finds those whose moments are later than one.
func among(members uint32, moments *[CrowdMax]uint32, than uint32) (later uint32) {
	for ; members != 0; members &= members - 1 {
		if j := bits.TrailingZeros32(members); moments[j] > than {
			later |= 1 << j
		}
	}
	return later
}

func (c *crowd) bytes() int {
	return int(unsafe.Sizeof(*c)) + cap(c.columns)*int(unsafe.Sizeof(column{}))
}
