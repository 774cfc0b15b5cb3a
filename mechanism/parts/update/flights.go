package update

import "throng/world"

const (
	window  = 32 // datagrams that may be under way beyond the highest known to have arrived
	late    = 32 // a datagram this far behind the highest that has arrived is no longer taken
	covered = 64 // datagrams that a receipt speaks of
)

// flights remembers what went in the datagrams under way, and in those of which it is not known what became of them.
type flights struct {
	sent  ring[flight] // the numbers of the ring are those of the datagrams
	items ring[item]
}

type flight struct {
	at    world.Time
	items uint32 // where they end in the ring of items
	note  uint32
	fate  fate
}

// fate is what is known of a datagram.
type fate uint8

const (
	underWay fate = iota
	missed        // it seems lost; it may still have arrived
	arrived
)

// item is one object in a datagram, or a run of crowds.
type item struct {
	handle  int32  // or below zero for crowds: the first of them
	version uint32 // or leave
	binding uint16 // of the handle: it may stand for another object by the time the datagram is heard of
	count   uint16 // of crowds
}

// leave stands for a version where an object left. Versions count from one and do not come that far.
const leave uint32 = 1<<32 - 1

// begin numbers datagrams from one.
func (f *flights) begin() { f.sent.first, f.sent.next = 1, 1 }

// load puts an item into the next datagram to leave.
func (f *flights) load(it item) { f.items.push(it) }

// loadCrowd puts a crowd into the next datagram to leave. Most follow their neighbour.
func (f *flights) loadCrowd(i int, moment uint32, era uint16) {
	began := f.items.first
	if f.sent.len() > 0 {
		began = f.sent.at(f.sent.next - 1).items
	}
	if f.items.next != began {
		last := f.items.at(f.items.next - 1)
		if last.handle < 0 && int(^last.handle)+int(last.count) == i && last.version == moment && last.count < 1<<16-1 {
			last.count++
			return
		}
	}
	f.load(item{handle: ^int32(i), version: moment, binding: era, count: 1})
}

// depart sends the datagram off, with whatever was loaded since the last. The note comes back with it.
func (f *flights) depart(at world.Time, note uint32) {
	f.sent.push(flight{at: at, items: f.items.next, note: note})
}

// from is where a datagram's items begin: where those of the one before it end.
func (f *flights) from(seq uint32) uint32 {
	if seq == f.sent.first {
		return f.items.first
	}
	return f.sent.at(seq - 1).items
}

// forget drops what needs no more thought: datagrams at the front that have arrived, and those that no receipt will speak
// of again.
func (f *flights) forget(high uint32) {
	for seq := f.sent.first; seq != f.sent.next; seq++ {
		if x := f.sent.at(seq); x.fate != arrived && seq+covered > high {
			break
		}
		f.items.drop(f.sent.at(seq).items)
		f.sent.drop(seq + 1)
	}
}

func (f *flights) bytes() int { return len(f.sent.slots)*24 + len(f.items.slots)*12 }
