package update

import (
	"math/bits"

	"throng/world"
	"throng/world/wire"
)

// knownCrowd is what a receiver knows of a crowd, as it was last told. Nothing older is needed: what a datagram does not tell of has
// not changed since one that is known to have arrived, and so not since the last.
type knownCrowd struct {
	seq    uint32           // the datagram in which that was
	things *[CrowdMax]thing // those without an ID are none; nil at first
}

// known is what is known of a crowd, or nil.
func (v *Receiver) known(handle int32) *knownCrowd {
	if int(handle) >= len(v.crowds) || v.crowds[handle].things == nil {
		return nil
	}
	return &v.crowds[handle]
}

// readCrowd reads what encodeCrowd wrote, or a preview. It reports false if that builds on something that is not known.
func (v *Receiver) readCrowd(r *wire.Reader, seq uint32, x *reading) bool {
	head := r.UintMax(1<<(CrowdMax+2) - 1)
	present, came := uint32(head>>2), uint32(0)
	switch head & 3 {
	case crowdSame:
	case crowdGrown:
		came = uint32(r.UintMax(1<<CrowdMax - 1))
	case crowdPreview:
		return v.readPreview(r, seq, head>>2, x)
	default:
		r.Fail()
	}
	if came&^present != 0 {
		r.Fail()
	}
	now := v.draft(x)
	if !v.recall(x.handle, seq, present&^came, now) {
		return false
	}
	if came != 0 {
		v.readNames(r, now, came)
	}
	if present == 0 {
		return true
	}
	columns := r.UintMax(1<<unitsMax - 1)
	for ; columns != 0; columns &= columns - 1 {
		readColumn(r, now, bits.TrailingZeros64(columns), present)
	}
	return true
}

// recall sets those members of a crowd who were there before to what is known of them. It reports false if they are not known,
// which does not matter where something later is: that counts.
func (v *Receiver) recall(handle int32, seq uint32, members uint32, now *[CrowdMax]thing) bool {
	*now = [CrowdMax]thing{}
	base := v.known(handle)
	if base == nil {
		return members == 0
	}
	for rest := members; rest != 0; rest &= rest - 1 {
		j := bits.TrailingZeros32(rest)
		if now[j] = base.things[j]; now[j].id == 0 && seq > base.seq {
			return false
		}
	}
	return true
}

// draft is where to put a crowd that is read.
func (v *Receiver) draft(x *reading) *[CrowdMax]thing {
	x.draft = v.drafted
	if v.drafted++; v.drafted > len(v.drafts) {
		v.drafts = append(v.drafts, new([CrowdMax]thing))
	}
	return v.drafts[x.draft]
}

// readNames reads what they are who have come.
func (v *Receiver) readNames(r *wire.Reader, things *[CrowdMax]thing, came uint32) {
	kind := r.Uint()
	if kind >= uint64(len(v.shapes)) {
		r.Fail()
	}
	for ; came != 0; came &= came - 1 {
		id, user := world.ID(r.Uint()), world.User(r.UintMax(1<<32-1))
		if id == 0 {
			r.Fail()
		}
		things[bits.TrailingZeros32(came)] = thing{id: id, kind: world.KindID(kind), user: user}
	}
}

// takeCrowd takes over a crowd, unless something later is known of it.
func (v *Receiver) takeCrowd(x *reading, seq uint32) {
	hold := &v.crowds[x.handle]
	if seq < hold.seq {
		return
	}
	was, now := hold.things, v.drafts[x.draft]
	if was == nil {
		was = new([CrowdMax]thing)
	}
	hold.seq, hold.things, v.drafts[x.draft] = seq, now, was
	for i := range now {
		if was[i].id != now[i].id && was[i].id != 0 {
			v.release(was[i].id)
		}
		if now[i].id == 0 {
			continue
		}
		at, what := v.enter(now[i].id)
		p := &v.places[at]
		if was[i].id != now[i].id {
			p.crowds++
		}
		if seq >= p.heard {
			p.crowd, p.member, p.heard = x.handle+1, int32(i), seq
		}
		if p.handle == 0 && was[i] != now[i] {
			v.tell(at, what, &now[i], seq)
		}
	}
}

// release notes that a crowd no longer holds an object.
func (v *Receiver) release(id world.ID) {
	at, _ := v.where.Get(id)
	v.places[at].crowds--
	v.exit(at)
}
