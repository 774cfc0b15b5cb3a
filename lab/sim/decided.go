package sim

import (
	"slices"

	"throng/lab/churn"
	"throng/live/replica/batch"
	"throng/mechanism"
	"throng/world"
)

// take puts what is meant for the node into the batch of this instant.
func (g *group) take(it item) {
	r := g.host.run
	if g.serving == nil {
		if it.kind == deliver {
			r.nobody(it.ref)
		}
		return
	}
	g.flushLater()
	if it.kind == deliver {
		m := r.mail.message(it.ref, g.host.Place.ID)
		g.host.received(m)
		g.batch.Add(m)
		r.mail.discard(it.ref)
	}
}

// flushLater opens a batch, which is proposed when everything has come that comes now.
func (g *group) flushLater() {
	if g.open {
		return
	}
	g.open = true
	r := g.host.run
	g.batch.Reset(g.serving.box.clock.Local(r.now))
	r.push(r.now, flush, event{host: uint32(g.host.Place.ID - 1), ref: g.host.life})
}

// flush proposes the batch to whoever leads. Where nobody does by now it is lost, as on a network.
func (g *group) flush(life uint32) {
	if life != g.host.life {
		return
	}
	g.open = false
	if g.serving == nil || g.serving.core.Propose(g.batch.Entry()) != nil {
		g.host.run.lost.Nobody += int64(g.batch.Len())
		return
	}
	g.pump(g.serving)
}

// Apply implements Machine: what is decided is done once, on the computer of whoever gets there first; that is the leader unless it
// has just failed.
func (m *member) Apply(entry []byte, leads bool) {
	g := m.group
	if m.core.Applied() <= g.applied {
		return
	}
	g.applied = m.core.Applied()
	leads = leads && m == g.serving
	if leads {
		for _, o := range g.host.run.seen.replica {
			o.Decided(g.host, g.host.run.now-m.box.clock.Global(batch.Time(entry)))
		}
	}
	g.ready = append(g.ready, decided{slices.Clone(entry), leads})
	m.box.take(item{kind: commit, host: g.host, life: g.host.life})
}

// AppendSnapshot implements Machine.
func (m *member) AppendSnapshot(dst []byte) []byte {
	if h := m.group.host; h.machine != nil && h.machine.Started() {
		return h.run.setup.Replication.Image(dst, h.run.setup.Mechanism, h)
	}
	return dst
}

// Restore implements Machine: the state is there already.
func (m *member) Restore([]byte) error { return nil }

// do hands the node the next thing that was decided.
func (g *group) do() {
	if len(g.ready) == 0 {
		return // done by another computer when the one that was to do it failed
	}
	d := g.ready[0]
	g.ready = slices.Delete(g.ready, 0, 1)
	h, r := g.host, g.host.run
	g.now = max(g.now, batch.Time(d.entry))
	batch.Read(d.entry, func(m mechanism.Message) {
		r.out.Reset()
		h.machine.Receive(g.now, m, &r.out)
		g.finish(d.leads)
	})
	if h.machine.WakeDue() <= g.now {
		r.out.Reset()
		h.machine.Wake(g.now, &r.out)
		g.finish(d.leads)
	}
	if at := h.machine.WakeDue(); at != world.Never {
		h.setAlarm(at)
	}
}

// finish has all replicas do the work, and lets what follows leave the leader.
func (g *group) finish(leads bool) {
	h, r := g.host, g.host.run
	for _, m := range g.members {
		if m.up() && m.box != h.box {
			m.box.work(r.out.Work())
		}
	}
	if !leads {
		h.box.work(r.out.Work())
		return
	}
	h.finish()
}

// hurry does everything that is decided at once: those who were to do it are gone, and others did it beside them.
func (g *group) hurry() {
	for i := range g.ready {
		g.ready[i].leads = false
	}
	for len(g.ready) > 0 {
		g.do()
	}
}

// change carries out an event that one replica's computer is meant by, and reports whether that was all. Otherwise the node as a
// whole is: it leaves, or so many replicas are gone that what it knew is lost.
func (g *group) change(e *churn.Event) bool {
	switch e.Kind {
	case churn.Return:
		g.back()
	case churn.Crash:
		return g.crash(e)
	case churn.Freeze:
		g.freeze(e)
	case churn.Thaw:
		g.thaw()
	default:
		return false
	}
	return true
}

// crash ends the replica that leads, or any if none does. It returns false if too few are left to ever agree again.
func (g *group) crash(e *churn.Event) bool {
	m := g.victim()
	m.core = nil
	g.interrupt(m, e)
	return g.quorum()
}

// freeze stops the replica that leads and keeps it.
func (g *group) freeze(e *churn.Event) {
	m := g.victim()
	m.frozen = true
	g.interrupt(m, e)
}

// thaw lets replicas that were stopped go on.
func (g *group) thaw() {
	for _, m := range g.members {
		m.frozen = false
	}
	g.elect()
}

func (g *group) victim() *member {
	if g.serving != nil {
		return g.serving
	}
	for _, m := range g.members {
		if m.up() {
			return m
		}
	}
	return g.members[0]
}

// interrupt says that nobody speaks for the node until another replica does.
func (g *group) interrupt(m *member, e *churn.Event) {
	if m != g.serving {
		return
	}
	g.serving = nil
	g.hurry()
	freeze := *e
	freeze.Kind = churn.Freeze
	g.host.told(&freeze, LifeObserver.Stopped)
	g.stopped = e
	g.host.disarm()
}

// quorum reports whether most of those who decide are still there with their memory.
func (g *group) quorum() bool {
	var latest *member
	for _, m := range g.members {
		if m.core != nil && (latest == nil || m.core.Applied() > latest.core.Applied()) {
			latest = m
		}
	}
	if latest == nil {
		return false
	}
	voters, there := latest.core.Members(), 0
	for _, m := range g.members {
		if m.core != nil && slices.Contains(voters, m.id) {
			there++
		}
	}
	return 2*there > len(voters)
}

// back has a replica begin again on a computer that had failed, without a memory. The others take it in.
func (g *group) back() {
	for _, m := range g.members {
		if m.core == nil {
			m.life++
			m.id = memberID(m.index, m.life)
			g.found(m, nil)
			return
		}
	}
}
