package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/sight"
	"throng/mechanism/parts/update"
	"throng/world"
)

// publisher sends states of an area to clients that do not simulate it: to each what its user sees there. It belongs to
// whoever has the area, the server or a client that simulates it.
type publisher struct {
	config  *Config
	replica *replica
	table   *update.Table // what is the area's own
	field   *sight.Field  // that and what is near
	shown   *world.State  // the area as field has it
	detail  *detail       // nil where everything is sent each tick
	belief  *belief       // nil where everything is sent that changes
	users   []world.User  // who have something in the area or near, in their order
	free    int           // own objects without a place, which everybody sees
	readers []*reader     // in the order of users
	covered map[cover]bool
	done    map[world.User]uint32
	buf     []byte
	work    world.Work

	old, new world.Object // scratch
}

// cover says that a user's client simulates an area: what the user's objects there see beyond its border it knows already.
type cover struct {
	user world.User
	area int
}

// reader is a client that is sent states.
type reader struct {
	of     *publisher
	node   mechanism.NodeID
	user   world.User
	number uint32 // tells this reader from others that the client was before
	sender *update.Sender
	set    sight.Set
	guests []guest // by what they are called
}

// guest is an object that came into sight while it was a neighbour's, who tells of it. When it becomes the area's own it
// gets a handle here.
type guest struct {
	id     world.ID
	handle int32 // below zero for none
}

func newPublisher(c *Config, r *replica) *publisher {
	p := &publisher{
		config: c, replica: r,
		table: update.NewTable(r.world.Schema()),
		shown: r.state().Clone(),
		done:  map[world.User]uint32{}, covered: map[cover]bool{},
	}
	p.shown.Release()
	p.field = sight.NewField(r.world, p.shown, c.Margin)
	if c.Detail {
		p.detail = newDetail(c, r)
	}
	p.table.Every = c.Updates == Every
	if c.Updates == Reckoned {
		p.belief = newBelief(r)
		p.table.Believed = p.belief
	}
	return p
}

// executed notes that an action was carried out: objects tell of it.
func (p *publisher) executed(a *world.Action) {
	p.done[a.User] = a.Seq
	if p.detail != nil {
		p.detail.attend(a.User, a.Target, p.replica.tick())
	}
}

// refresh takes note of how the area has changed. Each change is also handed to tell, unless that is nil.
func (p *publisher) refresh(tell func(c world.Change)) {
	state := p.replica.state()
	p.table.Renew()
	if p.belief != nil {
		p.belief.pass(state, func(o *world.Object) { p.table.Put(o, p.done[o.User]) })
	}
	for c := range world.Diff(p.shown, state) {
		p.work++
		p.change(c)
		if tell != nil {
			tell(c)
		}
	}
	p.shown.CopyFrom(state)
	if p.table.Every {
		for o := range state.All() {
			if p.replica.owns(o) {
				p.table.Put(o, p.done[o.User])
			}
		}
	}
}

func (p *publisher) change(c world.Change) {
	p.field.Change(p.seen(c))
	was := c.Old != nil && p.replica.owns(c.Old)
	is := c.New != nil && p.replica.owns(c.New)
	switch {
	case is && was && p.belief != nil: // it is told if it is otherwise than believed
	case is:
		p.table.Put(c.New, p.done[c.New.User])
		if p.belief != nil {
			p.belief.tell(c.New)
		}
	case was:
		p.table.Remove(c.Old.ID)
		if p.belief != nil {
			p.belief.state.Remove(c.Old.ID)
		}
	}
	if is && !was && !p.field.Placed(c.New) {
		p.free++
	}
	if was && !is && !p.field.Placed(c.Old) {
		p.free--
	}
	if !was || !is || c.Old.User != c.New.User {
		p.recount(c.Old)
		p.recount(c.New)
	}
}

// seen is a change without the owners of objects that see nothing here.
func (p *publisher) seen(c world.Change) world.Change {
	if p.blind(c.Old) {
		p.old = *c.Old
		p.old.User = 0
		c.Old = &p.old
	}
	if p.blind(c.New) {
		p.new = *c.New
		p.new.User = 0
		c.New = &p.new
	}
	return c
}

// blind reports whether an object is a neighbour's of which its user's client simulates the area.
func (p *publisher) blind(o *world.Object) bool {
	return o != nil && o.User != 0 && len(p.covered) > 0 && !p.replica.owns(o) && p.covered[cover{o.User, p.replica.plan.AreaOf(o)}]
}

// cover notes that a user's client simulates another area, or no longer does.
func (p *publisher) cover(u world.User, area int, on bool) {
	if p.covered[cover{u, area}] == on || area == p.replica.area {
		return
	}
	p.covered[cover{u, area}] = on
	if !on {
		delete(p.covered, cover{u, area})
	}
	for o := range p.shown.All() {
		if o.User != u || p.replica.plan.AreaOf(o) != area {
			continue
		}
		p.old, p.new = *o, *o
		if on {
			p.new.User = 0
		} else {
			p.old.User = 0
		}
		p.field.Change(world.Change{Old: &p.old, New: &p.new})
		p.recount(o)
	}
}

// recount keeps users up to date after an object of one came or went.
func (p *publisher) recount(o *world.Object) {
	if o == nil || o.User == 0 {
		return
	}
	at, known := slices.BinarySearch(p.users, o.User)
	switch has := len(p.field.Owned(o.User)) > 0; {
	case has && !known:
		p.users = slices.Insert(p.users, at, o.User)
	case !has && known:
		p.users = slices.Delete(p.users, at, at+1)
	}
}

// concerns reports whether a user is to be told of the area at all.
func (p *publisher) concerns(u world.User) bool {
	if p.everyone() {
		return true
	}
	_, has := slices.BinarySearch(p.users, u)
	return has
}

// everyone reports whether the area has something that everybody sees.
func (p *publisher) everyone() bool { return p.field.Everything() || p.free > 0 }

func (p *publisher) find(u world.User) (int, bool) {
	return slices.BinarySearchFunc(p.readers, u, func(r *reader, u world.User) int { return int(r.user) - int(u) })
}

// reader returns the reader that is a user's client, or nil.
func (p *publisher) reader(u world.User) *reader {
	if i, ok := p.find(u); ok {
		return p.readers[i]
	}
	return nil
}

// admit begins to send to a user's client.
func (p *publisher) admit(node mechanism.NodeID, u world.User, number uint32) *reader {
	i, known := p.find(u)
	r := &reader{of: p, node: node, user: u, number: number, sender: update.NewSender(p.table, nil, u)}
	if p.detail != nil {
		r.sender.Pace(r)
	}
	if known {
		p.readers[i] = r
	} else {
		p.readers = slices.Insert(p.readers, i, r)
	}
	return r
}

// dismiss ceases to send to a user's client.
func (p *publisher) dismiss(u world.User) {
	if i, known := p.find(u); known {
		p.readers = slices.Delete(p.readers, i, i+1)
	}
}

// confirm takes a client's receipt.
func (p *publisher) confirm(u world.User, number uint32, r update.Receipt) (sound bool) {
	reader := p.reader(u)
	if reader == nil || reader.number != number {
		return true
	}
	if !reader.sender.Plausible(r) {
		return false
	}
	reader.sender.Confirm(r)
	return true
}

// look finds out what all readers see. It is done once a turn.
func (p *publisher) look() {
	p.field.Sync()
	for _, r := range p.readers {
		p.field.Look(r.user, p.field.Sight(), &r.set, r)
		for i := range r.guests {
			if g := &r.guests[i]; g.id != 0 && g.handle < 0 && p.mine(g.id) {
				g.handle = r.sender.Enter(g.id)
			}
		}
	}
	p.work += p.field.TakeWork()
}

func (p *publisher) mine(id world.ID) bool {
	o := p.shown.Get(id)
	return o != nil && p.replica.owns(o)
}

// serve sends every reader what it lacks. Send hands a datagram over to the network, which tells of a number of objects.
func (p *publisher) serve(now world.Time, send func(to mechanism.NodeID, datagram []byte, items int)) {
	for _, r := range p.readers {
		r.sender.Begin(now - p.config.Link.Timeout)
		for more := true; more && !r.sender.Blocked(); {
			p.buf = appendUpdate(p.buf[:0], p.replica.area, r.number, r.sender)
			var items int
			p.buf, items, more = r.sender.Append(p.buf, p.config.Datagram-len(p.buf))
			p.work += world.Work(items)
			if items == 0 {
				break
			}
			send(r.node, p.buf, items)
			r.sender.Sent(now, 0)
		}
	}
}

func (p *publisher) takeWork() world.Work {
	done := p.work
	p.work = 0
	return done
}

// Due implements update.Pacer: which objects are sent in this tick if they have changed.
func (r *reader) Due(id world.ID) bool { return r.of.detail.due(r.user, id, r.of.replica.tick()) }

// Enter implements sight.Keeper: what is the area's own is told by the sender, others are guests.
func (r *reader) Enter(id world.ID) int32 {
	if r.of.mine(id) {
		return r.sender.Enter(id)
	}
	for i := range r.guests {
		if r.guests[i].id == 0 {
			r.guests[i] = guest{id, -1}
			return -1 - int32(i)
		}
	}
	r.guests = append(r.guests, guest{id, -1})
	return -int32(len(r.guests))
}

// Leave implements sight.Keeper.
func (r *reader) Leave(handle int32) {
	if handle < 0 {
		g := &r.guests[-1-handle]
		handle = g.handle
		*g = guest{}
	}
	if handle >= 0 {
		r.sender.Leave(handle)
	}
}
