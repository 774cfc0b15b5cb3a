package update

import "throng/world/wire"

// rotation is the round robin in which a sender serves the crowds: always from one to the next, so that neighbours travel together and what is known
// of a receiver takes little room.
type rotation struct {
	crowds []progress // by crowd
	next   int        // whose turn it is
	went   int        // how many it has come to in this round
	usual  int        // and in the one before
	on     bool       // the receiver is to see crowds
	era    uint16     // counts how often that has begun and ended for good
	count  uint32     // which of the table's counts of moments these are by
	gone   int        // crowds of which the receiver is known to have nothing any more
}

// progress is how far a receiver has been told of a crowd.
type progress struct {
	acked  uint32 // the moment as of which the receiver is known to have it, zero for none, or leave
	sent   uint32 // the moment as of which it has it unless something got lost, or leave
	looked uint32 // the round in which it was last looked at
}

// SeeCrowds has the receiver see all that is in the table in crowds from now on, or no longer.
func (s *Sender) SeeCrowds(on bool) {
	t := &s.rotation
	if t.on == on {
		return
	}
	t.on = on
	s.done = false
	if on {
		s.restart()
	}
}

// restart begins the rotation anew, as to a receiver of which nothing is known.
func (s *Sender) restart() {
	t := &s.rotation
	t.begin()
	t.count = s.table.counts
	s.previewed = 0
	for i := range t.crowds {
		t.crowds[i].acked, t.crowds[i].sent = 0, 0
	}
}

// SeesCrowds reports whether the receiver is to see crowds.
func (s *Sender) SeesCrowds() bool { return s.rotation.on }

// begin starts an era: what comes to be known of datagrams of the last one does not count.
func (t *rotation) begin() {
	t.era++
	t.gone = 0
}

// extend has the rotation take in all crowds there are.
func (s *Sender) extend() {
	if !s.rotation.on {
		return
	}
	if s.table.stale {
		s.table.Gather() // an object that is gone must not be sent any more
	}
	if s.rotation.count != s.table.counts {
		s.restart()
	}
	for len(s.rotation.crowds) < len(s.table.crowds) {
		s.rotation.crowds = append(s.rotation.crowds, progress{looked: s.round - 1})
	}
}

// proceed begins a round.
func (t *rotation) proceed() { t.usual, t.went = t.went, 0 }

// nears reports whether the rotation will come to a crowd in this round, if it goes as far as in the last.
func (t *rotation) nears(i int) bool {
	ahead := i - t.next
	if ahead < 0 {
		ahead += len(t.crowds)
	}
	return t.went+ahead < t.usual
}

// priority is that of the next crowd; zero if all have been looked at in this round.
func (t *rotation) priority(round uint32) uint32 {
	if len(t.crowds) == 0 {
		return 0
	}
	return priorityOf(round-t.crowds[t.next].looked, Lanes-1)
}

// appendCrowds appends what the receiver lacks of crowds, up to a size and as long as that comes before all else. It reports
// how many that were, and whether it stopped for want of room.
func (s *Sender) appendCrowds(dst []byte, limit int, before *int, least uint32) (out []byte, items int, full bool) {
	t := &s.rotation
	for t.priority(s.round) > least {
		i := t.next
		p := &t.crowds[i]
		if moment, due := s.dueCrowd(i, p); due {
			start := len(dst)
			if dst = s.appendCrowd(dst, i-*before, i, p); len(dst) > limit {
				return dst[:start], items, true
			}
			if len(dst) > start {
				*before = i
				items++
				p.sent = moment
				s.flights.loadCrowd(i, moment, t.era)
			}
		}
		p.looked = s.round
		t.went++
		if t.next++; t.next == len(t.crowds) {
			t.next = 0
		}
	}
	return dst, items, false
}

// dueCrowd says whether something is to be sent of a crowd, and as of which moment that is.
func (s *Sender) dueCrowd(i int, p *progress) (moment uint32, due bool) {
	if !s.rotation.on {
		return leave, p.sent != leave && p.acked != leave
	}
	return s.table.moment, p.sent < s.table.crowds[i].changed
}

// appendCrowd appends what the receiver lacks of a crowd: nothing if that is too large. A crowd that it is no longer to see is
// one without members.
func (s *Sender) appendCrowd(dst []byte, distance, i int, p *progress) []byte {
	const nobody = 0
	name := nameOf(distance)<<2 | opCrowd
	if !s.rotation.on {
		return append(wire.AppendUint(dst, name), nobody)
	}
	code := s.table.encodeCrowd(i, p.acked)
	if len(code) == 0 {
		return dst
	}
	return append(wire.AppendUint(dst, name), code...)
}

// arrive notes that crowds have reached the receiver.
func (t *rotation) arrive(it *item) {
	if it.binding != t.era {
		return
	}
	crowds := t.crowds[^it.handle:][:it.count]
	for i := range crowds {
		switch p := &crowds[i]; {
		case it.version != leave:
			p.acked = max(p.acked, it.version)
		case p.acked != leave:
			p.acked = leave
			t.gone++
		}
	}
	if t.gone == len(t.crowds) {
		t.begin()
		t.crowds, t.next = t.crowds[:0], 0
	}
}

// miss notes that crowds seem lost: they are due again, unless something later was sent of them.
func (t *rotation) miss(it *item) {
	if it.binding != t.era {
		return
	}
	crowds := t.crowds[^it.handle:][:it.count]
	for i := range crowds {
		switch p := &crowds[i]; {
		case p.sent != it.version || p.acked == leave:
		case it.version == leave:
			p.sent = 0
		default:
			p.sent = p.acked
		}
	}
}
