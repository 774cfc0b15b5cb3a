package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// commits is a server's part in what servers do together: it finds actions that touch objects of several of them, works out
// their results, and lets these happen in the area's turns.
type commits struct {
	server *server
	ledger ledger
	held   world.Set                                                       // in the turn that begins
	fresh  world.Set                                                       // what is decided about in that turn
	say    func(now world.Time, to int, msg []byte, out *mechanism.Outbox) // tells another server
	print  world.Footprint
	window *world.Window
}

// againAfter is after how long a decision, or the question for one, is repeated.
const againAfter = world.Second

func newCommits(n *server) *commits {
	say := func(now world.Time, to int, msg []byte, out *mechanism.Outbox) {
		n.tellServer(now, to, mechanism.Control, msg, out)
	}
	return &commits{server: n, ledger: ledger{area: n.area}, say: say}
}

// restore takes up the deals of who had the area before, from the record. One that cannot be read is none.
func (c *commits) restore(record []byte) {
	if len(record) == 0 {
		return
	}
	r := wire.NewReader(record)
	if l := readLedger(&r, c.server.session.World.Schema(), c.server.area); r.Done() == nil {
		c.ledger = *l
		for _, d := range l.deals {
			d.applied = false // the area has forgotten it
		}
	}
}

func (c *commits) active() bool { return len(c.ledger.deals)+len(c.ledger.promises) > 0 }

// waits reports whether an action has to wait, since what it is done to is held.
func (c *commits) waits(a *world.Action) bool {
	return len(c.held) > 0 && c.held.Has(area.Target(c.server.session.World, c.server.replica.state(), a, &c.print))
}

// publish lets happen what has been decided, at the beginning of a turn, and finds out what is held during it.
func (c *commits) publish(now world.Time, news *news, out *mechanism.Outbox) {
	c.held, c.fresh = c.held[:0], c.fresh[:0]
	if !c.active() {
		return
	}
	l := &c.ledger
	for _, d := range slices.Clone(l.deals) {
		if d.decided && !d.applied {
			d.applied = true
			c.apply(d.part(l.area).results, news)
			l.settle(d.number, l.area)
		}
	}
	for _, p := range slices.Clone(l.promises) {
		if p.decided {
			c.apply(p.results, news)
			l.release(p)
			c.say(now, p.area, appendDeal(kindSettled, p.number), out)
		}
	}
	c.held = l.held(c.held)
	for _, p := range slices.Clone(l.promises) {
		if !p.voted {
			c.vote(now, p, out)
		}
	}
	c.held = l.held(c.held[:0])
}

// apply has results come about.
func (c *commits) apply(results []result, news *news) {
	for i := range results {
		x := &results[i]
		c.fresh.Add(x.id)
		if x.gone {
			news.remove(x.id)
		} else {
			news.put(&x.object)
		}
	}
}

// coordinate begins a deal if an action touches objects of several servers, and reports whether it did. From this turn on
// what the area has in it is held.
func (c *commits) coordinate(now world.Time, hops int, a *world.Action, out *mechanism.Outbox) bool {
	n := c.server
	if !n.config.Commit || a.Verb == world.Enter || a.Verb == world.Leave {
		return false
	}
	state := n.replica.state()
	c.print.Reset()
	n.session.World.Reach(state, a, &c.print)
	if !slices.ContainsFunc(c.print.Writes, func(id world.ID) bool { o := state.Get(id); return o != nil && !n.replica.owns(o) }) {
		return false
	}
	parts := []part{{area: n.area, voted: true}}
	for _, id := range c.print.Writes {
		o := state.Get(id)
		if o == nil {
			continue
		}
		at := n.plan.AreaOf(o)
		i := slices.IndexFunc(parts, func(p part) bool { return p.area == at })
		if i < 0 {
			i = len(parts)
			parts = append(parts, part{area: at})
		}
		parts[i].ids.Add(id)
	}
	if c.held.Intersects(parts[0].ids) || c.fresh.Intersects(parts[0].ids) {
		n.turns.enqueue(n.turns.next()+1, hops, a)
		return true
	}
	d := c.ledger.open(now, hops, a, parts)
	for _, id := range parts[0].ids {
		parts[0].objects = append(parts[0].objects, *state.Get(id))
		c.held.Add(id)
	}
	for i := range parts[1:] {
		p := &parts[1+i]
		c.say(now, p.area, appendHeld(appendDeal(kindPrepare, d.number), p.ids), out)
	}
	return true
}

func appendDeal(kind byte, number uint64) []byte { return wire.AppendUint([]byte{kind}, number) }

// vote says what is held for a deal, now that it is, or that it cannot be.
func (c *commits) vote(now world.Time, p *promise, out *mechanism.Outbox) {
	n := c.server
	msg := appendDeal(kindVote, p.number)
	var objects []result
	for _, id := range p.ids {
		o := n.replica.state().Get(id)
		if (o == nil || !n.replica.owns(o)) && p.voted {
			continue // it was lost in a crash, and comes back if the deal goes through
		}
		if o == nil || !n.replica.owns(o) {
			c.ledger.release(p)
			c.say(now, p.area, appendFlag(msg, false), out)
			return
		}
		objects = append(objects, result{id: id, object: *o})
	}
	p.voted, p.asked = true, now
	c.say(now, p.area, appendResults(appendFlag(msg, true), n.session.World.Schema(), objects), out)
}

// hear takes what another server says about a deal.
func (c *commits) hear(now world.Time, kind byte, from int, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	number := r.Uint()
	schema := c.server.session.World.Schema()
	switch kind {
	case kindPrepare:
		ids := readHeld(r, nil)
		if r.Done() != nil {
			return false
		}
		if c.ledger.promise(from, number, ids) == nil {
			c.say(now, from, appendFlag(appendDeal(kindVote, number), false), out)
		}
	case kindVote:
		yes := readFlag(r)
		objects := readResults(r, schema)
		if r.Done() != nil {
			return false
		}
		c.count(now, from, number, yes, objects, out)
	case kindDecide:
		commit := readFlag(r)
		results := readResults(r, schema)
		if r.Done() != nil {
			return false
		}
		c.obey(now, from, number, commit, results, out)
	case kindSettled:
		if r.Done() != nil {
			return false
		}
		c.ledger.settle(number, from)
	}
	return true
}

// count takes a vote. Of a deal that is not known nothing came.
func (c *commits) count(now world.Time, from int, number uint64, yes bool, objects []result, out *mechanism.Outbox) {
	d := c.ledger.deal(number)
	if d == nil {
		if yes {
			c.say(now, from, appendFlag(appendDeal(kindDecide, number), false), out)
		}
		return
	}
	p := d.part(from)
	switch {
	case p == nil || p.voted && !d.decided:
	case d.decided:
		c.decide(now, d, from, out)
	case !yes:
		c.abort(now, d, out)
	default:
		p.voted = true
		for i := range objects {
			p.objects = append(p.objects, objects[i].object)
		}
		if d.complete() {
			c.execute(d)
			d.told = now
			for i := range d.parts {
				c.decide(now, d, d.parts[i].area, out)
			}
			c.server.executed(&d.action, out)
			c.server.answer(now, &d.action, true, out)
		}
	}
}

// decide tells a server of the decision to go through with a deal.
func (c *commits) decide(now world.Time, d *deal, to int, out *mechanism.Outbox) {
	p := d.part(to)
	if to == c.ledger.area || p.settled {
		return
	}
	msg := appendFlag(appendDeal(kindDecide, d.number), true)
	c.say(now, to, appendResults(msg, c.server.session.World.Schema(), p.results), out)
}

// abort ends a deal of which nothing comes. The action is tried again where something may only have moved on.
func (c *commits) abort(now world.Time, d *deal, out *mechanism.Outbox) {
	for i := range d.parts {
		if p := &d.parts[i]; p.area != c.ledger.area {
			c.say(now, p.area, appendFlag(appendDeal(kindDecide, d.number), false), out)
		}
	}
	c.ledger.close(d)
	if d.hops >= hopsMax {
		c.server.answer(now, &d.action, false, out)
		return
	}
	// Servers that get in each other's way wait for different times.
	n := c.server
	n.turns.enqueue(n.turns.next()+1+2*n.latencies.clientDelay(n)+turn.Number(n.area%4), d.hops+1, &d.action)
}

// execute works out what becomes of the objects in a deal.
func (c *commits) execute(d *deal) {
	s := c.server.replica.state().Clone()
	var all world.Set
	for i := range d.parts {
		for k := range d.parts[i].objects {
			s.Put(d.parts[i].objects[k])
			all.Add(d.parts[i].objects[k].ID)
		}
	}
	before := s.Clone()
	if c.window == nil {
		c.window = world.NewWindow(s)
	}
	c.window.Look(s)
	c.window.Restrict(func(o *world.Object) bool { return all.Has(o.ID) || before.Get(o.ID) == nil })
	c.window.Do(c.server.session.World, &d.action)
	c.window.Restrict(nil)
	for i := range d.parts {
		p := &d.parts[i]
		for _, id := range p.ids {
			p.results = append(p.results, resultOf(s, id))
		}
	}
	// What the action has made begins here, wherever it is.
	own := d.part(c.ledger.area)
	for x := range world.Diff(before, s) {
		if x.Old == nil {
			own.results = append(own.results, result{id: x.New.ID, object: *x.New})
		}
	}
	d.decided = true
	before.Release()
	s.Release()
}

func resultOf(s *world.State, id world.ID) result {
	if o := s.Get(id); o != nil {
		return result{id: id, object: *o}
	}
	return result{id: id, gone: true}
}

// obey takes a decision. One about a promise that is not known has been settled before.
func (c *commits) obey(now world.Time, from int, number uint64, commit bool, results []result, out *mechanism.Outbox) {
	p := c.ledger.promised(from, number)
	switch {
	case p == nil && commit:
		c.say(now, from, appendDeal(kindSettled, number), out)
	case p == nil:
	case commit:
		p.results, p.decided = results, true
	default:
		c.ledger.release(p)
	}
}

// askAgain asks a server that has taken another's place what came of the deals that it coordinated. Of those that are not in its
// record nothing did.
func (c *commits) askAgain(area int) {
	for _, p := range c.ledger.promises {
		if p.area == area {
			p.asked = -againAfter
		}
	}
}

// proceed asks again for decisions, tells of them again, and gives up deals that take too long. It is called once a turn.
func (c *commits) proceed(now world.Time, out *mechanism.Outbox) {
	if !c.active() {
		return
	}
	for _, p := range slices.Clone(c.ledger.promises) {
		if p.voted && !p.decided && now >= p.asked+againAfter {
			c.vote(now, p, out)
		}
	}
	for _, d := range slices.Clone(c.ledger.deals) {
		switch {
		case d.decided && now >= d.told+againAfter:
			d.told = now
			for i := range d.parts {
				c.decide(now, d, d.parts[i].area, out)
			}
		case !d.decided && now >= d.began+c.server.config.Patience:
			c.abort(now, d, out)
		}
	}
}
