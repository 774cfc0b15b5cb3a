package cluster

import (
	"slices"
	"time"

	"throng/live/hub"
	"throng/live/replica"
	"throng/mechanism"
	"throng/world/wire"
)

// chores are what whoever leads sees to.
type chores struct {
	ticks  int
	dead   map[uint32]bool // processes whose connections have ended
	absent map[uint32]int  // looks for which a process could not be reached
	quiet  int             // looks for which nobody need be started
	part   bool            // the directory has known this process
}

func (c *chores) init() { c.dead, c.absent = map[uint32]bool{}, map[uint32]int{} }

const (
	lookTicks  = 5   // ticks between looks for what is to be done
	spawnLooks = 100 // looks between two starts of processes
)

// tick is called by the group on every tick.
func (k *Cluster) tick() {
	c := &k.chores
	c.ticks++
	if c.ticks%lookTicks != 0 || !k.group.core.Leads() {
		return
	}
	d := k.machine.directory
	for _, p := range d.live() {
		if p.number != k.self.number {
			k.lookFor(p)
		}
	}
	for _, seat := range d.expired(k.machine.now() - d.founding.grace) {
		k.proposeCommand(0, 0, append([]byte{commandExpire}, seat[:]...))
	}
	k.regroup()
	k.replace()
}

// lookFor takes a process out that is dead: at once if its connection has ended, after the patience if there never was one.
func (k *Cluster) lookFor(p *process) {
	c := &k.chores
	if reached := k.mesh.of(p.number); reached != nil && reached.instance == p.instance {
		delete(c.dead, p.number)
		delete(c.absent, p.number)
		return
	}
	c.absent[p.number]++
	if c.dead[p.number] || time.Duration(c.absent[p.number]*lookTicks)*tickEvery > k.config.Patience {
		k.proposeCommand(0, 0, append(wire.AppendUint([]byte{commandGone}, uint64(p.number)), 0))
	}
}

// regroup has those agree who are there. One that has died stays a member until another takes its place: it might come back with what
// it has on its disk. One that has left does not.
func (k *Cluster) regroup() {
	core, d := k.group.core, k.machine.directory
	if core.Changing() {
		return
	}
	members := core.Members()
	var add, remove []replica.Member
	for number := range d.processes {
		if m := replica.NewMember(number, 0); !slices.Contains(members, m) && k.mesh.of(number) != nil {
			add = append(add, m)
		}
	}
	for _, m := range members {
		if d.processes[m.Process()] != nil || len(add) == 0 && !d.left[m.Process()] {
			continue
		}
		if m.Process() == k.self.number {
			// It would be out before the others know that they can do without it, and they could not.
			k.handOver()
			return
		}
		remove = append(remove, m)
	}
	if len(add)+len(remove) > 0 {
		_ = core.Change(add, remove) // refused while another change is under way
	}
}

// replace has a process be started in place of one that has died.
func (k *Cluster) replace() {
	c := &k.chores
	if c.quiet > 0 {
		c.quiet--
		return
	}
	d := k.machine.directory
	if k.config.Spawn == nil || d.ended != "" || len(d.processes)+len(d.left) >= d.founding.wanted {
		return
	}
	c.quiet = spawnLooks
	k.aside(func() {
		if err := k.config.Spawn(k.JoinURL()); err != nil {
			k.log.Error("a process could not be started in place of one that has died", "error", err)
		}
	})
}

// led is told by the group whether this process leads now.
func (k *Cluster) led(leads bool) {
	if leads {
		k.chores.quiet = spawnLooks / 10 // those that have died are first to be known to have
		k.log.Info("this process leads", "process", k.self.number)
	}
}

// carriedOut is told by the group what came of a command.
func (k *Cluster) carriedOut(o outcome) {
	d, mine := k.machine.directory, k.mine()
	if mine { // else it is what was before this process began again
		for _, m := range o.moves {
			k.moved(m)
		}
	}
	k.route(o)
	if o.leads && o.asker != 0 {
		k.answerAsker(o)
	}
	switch {
	case d.ended != "" && (mine || k.chores.part):
		for _, p := range k.mesh.all() {
			p.send(kindEnd, []byte(d.ended))
		}
		k.fail(endedBecause(d.ended))
	case k.chores.part && !mine && !k.leaving.Load():
		k.fail(ErrExpelled)
	}
	k.chores.part = k.chores.part || mine
}

// moved sees to a place that goes from process to process.
func (k *Cluster) moved(m move) {
	h := k.hub.Load()
	k.log.Debug("a place moves", "node", m.duty.Node, "from", m.from, "to", m.to, "epoch", m.duty.Epoch)
	switch {
	case h == nil:
	case m.from == k.self.number && m.to != k.self.number:
		k.aside(func() { h.Yield(m.duty.Node) })
	case m.to == k.self.number && !m.claimed:
		k.aside(func() {
			if err := h.Adopt([]hub.Duty{m.duty}); err != nil {
				k.log.Error("a place could not be taken over", "error", err)
			}
		})
	}
}

// aside does something in its time: what is asked for first is done first.
func (k *Cluster) aside(f func()) {
	select {
	case k.errands <- f:
	case <-k.quit:
	}
}

func (k *Cluster) runErrands() {
	for {
		select {
		case f := <-k.errands:
			f()
		case <-k.quit:
			return
		}
	}
}

// answerAsker answers whoever has asked for a command.
func (k *Cluster) answerAsker(o outcome) {
	a := answer{statusOK, o.reply}
	if o.err != nil {
		a = answer{statusRefused, []byte(o.err.Error())}
	} else if len(o.reply) > 0 { // to who joins
		f := k.machine.directory.founding
		a.body = f.append(o.reply)
	}
	if o.asker == k.mesh.instance {
		k.requests.answer(o.request, a)
	} else if p := k.mesh.find(o.asker); p != nil {
		p.reply(o.request, a.status, a.body)
	}
}

// route keeps the table of who holds what.
func (k *Cluster) route(o outcome) {
	t := k.routes.Load()
	for _, id := range o.touched {
		if h := k.machine.directory.holds[id]; h != nil {
			t.put(id, h.process)
		} else {
			t.put(id, 0)
		}
	}
}

// restored is told by the group that everything was replaced by a snapshot.
func (k *Cluster) restored() {
	k.routeAll()
	d := k.machine.directory
	if !k.mine() {
		if k.chores.part && !k.leaving.Load() {
			k.fail(ErrExpelled)
		}
		return
	}
	k.chores.part = true
	h := k.hub.Load()
	if h == nil {
		return
	}
	// What has gone from process to process meanwhile is in no entry that this one will see.
	missing := map[mechanism.NodeID]hub.Duty{}
	for _, held := range d.held(k.self.number) {
		if held.seat == (seatID{}) {
			missing[held.node] = hub.Duty{Node: held.node, User: held.user, Epoch: held.epoch}
		}
	}
	for _, duty := range h.Duties(nil) {
		if held := d.holds[duty.Node]; held != nil && held.process != k.self.number {
			k.moved(move{duty: duty, from: k.self.number})
		}
		delete(missing, duty.Node)
	}
	for _, duty := range missing {
		k.moved(move{duty: duty, to: k.self.number})
	}
}

// routeAll makes the table anew.
func (k *Cluster) routeAll() {
	t := new(table)
	for id, h := range k.machine.directory.holds {
		t.put(id, h.process)
	}
	k.routes.Store(t)
}

// held returns a copy of what the directory says about a seat.
func (k *Cluster) held(seat seatID) (h hold, ok bool) {
	k.group.do(func() {
		if found := k.machine.directory.holds[k.machine.directory.seats[seat]]; found != nil {
			h, ok = *found, true
		}
	})
	return h, ok
}

// gateways are where people can come in.
func (k *Cluster) gateways() (list []string) {
	k.group.do(func() {
		for _, p := range k.machine.directory.live() {
			if p.gateway != "" && p.ready && !p.draining {
				list = append(list, p.gateway)
			}
		}
	})
	return list
}
