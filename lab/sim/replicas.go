package sim

import (
	"throng/lab/churn"
	"throng/live/replica/batch"
	"throng/mechanism"
	"throng/world"
)

// Replica is one replica's part in agreeing on what a node is handed, and in which order. It is package live/replica's in every
// run; this package knows only what it needs of it, so that programs without replicas need not carry a consensus engine.
type Replica interface {
	Tick()
	Campaign()
	Receive(message []byte) error
	Propose(entry []byte) error
	Pump(send func(to uint64, message []byte)) error
	Leads() bool
	Term() uint64
	Applied() uint64 // the number of the entry that is being applied, or was last
	Members() []uint64
	Changing() bool
	Change(add, remove []uint64) error
}

// Machine is what a replica applies decided entries to.
type Machine interface {
	Apply(entry []byte, leads bool)
	AppendSnapshot(dst []byte) []byte
	Restore(snapshot []byte) error
}

// Replication makes replicas. Group is nil for one that is added to a group under way.
type Replication interface {
	New(self uint64, group []uint64, seed uint64, m Machine) (Replica, error)
	// Image is a node's whole state, which a new replica is sent.
	Image(dst []byte, m mechanism.Mechanism, h *Host) []byte
}

// group is the replicas of one node. The node's state is kept once, since replicas that are handed the same are in the same
// state; what is kept apart is how far each of them has got, and on which computer it is.
type group struct {
	host    *Host
	members []*member
	serving *member      // who leads and takes what comes, or nil
	led     bool         // somebody has led before
	stopped *churn.Event // why nobody serves

	applied uint64      // the last entry that the node was handed
	now     world.Time  // the time of that
	batch   batch.Batch // what has come at this instant, if it is open
	open    bool
	ready   []decided // decided, waiting for the processor
}

// decided is an entry that a majority has.
type decided struct {
	entry []byte
	leads bool // what follows from it may leave
}

// member is one replica.
type member struct {
	group  *group
	index  int
	box    *box
	id     uint64
	life   uint32
	core   Replica // nil while its computer is down
	frozen bool
}

func (m *member) up() bool { return m.core != nil && !m.frozen }

// memberID names a replica: which of its group, and how often it had begun. One that forgot its votes must not be taken for the
// one that cast them.
func memberID(index int, life uint32) uint64 { return uint64(index+1)<<32 | uint64(life+1) }

// newGroup gives a node replicas: one on its own computer and the others on those that stand by for it.
func newGroup(h *Host) *group {
	g := &group{host: h}
	boxes := append([]int{h.run.setup.Timeline.Home(h.Place.ID)}, h.run.setup.Timeline.Standbys[h.Place.ID]...)
	var ids []uint64
	for i, number := range boxes {
		m := &member{group: g, index: i, box: h.run.boxes[number-1], id: memberID(i, h.life)}
		m.life = h.life
		g.members, ids = append(g.members, m), append(ids, m.id)
	}
	for _, m := range g.members {
		g.found(m, ids)
	}
	return g
}

// found makes a member's replica.
func (g *group) found(m *member, group []uint64) {
	var err error
	m.core, err = g.host.run.setup.Replication.New(m.id, group, g.host.run.setup.Seed, m)
	g.fail(err)
}

// fail ends the run for a mistake of ours.
func (g *group) fail(err error) {
	if r := g.host.run; r.err == nil {
		r.err = err
	}
}

// begin has the first member stand for election at once, and time pass for all.
func (g *group) begin() {
	g.members[0].core.Campaign()
	g.pump(g.members[0])
	g.queueBeat()
}

func (g *group) queueBeat() {
	r := g.host.run
	r.push(r.now+r.setup.Hosts.Beat(), beat, event{host: uint32(g.host.Place.ID - 1), ref: g.host.life})
}

// beat lets time pass for the replicas.
func (g *group) beat(life uint32) {
	if life != g.host.life {
		return // of a group that is no more
	}
	for _, m := range g.members {
		if m.up() {
			m.core.Tick()
			g.admit(m)
			g.pump(m)
		}
	}
	g.queueBeat()
}

// admit has those who lead take in members that have come back under another number.
func (g *group) admit(leader *member) {
	if !leader.core.Leads() || leader.core.Changing() {
		return
	}
	known := map[uint64]bool{}
	for _, id := range leader.core.Members() {
		known[id] = true
	}
	for _, m := range g.members {
		if m.core == nil || known[m.id] {
			continue
		}
		for _, old := range leader.core.Members() {
			if old>>32 == m.id>>32 {
				_ = leader.core.Change([]uint64{m.id}, []uint64{old}) // the next beat tries again
				return
			}
		}
	}
}

// pump lets a member do what is due, and finds out who leads.
func (g *group) pump(m *member) {
	g.fail(m.core.Pump(func(to uint64, message []byte) { g.send(m, to, message) }))
	g.elect()
}

// elect notes who leads: of two that believe so, the one that was elected later.
func (g *group) elect() {
	var leader *member
	for _, m := range g.members {
		if m.up() && m.core.Leads() && (leader == nil || m.core.Term() > leader.core.Term()) {
			leader = m
		}
	}
	if leader == g.serving {
		return
	}
	g.serving = leader
	if leader == nil {
		return
	}
	h := g.host
	if g.led {
		for _, o := range h.run.seen.replica {
			o.Elected(h)
		}
	}
	g.led = true
	if h.box != leader.box {
		h.box = leader.box
		h.moves++ // what is on its way to the former leader does not find this one
	}
	if g.stopped != nil {
		thaw := *g.stopped
		thaw.Kind = churn.Thaw
		g.stopped = nil
		h.told(&thaw, LifeObserver.Started)
	}
	h.disarm()
	g.flushLater() // the node is woken for what fell due meanwhile
}

// send passes a message to another member over the network.
func (g *group) send(from *member, to uint64, message []byte) {
	index := int(to>>32) - 1
	if index < 0 || index >= len(g.members) || g.members[index] == from {
		return
	}
	h := g.host
	m := mechanism.Message{From: h.Place.ID, To: h.Place.ID, Class: mechanism.Control, Payload: message}
	size := h.run.setup.Hosts.wire(len(message))
	for _, o := range h.run.seen.replica {
		o.Replicated(h, size)
	}
	e := event{host: uint32(h.Place.ID - 1), moves: uint16(index)}
	h.run.transmit(from.box, g.members[index].box, m, h.run.now, confer, e)
	h.run.mail.forget()
}

// confer takes what another member said as it comes from the network, and lets it pass the link.
func (g *group) confer(e event) {
	r := g.host.run
	to := g.members[e.moves]
	at, ok := to.box.down.Depart(r.now, r.setup.Hosts.wire(r.mail.size(e.ref)))
	if !ok || !to.up() {
		r.mail.discard(e.ref)
		return
	}
	r.push(at, heed, e)
}

// heed hands a member what another one said.
func (g *group) heed(e event) {
	r := g.host.run
	to := g.members[e.moves]
	if to.up() {
		g.fail(to.core.Receive(r.mail.message(e.ref, g.host.Place.ID).Payload))
		g.pump(to)
	}
	r.mail.discard(e.ref)
}

// replicate passes an event on to the replicas that it is for, if they are still there.
func (h *Host) replicate(e event) {
	switch g := h.group; {
	case g == nil && (e.kind == confer || e.kind == heed):
		h.run.mail.discard(e.ref)
	case g == nil:
	case e.kind == confer:
		g.confer(e)
	case e.kind == heed:
		g.heed(e)
	case e.kind == beat:
		g.beat(e.ref)
	default:
		g.flush(e.ref)
	}
}
