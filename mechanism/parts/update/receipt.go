package update

import "throng/world/wire"

// Receipt says what has arrived.
type Receipt struct {
	Number  uint32 // counts receipts from one
	High    uint32 // the highest datagram that has arrived, zero if none has
	Missing uint64 // which of the 63 before it have not: bit i is for datagram High-1-i
}

// AppendReceipt appends a receipt.
func AppendReceipt(dst []byte, r Receipt) []byte {
	dst = wire.AppendUint(dst, uint64(r.Number))
	dst = wire.AppendUint(dst, uint64(r.High))
	return wire.AppendUint(dst, r.Missing)
}

// ReadReceipt reads what AppendReceipt wrote.
func ReadReceipt(r *wire.Reader) Receipt {
	return Receipt{
		Number:  uint32(r.UintMax(1<<32 - 1)),
		High:    uint32(r.UintMax(1<<32 - 1)),
		Missing: r.UintMax(1<<(covered-1) - 1),
	}
}

// has reports whether a datagram up to High has arrived, by a receipt that covers it.
func (r *Receipt) has(seq uint32) bool {
	behind := r.High - seq
	return behind == 0 || behind < covered && r.Missing>>(behind-1)&1 == 0
}

// Plausible reports whether a receipt can be true: it speaks of nothing that was not sent, and takes nothing back.
func (s *Sender) Plausible(r Receipt) bool {
	return r.High < s.flights.sent.next && (r.Number <= s.heard || r.High >= s.high)
}

// Confirm takes a plausible receipt. It reports whether the receipt is news, not one that was overtaken or repeated.
func (s *Sender) Confirm(r Receipt) bool {
	if r.Number <= s.heard {
		return false
	}
	s.heard, s.high = r.Number, r.High
	f := &s.flights
	for seq := f.sent.first; seq != f.sent.next && seq <= r.High; seq++ {
		switch fate := f.sent.at(seq).fate; {
		case fate == arrived:
		case r.has(seq):
			s.arrive(seq)
		case fate == underWay:
			s.miss(seq)
		}
	}
	f.forget(r.High)
	return true
}

// arrive notes that a datagram has reached the receiver.
func (s *Sender) arrive(seq uint32) {
	x := s.flights.sent.at(seq)
	x.fate = arrived
	s.noted = max(s.noted, x.note)
	for i := s.flights.from(seq); i != x.items; i++ {
		it := s.flights.items.at(i)
		if it.handle < 0 {
			s.rotation.arrive(it)
			continue
		}
		e := &s.entries[it.handle]
		switch {
		case it.binding != e.binding:
		case it.version != leave:
			e.acked = max(e.acked, it.version)
		case e.status&leaving != 0:
			s.recycle(it.handle)
		default:
			e.status |= gone
		}
	}
}

// miss gives a datagram up: what it held and nothing later does is due again.
func (s *Sender) miss(seq uint32) {
	x := s.flights.sent.at(seq)
	x.fate = missed
	s.done = false
	for i := s.flights.from(seq); i != x.items; i++ {
		it := s.flights.items.at(i)
		if it.handle < 0 {
			s.rotation.miss(it)
			continue
		}
		e := &s.entries[it.handle]
		switch {
		case it.binding != e.binding:
		case it.version != e.sent || e.status&gone != 0:
		case e.status&leaving != 0:
			e.sent = 0
			s.queueUp(0, it.handle)
		case it.version == leave:
			e.sent = 0
			s.resume(it.handle)
		default:
			e.sent = e.acked
			s.resume(it.handle)
		}
	}
}

// resume has an entry looked at again of which something was lost.
func (s *Sender) resume(h int32) {
	if s.prompt {
		s.Touch(h)
	}
}

// arrivals is the receiving side: which datagrams have come.
type arrivals struct {
	high    uint32
	missing uint64 // as in a receipt
}

// takes says whether a datagram is to be taken: it has not come before, and is neither too late nor impossibly early.
func (a *arrivals) takes(seq uint32) bool {
	if seq > a.high {
		return seq <= a.high+window
	}
	behind := a.high - seq
	return behind > 0 && behind < late && a.missing>>(behind-1)&1 == 1
}

// add notes that a datagram has come.
func (a *arrivals) add(seq uint32) {
	if seq < a.high {
		a.missing &^= 1 << (a.high - seq - 1)
		return
	}
	ahead := seq - a.high
	// What was the highest is now one of those before it, and those between have not come.
	between := uint64(1)<<(ahead-1) - 1
	a.missing = (a.missing<<ahead | between) & (1<<(covered-1) - 1)
	a.high = seq
}
