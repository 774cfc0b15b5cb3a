package octree

import (
	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// refilled is how far a storage node that has begun with empty hands has been told by others what it is to hold, and how far it has
// told others.
type refilled struct {
	trusted world.Time       // from when on it can be asked what there is, whoever has told it
	full    bool             // it can be: enough others have told it all they have
	fallow  world.Time       // how long it waits for them
	by      []bool           // by storage node: who has told it all
	gone    world.ByID[bool] // what servers say is no longer in the world
	asked   []int            // by storage node that has asked: the record to tell it of next, or told
}

// told is where the records end for a storage node that needs no more of them.
const told = -1

func newRefilled(c *Config, late bool) refilled {
	f := refilled{full: !late, fallow: 4 * c.Lease, by: make([]bool, c.Storage), asked: make([]int, c.Storage), trusted: world.Never}
	if c.ring().copies == 1 {
		f.fallow = 2 * c.Lease // nobody else knows anything: servers are all there is
	}
	for i := range f.asked {
		f.asked[i] = told
	}
	return f
}

// begin sets when a node is trusted whom nobody tells anything: more have failed than may, and the world is what servers say it is.
func (f *refilled) begin(now world.Time) { f.trusted = now + f.fallow }

// trusts reports whether the node knows all that it is to hold.
func (n *storage) trusts(now world.Time) bool { return n.full || now >= n.trusted }

// askRefill asks another storage node to say what there is, of one that has begun with empty hands.
func (n *storage) askRefill(now world.Time, with mechanism.NodeID, out *mechanism.Outbox) {
	n.asked[with-1] = told
	if !n.full {
		n.buf = append(n.buf[:0], kindRefill)
		n.tell(now, with, mechanism.Control, n.buf, out)
	}
}

func (n *storage) takeRefill(from mechanism.NodeID, r *wire.Reader) (sound bool) {
	if r.Done() != nil {
		return false
	}
	n.asked[from-1] = 0
	return true
}

// refillBurst is how many messages of records go out at a pulse, at most: servers' writes have to get through meanwhile.
const refillBurst = 16

// refill tells those who have asked what they are to hold, if this node knows.
func (n *storage) refill(now world.Time, out *mechanism.Outbox) {
	for i, at := range n.asked {
		if at == told || !n.trusts(now) {
			continue
		}
		for burst := 0; burst < refillBurst && n.asked[i] != told; burst++ {
			n.sayRecords(now, i, out)
		}
	}
}

// sayRecords tells another storage node of as many records as a message holds. With each goes where its user is.
func (n *storage) sayRecords(now world.Time, to int, out *mechanism.Outbox) {
	n.buf = append(n.buf[:0], kindRecords, 0)
	at := n.asked[to]
	for ; at < len(n.all) && len(n.buf) < n.room()/2; at++ {
		x := &n.all[at]
		if x.object.ID == 0 || !n.ring.holds(to, x.first) {
			continue
		}
		d := kept{holder: x.holder, held: x.held, vacant: x.granted != world.Never, steward: n.users.Get(x.object.User), grant: x.grant()}
		n.buf = d.append(n.buf, n.schema)
		n.work++
	}
	if n.asked[to] = at; at == len(n.all) {
		n.asked[to] = told
		n.buf[1] = 1
	}
	n.tell(now, n.config.storageNode(to), mechanism.Update, n.buf, out)
}

// takeRecords takes what another storage node knows. What servers have said in the meantime is later, and counts.
func (n *storage) takeRecords(now world.Time, from mechanism.NodeID, r *wire.Reader) (sound bool) {
	last := r.UintMax(1) == 1
	for r.Len() > 0 && !r.Failed() {
		d := readKept(r, n.schema)
		if r.Failed() || d.holder >= n.config.Servers || d.steward.server > n.config.Servers || n.schema.CheckObject(&d.object) != nil ||
			!n.ring.holds(n.number, n.ring.first(d.id)) {
			return false
		}
		if _, gone := n.gone.Get(d.id); !n.full && !gone {
			n.keep(now, &d)
		}
	}
	if r.Failed() {
		return false
	}
	if last && !n.full {
		n.by[from-1] = true
		if n.full = n.enough(); n.full {
			n.gone = world.ByID[bool]{}
		}
	}
	return true
}

// enough reports whether so many storage nodes have told all they have that everything which was acknowledged is among it.
func (n *storage) enough() bool {
	for first := range n.by {
		if !n.ring.holds(n.number, first) {
			continue
		}
		count := 0
		for k := range n.ring.copies {
			if n.by[n.ring.at(first, k)] {
				count++
			}
		}
		if count < min(n.config.spare()+1, n.ring.copies-1) || n.ring.copies == 1 {
			return false
		}
	}
	return true
}

// keep takes over one record.
func (n *storage) keep(now world.Time, d *kept) {
	x, at := n.get(d.id)
	if x == nil {
		_, at = n.add(record{object: d.object, first: n.ring.first(d.id), holder: d.holder, granted: world.Never})
		n.note(at)
	} else if d.later(x.stated, x.version) {
		n.put(at, &d.object)
	}
	x = &n.all[at]
	if d.epoch > x.epoch {
		x.epoch, x.held = d.epoch, d.held
		if n.confirm(at); d.vacant {
			x.granted = now
		}
		n.setHolder(at, d.holder)
	}
	if d.later(x.stated, x.version) {
		x.stated, x.version = d.stated, d.version
		x.acts = x.acts[:0]
		for _, a := range d.acts {
			x.remember(now, a, n.config.memory())
		}
	}
	x.action = max(x.action, d.action)
	if was := n.users.Get(d.object.User); d.object.User != 0 && d.steward.server > 0 && !was.who.After(d.steward.who) {
		n.users.Set(d.object.User, d.steward)
	}
	n.refresh(at)
}

// bury has what is gone from the world not come back, by what another storage node said before it knew.
func (n *storage) bury(id world.ID) {
	if !n.full {
		n.gone.Set(id, true)
	}
}

// kept is a record, as storage nodes tell it to each other.
type kept struct {
	grant
	holder  int
	held    uint32
	vacant  bool // the holder has been named and has not answered
	steward stewardship
}

func (d *kept) append(dst []byte, s *world.Schema) []byte {
	name := uint64(d.holder) << 1
	if d.vacant {
		name |= 1
	}
	dst = wire.AppendUint(dst, name)
	dst = wire.AppendUint(dst, uint64(d.held))
	dst = d.steward.who.Append(wire.AppendUint(dst, uint64(d.steward.server)))
	return d.grant.append(dst, s)
}

func readKept(r *wire.Reader, s *world.Schema) kept {
	name := r.UintMax(2*serversMax + 1)
	d := kept{holder: int(name >> 1), vacant: name&1 != 0, held: uint32(r.UintMax(epochMax))}
	d.steward = stewardship{int(r.UintMax(serversMax)), membership.ReadIdentity(r)}
	d.grant = readGrant(r, s)
	return d
}
