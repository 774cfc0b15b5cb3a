package update

import (
	"unsafe"

	"throng/world"
	"throng/world/wire"
)

// Ranker says which lane an object belongs in for the receiver that is being served: 1 for the most important up to
// Lanes-1. The receiver's own objects are in lane 0 without being asked for.
type Ranker interface {
	Rank(o *world.Object) int
}

// Nobody stands for the user of a receiver that has no objects of its own: all come rounded.
const Nobody = ^world.User(0)

// Sender is what a node knows of one receiver.
type Sender struct {
	table        *Table
	ranker       Ranker
	pacer        Pacer
	user         world.User
	prompt       bool    // it is told what has changed, and need not look
	done         bool    // all that was due has been sent in this round, and nothing has been lost since
	entries      []entry // by handle
	unused       []int32
	queue        queue
	rotation     rotation // of crowds
	watched      []int32  // places of those in them that are sent previews of
	previewed    uint32   // the moment as of which the last were
	previewRound uint32   // the round in which that was
	flights      flights
	round        uint32
	high         uint32 // the highest datagram known to have arrived
	heard        uint32 // the last receipt
	noted        uint32 // the note of the latest datagram known to have arrived
}

// entry is an object that the receiver is to see, or has yet to be told that it no longer does.
type entry struct {
	id      world.ID
	row     int32  // in the table
	acked   uint32 // the version that the receiver is known to have, zero for none
	sent    uint32 // the version that it has unless something got lost, or leave
	binding uint16 // counts the objects that the handle has stood for
	tickets uint8  // how often it stands in the queue
	status
}

// status says how far an entry has come. Its handle can be used again once it has left for both sides.
type status uint8

const (
	told    status = 1 << iota // something was sent of it
	absent                     // since then it was sent that it left
	leaving                    // the receiver is no longer to see it
	gone                       // the receiver does not have it, and knows of nothing else
)

// NewSender returns a sender to a user's node. With a nil ranker all objects but the user's own are alike.
func NewSender(t *Table, r Ranker, user world.User) *Sender {
	s := &Sender{table: t, ranker: r, user: user}
	s.flights.begin()
	return s
}

// NewPrompt returns a sender that looks only at objects that it is told have changed (Touch): for nodes that know who sees
// what changes. All objects are alike to it.
func NewPrompt(t *Table, user world.User) *Sender {
	s := NewSender(t, nil, user)
	s.prompt = true
	return s
}

// Touch says that an object has changed in the table.
func (s *Sender) Touch(h int32) {
	if s.entries[h].tickets == 0 {
		s.queueUp(s.lane(s.entries[h].row), h)
	}
}

// Pacer says which objects may be sent in this round. What a receiver has not heard of yet is sent without being asked for.
type Pacer interface {
	Due(id world.ID) bool
}

// Pace has a pacer decide from now on when objects are sent.
func (s *Sender) Pace(p Pacer) { s.pacer = p }

// Enter has the receiver see an object from now on, and returns its handle. The object must be in the table.
func (s *Sender) Enter(id world.ID) int32 {
	row, _ := s.table.where.Get(id)
	return s.take(id, row, s.lane(row))
}

// take gives something a handle and a place in the queue.
func (s *Sender) take(id world.ID, row int32, lane int) int32 {
	if len(s.unused) == 0 {
		s.unused = append(s.unused, int32(len(s.entries)))
		s.entries = append(s.entries, entry{})
	}
	s.done = false
	h := s.unused[len(s.unused)-1]
	s.unused = s.unused[:len(s.unused)-1]
	e := &s.entries[h]
	*e = entry{id: id, row: row, binding: e.binding, tickets: e.tickets}
	if e.tickets == 0 {
		s.queueUp(lane, h)
	}
	return h
}

// queueUp puts an entry at the end of a lane, as one that has waited since the last round.
func (s *Sender) queueUp(lane int, h int32) {
	s.done = false
	s.entries[h].tickets++
	s.queue.push(lane, h, s.round-1)
}

// Leave ends what Enter began. The receiver is told, unless it never heard of the object or knows already.
func (s *Sender) Leave(h int32) {
	e := &s.entries[h]
	e.status |= leaving
	switch {
	case e.status&told == 0 || e.status&gone != 0:
		s.recycle(h)
	case e.sent != leave:
		s.queueUp(0, h)
	}
}

// recycle frees a handle that neither side needs any more. It may still stand in the queue; whoever gets it next takes over
// its place there.
func (s *Sender) recycle(h int32) {
	e := &s.entries[h]
	*e = entry{binding: e.binding + 1, tickets: e.tickets, status: leaving | gone}
	s.unused = append(s.unused, h)
}

// lane is where the object at a place in the table belongs.
func (s *Sender) lane(row int32) int {
	switch {
	case s.table.heads[row].user == s.user:
		return 0
	case s.ranker == nil:
		return 1
	}
	return s.ranker.Rank(&s.table.rows[row].object)
}

// Begin starts a round: everything may be sent once more. What was sent before a time and has not been reported counts as
// lost.
func (s *Sender) Begin(before world.Time) {
	s.round++
	s.done = false
	s.rotation.proceed()
	for seq := s.flights.sent.first; seq != s.flights.sent.next; seq++ {
		f := s.flights.sent.at(seq)
		if f.at >= before {
			break // as are all that follow
		}
		if f.fate == underWay {
			s.miss(seq)
		}
	}
}

// Blocked reports whether so many datagrams are under way that no more may be sent.
func (s *Sender) Blocked() bool { return s.flights.sent.next > s.high+window }

// Rests reports whether nothing need be sent until something changes in the table: all that was due has been sent, and nothing
// is under way that may yet be lost.
func (s *Sender) Rests() bool {
	if !s.done {
		return false
	}
	for seq := s.flights.sent.first; seq != s.flights.sent.next; seq++ {
		if s.flights.sent.at(seq).fate == underWay {
			return false
		}
	}
	return true
}

// AppendHeader appends what every datagram begins with.
func (s *Sender) AppendHeader(dst []byte) []byte {
	dst = wire.AppendUint(dst, uint64(s.flights.sent.next))
	return wire.AppendUint(dst, uint64(s.heard))
}

// Append appends what the receiver lacks, the most important first, up to a size. It reports how many items that were, and
// whether it stopped for want of room.
func (s *Sender) Append(dst []byte, room int) (out []byte, items int, full bool) {
	limit := len(dst) + room
	before, beforeCrowd := int32(-1), -1
	s.extend()
	for {
		lane, most := s.queue.head(s.round)
		if most < weights[0] && s.previewing() {
			var n int
			dst, n = s.appendPreviews(dst, limit, &beforeCrowd)
			items += n
		}
		if s.rotation.priority(s.round) > most {
			var n int
			dst, n, full = s.appendCrowds(dst, limit, &beforeCrowd, most)
			if items += n; full {
				return dst, items, true
			}
		}
		if most == 0 {
			s.done = true
			return dst, items, false
		}
		h := s.queue.peek(lane)
		e := &s.entries[h]
		there := s.locate(e)
		if version, due := s.due(e, there); due {
			start := len(dst)
			if there {
				s.table.catchUp(e.row)
				version = s.table.heads[e.row].version
			}
			if dst = s.appendItem(dst, h-before, e, there); len(dst) > limit {
				return dst[:start], items, true
			}
			before = h
			items++
			s.load(h, e, version, there)
		}
		s.queue.pop(lane)
		s.requeue(lane, h, e, there)
	}
}

// load notes that a version of an entry goes with the next datagram.
func (s *Sender) load(h int32, e *entry, version uint32, there bool) {
	e.sent = version
	e.status |= told
	if !there {
		e.status |= absent
	}
	s.flights.load(item{handle: h, version: version, binding: e.binding})
}

// locate makes sure that an entry knows where its object stands in the table. It reports false if the receiver is to have
// none.
func (s *Sender) locate(e *entry) bool {
	if e.status&leaving != 0 {
		return false
	}
	if s.table.heads[e.row].id == e.id && e.status&absent == 0 {
		return true
	}
	at, ok := s.table.where.Get(e.id)
	if !ok {
		return false // the world has lost it, and soon whoever had it enter will notice
	}
	// It was gone and is back. What is under way tells of what it was before.
	*e = entry{id: e.id, row: at, tickets: e.tickets, binding: e.binding + 1, status: e.status & told}
	return true
}

// due says whether something is to be sent of an entry, and which version that is.
func (s *Sender) due(e *entry, there bool) (version uint32, due bool) {
	if !there {
		return leave, e.sent != leave && e.status&(told|gone) == told
	}
	h := &s.table.heads[e.row]
	if s.pacer != nil && e.status&told != 0 && !s.pacer.Due(e.id) {
		return h.version, false
	}
	if h.user == s.user {
		// Own objects go again until they are known to have arrived: the receiver builds on having them all.
		last := h.version
		if s.table.Believed != nil {
			last = h.altered // later versions are what it has become in its receivers' eyes
		}
		return h.version, e.acked < last
	}
	return h.version, e.sent < h.altered
}

// The operations of items.
const (
	opDelta = iota
	opWhole
	opLeave
	opCrowd
	opPreview // of a crowd: on the wire it is said there
)

// nameOf is a handle or the number of a crowd, by its distance from the one before: neighbours, which are the usual case, are at
// distance one.
func nameOf[N int | int32](distance N) uint64 {
	return uint64(distance-1)<<1 ^ uint64(int64(distance-1)>>63)
}

func (s *Sender) appendItem(dst []byte, distance int32, e *entry, there bool) []byte {
	name := nameOf(distance)
	if !there {
		return wire.AppendUint(dst, name<<2|opLeave)
	}
	h := &s.table.heads[e.row]
	base, op := h.base(e.acked), uint64(opDelta)
	if base == 0 {
		op = opWhole
	}
	dst = wire.AppendUint(dst, name<<2|op)
	dst = append(dst, s.table.encode(e.row, base)...)
	if h.user == s.user {
		dst = s.table.shapes[h.kind].appendRest(dst, &s.table.rows[e.row].object)
	}
	return dst
}

// rerank is after how many rounds the lane of what is in the first is judged anew; others, who come up less often, are
// whenever they do.
const rerank = 4

// requeue puts an entry that was looked at in a lane at the end of that or of another one.
func (s *Sender) requeue(lane int, h int32, e *entry, there bool) {
	switch {
	case e.status&leaving != 0 || e.tickets > 1:
		e.tickets--
	case s.prompt && s.rests(e, there):
		e.tickets--
	case !there:
		s.queue.push(Lanes-1, h, s.round)
	case lane == 1 && uint32(h)%rerank != s.round%rerank:
		s.queue.push(lane, h, s.round)
	default:
		s.queue.push(s.lane(e.row), h, s.round)
	}
}

// rests reports whether nothing need be looked at again until it changes or something gets lost. Own objects go on until they
// are known to have arrived.
func (s *Sender) rests(e *entry, there bool) bool {
	_, due := s.due(e, there)
	return !due
}

// Sent says that a datagram with what was appended since the last has left. The note is any number that belongs to it.
func (s *Sender) Sent(at world.Time, note uint32) { s.flights.depart(at, note) }

// Noted is the note of the latest datagram that is known to have arrived.
func (s *Sender) Noted() uint32 { return s.noted }

// Bytes is the memory that the sender holds.
func (s *Sender) Bytes() int {
	return int(unsafe.Sizeof(*s)) + cap(s.entries)*int(unsafe.Sizeof(entry{})) + cap(s.rotation.crowds)*int(unsafe.Sizeof(progress{})) +
		(cap(s.unused)+cap(s.watched))*4 + s.queue.bytes() + s.flights.bytes()
}
