package interest

import (
	"throng/mechanism/parts/area"
	"throng/world"
	"throng/world/fixed"
)

// store is what a server holds: its own objects, and copies of others that concern it. What else a proxy is told of stays with
// the borders.
type store struct {
	land    *area.Map
	area    int
	state   *world.State
	foreign map[world.ID]struct{} // those in the state that are not its own
	flying  map[world.ID]flight   // those of them that it has handed over and that have not landed
	borders []*area.Border        // by area; nil for its own
	inner   fixed.Box             // where its objects concern nobody else
	banded  map[world.ID]struct{} // those that it tells others of
	trail   *area.Trail
	roster  *area.Roster
	proxy   bool       // others are told everything, not just what concerns them
	touched []world.ID // what has changed hands
}

// flight is where an object goes that has been handed over, and the number of that.
type flight struct {
	to     int
	number uint64
}

// newStore takes on what of the world's start belongs to an area.
func newStore(land *area.Map, at int, state *world.State, how area.Encoding, proxy bool) store {
	c := store{
		land: land, area: at, state: state, proxy: proxy,
		foreign: map[world.ID]struct{}{}, flying: map[world.ID]flight{}, banded: map[world.ID]struct{}{},
		borders: make([]*area.Border, land.Len()),
		trail:   area.NewTrail(),
		roster:  area.NewRoster(state),
		inner:   land.Inner(at),
	}
	var others []world.ID
	for o := range state.All() {
		if land.AreaOf(o) != at {
			others = append(others, o.ID)
		}
	}
	for _, id := range others {
		state.Remove(id)
	}
	for i := range c.borders {
		if i != at {
			c.borders[i] = area.NewBorder(state.Schema(), how)
		}
	}
	return c
}

// open reports whether an object is for this server to change. What lies in its area is: what others tell of lies in theirs.
// Elsewhere are copies, and its own that have just stepped over the border.
func (c *store) open(o *world.Object) bool {
	if c.land.Of(o.Pos) == c.area {
		return true
	}
	_, foreign := c.foreign[o.ID]
	return !foreign
}

// owns reports whether an object in the state is this server's.
func (c *store) owns(id world.ID) bool {
	_, foreign := c.foreign[id]
	return !foreign && c.state.Get(id) != nil
}

// shows reports whether this server tells others of an object: while it is its own, and until it has landed elsewhere.
func (c *store) shows(id world.ID) bool {
	if _, foreign := c.foreign[id]; !foreign {
		return true
	}
	_, flying := c.flying[id]
	return flying
}

// holder is the area whose server is to be asked about an object, if that is known.
func (c *store) holder(id world.ID) (at int, ok bool) {
	if f, flying := c.flying[id]; flying {
		return f.to, true
	}
	if o := c.state.Get(id); o != nil {
		if _, foreign := c.foreign[id]; !foreign {
			return c.area, true
		}
		return c.land.AreaOf(o), true
	}
	if o := c.heard(id); o != nil {
		return c.land.AreaOf(o), true
	}
	return c.trail.Find(id)
}

// heard is an object as another server tells of it, or nil.
func (c *store) heard(id world.ID) *world.Object {
	for _, b := range c.borders {
		if b == nil {
			continue
		}
		if o := b.Seen.Get(id); o != nil {
			return o
		}
	}
	return nil
}

// landed notes that what was handed over has landed.
func (c *store) landed(from int, l area.Landing) {
	if f, flying := c.flying[l.ID]; !flying || f != (flight{from, l.Number}) {
		return // it has come back meanwhile
	}
	delete(c.flying, l.ID)
	c.touched = append(c.touched, l.ID)
	c.revise(l.ID)
}

// see takes over what another server tells of one of its objects.
func (c *store) see(ch *area.Change) {
	id := ch.Object.ID
	_, foreign := c.foreign[id]
	_, flying := c.flying[id]
	far := !ch.Gone && !flying && c.far(&ch.Object)
	switch {
	case !foreign && (far || c.state.Get(id) != nil):
		// It does not matter here, or it is this server's own: the news is from before it was.
	case ch.Gone:
		c.revise(id)
	case far:
		c.drop(id)
	default:
		c.copy(&ch.Object)
	}
}

// far reports whether an object that a proxy is told of is out of reach of its area. Other servers are told only what is not.
func (c *store) far(o *world.Object) bool { return c.proxy && !c.land.Concerns(c.area, o) }

// copy puts an object of another server's into the state.
func (c *store) copy(o *world.Object) {
	c.foreign[o.ID] = struct{}{}
	c.state.Put(*o)
}

// drop takes a copy out of the state.
func (c *store) drop(id world.ID) {
	delete(c.foreign, id)
	c.state.Remove(id)
}

// revise brings a copy up to date of which a server no longer tells: as another does, or gone.
func (c *store) revise(id world.ID) {
	if _, flying := c.flying[id]; flying {
		return
	}
	if o := c.heard(id); o != nil && !c.far(o) {
		c.copy(o)
	} else {
		c.drop(id)
	}
}

// take makes an object this server's.
func (c *store) take(o *world.Object) {
	delete(c.foreign, o.ID)
	delete(c.flying, o.ID)
	c.state.Put(*o)
	c.touched = append(c.touched, o.ID)
}

// banish drops the copies of a user's objects: rules would take what is left of an earlier stay for the user's presence.
func (c *store) banish(u world.User) {
	var copies []world.ID
	for o := range c.state.All() {
		if _, foreign := c.foreign[o.ID]; foreign && o.User == u {
			copies = append(copies, o.ID)
		}
	}
	for _, id := range copies {
		delete(c.flying, id)
		c.drop(id)
	}
}

// hand hands an object over to the server of the area that it is in, and returns which that is.
func (c *store) hand(o *world.Object) (to int) {
	to = c.land.AreaOf(o)
	number := c.borders[to].Hand(o, c.roster.Stay(o.User))
	c.foreign[o.ID] = struct{}{}
	c.flying[o.ID] = flight{to, number}
	c.trail.Note(o.ID, to)
	return to
}

// tell brings up to date what other servers are told of an object that is shown, or no longer.
func (c *store) tell(id world.ID, o *world.Object) {
	_, banded := c.banded[id]
	if o != nil && !c.proxy && c.land.Inside(&c.inner, o) {
		o = nil
	}
	if o == nil && !banded {
		return
	}
	flight, flying := c.flying[id]
	told := false
	for i, b := range c.borders {
		switch {
		case b == nil:
		case o != nil && (c.proxy || c.land.Concerns(i, o)) && !(flying && flight.to == i):
			b.Band.Put(o)
			told = true
		case b.Band.Has(id):
			b.Band.Remove(id)
		}
	}
	if told {
		c.banded[id] = struct{}{}
	} else {
		delete(c.banded, id)
	}
}

// simulates is how many objects are this server's.
func (c *store) simulates() int { return c.state.Len() - len(c.foreign) }
