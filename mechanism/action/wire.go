package action

import (
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// What a message is says its first byte.
const (
	// From a client to the server. The first two are ordered; after the kind come the client's life, since the link does not
	// tell those of one epoch apart, and a serial number. The others are unreliable: they are repeated anyway.
	kindSubmit   byte = iota // Command: an entry of its user's
	kindComplete             // Update: what has become of entries
	kindLook                 // Control: I am here, and these objects are what my user sees
	kindJoin                 // Control: a newcomer has its snapshot
	kindAsk                  // Control: what a newcomer asks (package latejoin)

	// From the server to a client. The first is ordered and has a serial number; that of a life begins with a welcome. The
	// others are unreliable.
	kindNews  // Command: what to carry out, and what it depends on
	kindHere  // Control: I am here, too
	kindGone  // Control: you are unknown here, or have been heard to leave
	kindChunk // Snapshot: part of the authoritative state (package latejoin)

	kindLeave // Control, from a client: goodbye
)

// What news are made of.
const (
	newsWelcome byte = iota // a newcomer is in from here on
	newsValue               // an object is so at the last installed position: a blind write
	newsEntry               // somebody else's entry
	newsOwn                 // the client's own entry has its place
	newsDropped             // the client's own entry has none
	newsClaim               // tell what has become of an entry that somebody else was to complete
)

const (
	stepsMax    = 100
	tickMax     = 1 << 40
	positionMax = 1 << 56
	numberMax   = 1<<32 - 1
	readsMax    = 1 << 16 // objects that an entry may see
	newsBytes   = 1000    // how long a message grows before another one is begun
)

// appendEntry appends an entry: its tick, the action or how many steps by whom, what it writes, and what else it reads.
func appendEntry(dst []byte, d *mechanism.Entry) []byte {
	dst = wire.AppendUint(dst, uint64(d.Tick))
	dst = wire.AppendUint(dst, uint64(d.Steps))
	if d.Steps == 0 {
		dst = world.AppendAction(dst, &d.Action)
	} else {
		dst = wire.AppendUint(dst, uint64(d.Action.User))
	}
	f := &d.Footprint
	dst = wire.AppendUint(dst, uint64(len(f.Writes)))
	dst = wire.AppendUint(dst, uint64(len(f.Reads)-len(f.Writes)))
	dst = appendIDs(dst, f.Writes)
	writes, last := f.Writes, world.ID(0)
	for _, id := range f.Reads {
		if len(writes) > 0 && writes[0] == id {
			writes = writes[1:]
			continue
		}
		dst = wire.AppendUint(dst, uint64(id-last))
		last = id
	}
	return dst
}

// appendIDs appends the IDs of a set, as distances from one to the next.
func appendIDs(dst []byte, s world.Set) []byte {
	last := world.ID(0)
	for _, id := range s {
		dst = wire.AppendUint(dst, uint64(id-last))
		last = id
	}
	return dst
}

// readIDs reads what appendIDs wrote for n objects, and appends it to s.
func readIDs(r *wire.Reader, s world.Set, n uint64) world.Set {
	last := world.ID(0)
	for ; n > 0 && !r.Failed(); n-- {
		id := last + world.ID(r.Uint())
		if id <= last {
			r.Fail()
		}
		s = append(s, id)
		last = id
	}
	return s
}

// readEntry reads what appendEntry wrote into d, whose memory it uses.
func readEntry(r *wire.Reader, schema *world.Schema, d *mechanism.Entry) {
	d.Tick = world.Tick(r.UintMax(tickMax))
	d.Steps = int(r.UintMax(stepsMax))
	if d.Steps == 0 {
		d.Action = world.ReadAction(r)
		if !r.Failed() && schema.CheckAction(&d.Action) != nil {
			r.Fail()
		}
	} else {
		d.Action = world.Action{User: world.User(r.UintMax(1<<32 - 1))}
	}
	f := &d.Footprint
	f.Reset()
	writes, others := r.UintMax(readsMax), r.UintMax(readsMax)
	f.Writes = readIDs(r, f.Writes, writes)
	f.Reads = append(f.Reads, f.Writes...)
	f.Reads = readIDs(r, f.Reads, others)
	if others == 0 {
		return
	}
	slices.Sort(f.Reads)
	for i := range f.Reads[1:] {
		if f.Reads[i] == f.Reads[i+1] {
			r.Fail()
		}
	}
}

// appendValue appends how an object is, or that it does not exist. What is as it was at the start costs little.
func appendValue(dst []byte, start *world.State, id world.ID, o *world.Object) []byte {
	if o == nil || o.ID == 0 {
		return append(dst, 0)
	}
	return start.Schema().AppendObject(append(dst, 1), o, start.Get(id), world.Exact)
}

// readValue reads what appendValue wrote: an object without an ID does not exist. Numbers beyond their ranges are refused,
// since rules need not cope with them.
func readValue(r *wire.Reader, start *world.State, id world.ID) world.Object {
	if r.UintMax(1) == 0 {
		return world.Object{}
	}
	schema := start.Schema()
	o := schema.ReadObject(r, start.Get(id), world.Exact)
	if r.Failed() || schema.CheckObject(&o) != nil {
		r.Fail()
		return world.Object{}
	}
	o.ID = id
	return o
}
