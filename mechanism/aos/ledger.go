package aos

import (
	"slices"

	"throng/world"
	"throng/world/wire"
)

// ledger is what a server has agreed on with others, or is about to: two-phase commit with presumed abort.
//
// Whoever coordinates a deal asks all who have objects in it to hold them. They promise to, and say what the objects are like;
// the coordinator works out what becomes of them and decides. A decision to go through with it is remembered until all have
// said that they have settled it; one not to is not remembered at all: of a deal that a coordinator does not know, nothing
// came. A promise is kept until its deal is decided, however long that takes.
//
// The record (see append) outlives a server that crashes: its driver keeps it (mechanism.Recorded). Everything else may be forgotten
// at any moment. Who takes the server's place goes through with what was decided, and holds what was promised until it hears what
// came of it.
type ledger struct {
	area     int
	number   uint64 // of the last deal that was coordinated here
	deals    []*deal
	promises []*promise
}

// deal is something that several servers do together, and that this one coordinates.
type deal struct {
	number  uint64
	hops    int
	action  world.Action
	parts   []part // this server's own among them
	began   world.Time
	told    world.Time // when the others were last told of the decision
	decided bool       // to go through with it
	applied bool       // here
}

// part is what one server has in a deal.
type part struct {
	area    int
	ids     world.Set
	objects []world.Object // as they are, once it has promised
	results []result       // what becomes of them, once that is decided
	voted   bool
	settled bool
}

// result is what becomes of an object in a deal.
type result struct {
	id     world.ID
	gone   bool
	object world.Object
}

// promise is that objects are held for a deal that another server coordinates.
type promise struct {
	area    int    // which
	number  uint64 // of the deal there
	ids     world.Set
	voted   bool       // the coordinator has been told
	asked   world.Time // when it was last told
	results []result
	decided bool // to go through with it: the results count from the next turn on
}

// open begins a deal.
func (l *ledger) open(now world.Time, hops int, a *world.Action, parts []part) *deal {
	l.number++
	d := &deal{number: l.number, hops: hops, action: *a, parts: parts, began: now}
	l.deals = append(l.deals, d)
	return d
}

func (l *ledger) deal(number uint64) *deal {
	for _, d := range l.deals {
		if d.number == number {
			return d
		}
	}
	return nil
}

// part returns what a server has in a deal, or nil.
func (d *deal) part(area int) *part {
	for i := range d.parts {
		if d.parts[i].area == area {
			return &d.parts[i]
		}
	}
	return nil
}

// complete reports whether all have promised.
func (d *deal) complete() bool {
	return !slices.ContainsFunc(d.parts, func(p part) bool { return !p.voted })
}

// close forgets a deal: one of which nothing comes, or one that all have settled.
func (l *ledger) close(d *deal) {
	l.deals = slices.DeleteFunc(l.deals, func(x *deal) bool { return x == d })
}

// settle notes that a server has done its part, and forgets a deal that is settled by all.
func (l *ledger) settle(number uint64, area int) {
	d := l.deal(number)
	if d == nil || !d.decided {
		return
	}
	if p := d.part(area); p != nil {
		p.settled = true
	}
	if !slices.ContainsFunc(d.parts, func(p part) bool { return !p.settled }) {
		l.close(d)
	}
}

// promise promises to hold objects, unless one of them is held already.
func (l *ledger) promise(area int, number uint64, ids world.Set) *promise {
	if p := l.promised(area, number); p != nil {
		return p
	}
	if l.held(nil).Intersects(ids) {
		return nil
	}
	p := &promise{area: area, number: number, ids: ids}
	l.promises = append(l.promises, p)
	return p
}

func (l *ledger) promised(area int, number uint64) *promise {
	for _, p := range l.promises {
		if p.area == area && p.number == number {
			return p
		}
	}
	return nil
}

// release forgets a promise.
func (l *ledger) release(p *promise) {
	l.promises = slices.DeleteFunc(l.promises, func(x *promise) bool { return x == p })
}

// held adds to a set what is held.
func (l *ledger) held(set world.Set) world.Set {
	for _, p := range l.promises {
		for _, id := range p.ids {
			set.Add(id)
		}
	}
	for _, d := range l.deals {
		if p := d.part(l.area); p != nil && !d.applied {
			for _, id := range p.ids {
				set.Add(id)
			}
		}
	}
	return set
}

// append appends the record: promises that a coordinator may know of, and decisions that not all have settled.
func (l *ledger) append(dst []byte, schema *world.Schema) []byte {
	dst = wire.AppendUint(dst, l.number)
	kept := 0
	for _, d := range l.deals {
		if d.decided {
			kept++
		}
	}
	dst = wire.AppendUint(dst, uint64(kept))
	for _, d := range l.deals {
		if d.decided {
			dst = d.append(dst, schema)
		}
	}
	kept = 0
	for _, p := range l.promises {
		if p.voted {
			kept++
		}
	}
	dst = wire.AppendUint(dst, uint64(kept))
	for _, p := range l.promises {
		if p.voted {
			dst = wire.AppendUint(dst, uint64(p.area))
			dst = wire.AppendUint(dst, p.number)
			dst = appendHeld(dst, p.ids)
		}
	}
	return dst
}

func (d *deal) append(dst []byte, schema *world.Schema) []byte {
	dst = wire.AppendUint(dst, d.number)
	dst = world.AppendAction(dst, &d.action)
	dst = appendFlag(dst, d.applied)
	dst = wire.AppendUint(dst, uint64(len(d.parts)))
	for i := range d.parts {
		p := &d.parts[i]
		dst = wire.AppendUint(dst, uint64(p.area))
		dst = appendFlag(dst, p.settled)
		dst = appendHeld(dst, p.ids)
		dst = wire.AppendBytes(dst, appendResults(nil, schema, p.results))
	}
	return dst
}

// readLedger reads a record.
func readLedger(r *wire.Reader, schema *world.Schema, area int) *ledger {
	l := &ledger{area: area, number: r.Uint()}
	for n := r.UintMax(uint64(r.Len())); n > 0 && !r.Failed(); n-- {
		d := &deal{decided: true, number: r.Uint(), action: world.ReadAction(r), applied: readFlag(r)}
		for k := r.UintMax(areasMax); k > 0 && !r.Failed(); k-- {
			p := part{voted: true, area: int(r.UintMax(areasMax)), settled: readFlag(r), ids: readHeld(r, nil)}
			inner := wire.NewReader(r.Bytes())
			p.results = readResults(&inner, schema)
			if inner.Done() != nil {
				r.Fail()
			}
			d.parts = append(d.parts, p)
		}
		l.deals = append(l.deals, d)
	}
	for n := r.UintMax(uint64(r.Len())); n > 0 && !r.Failed(); n-- {
		l.promises = append(l.promises, &promise{
			voted: true, area: int(r.UintMax(areasMax)), number: r.Uint(), ids: readHeld(r, nil),
		})
	}
	return l
}

// appendResults appends what becomes of objects, to the end of a message.
func appendResults(dst []byte, schema *world.Schema, results []result) []byte {
	for i := range results {
		x := &results[i]
		dst = wire.AppendUint(dst, uint64(x.id))
		dst = appendFlag(dst, x.gone)
		if !x.gone {
			dst = schema.AppendObject(dst, &x.object, nil, world.Exact)
		}
	}
	return dst
}

// readResults reads what appendResults wrote, up to the end of the message.
func readResults(r *wire.Reader, schema *world.Schema) []result {
	var results []result
	for r.Len() > 0 && !r.Failed() {
		x := result{id: world.ID(r.Uint()), gone: readFlag(r)}
		if !x.gone {
			x.object = schema.ReadObject(r, nil, world.Exact)
			x.object.ID = x.id
		}
		results = append(results, x)
	}
	return results
}
