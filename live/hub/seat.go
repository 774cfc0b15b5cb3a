package hub

import (
	"slices"
	"sync/atomic"
	"time"

	"throng/live/driver"
	"throng/mechanism"
	"throng/world"
)

// Conn is a way to a client. Both methods are called from many goroutines at once, also after Close, and never block. They may
// call the hub, but for what waits for a node (Do, Close). Values must be comparable, as pointers are.
type Conn interface {
	// Send takes a datagram for the client, whose payload is copied. It reports whether there was room.
	Send(m mechanism.Message) bool
	// Close ends the connection and tells the client why.
	Close(reason string)
}

// Visitor is somebody who wants a seat.
type Visitor struct {
	Name    string
	Account string     // by which they are known again; empty for a guest
	Before  world.User // who they were last time: they are it again if nobody else is; zero for nobody
}

// Seat is a person's part in the world.
type Seat struct {
	Name    string
	Account string
	post    *post

	gone atomic.Bool // written under the hub's lock

	// Under the hub's lock:
	conn    Conn
	used    bool        // somebody has attached
	timer   *time.Timer // ends the seat; nil while somebody is attached
	absence int         // counts absences, so that the end of an earlier one is told apart
	since   time.Time   // when connections were first counted of late
	entries int         // how many have attached since
}

// One who comes back gets a new node, whose joining costs servers more than anything it could say later: nobody comes and goes more than
// entriesMax times in a span.
const (
	entriesMax  = 20
	entriesSpan = 10 * time.Second
)

// enters counts a connection, unless there were too many of late. The caller holds the hub's lock.
func (s *Seat) enters(now time.Time) bool {
	if now.Sub(s.since) >= entriesSpan {
		s.since, s.entries = now, 0
	}
	s.entries++
	return s.entries <= entriesMax
}

// User is whose seat it is.
func (s *Seat) User() world.User { return s.post.place.User }

// Place is the place of the person's node.
func (s *Seat) Place() mechanism.Place { return s.post.place }

// Gone reports whether the seat has ended.
func (s *Seat) Gone() bool { return s.gone.Load() }

// Conn is the connection of whoever has a seat; nil while they are away.
func (h *Hub) Conn(s *Seat) Conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.conn
}

// Vacant returns an error if nobody could join now: the one that Join would return.
func (h *Hub) Vacant() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.vacancy()
}

// vacancy is Vacant for those who hold the lock.
func (h *Hub) vacancy() error {
	switch {
	case h.closed, h.retired:
		return ErrClosed
	case h.static:
		return ErrStatic
	case h.seats+h.parting >= h.config.SeatsMax:
		return ErrFull
	case h.Overloaded():
		return ErrBusy
	}
	return h.Whole()
}

// Join reserves a guest's seat: for as long as the grace period, until somebody attaches.
func (h *Hub) Join(name string) (*Seat, error) { return h.Seat(Visitor{Name: name}) }

// Seat is Join for whoever it may be.
func (h *Hub) Seat(who Visitor) (*Seat, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.vacancy(); err != nil {
		return nil, err
	}
	p, err := h.findPost(who.Before)
	if err != nil {
		return nil, err
	}
	s := &Seat{Name: who.Name, Account: who.Account, post: p}
	p.seat = s
	h.seats++
	h.await(s)
	return s, nil
}

// findPost returns a post that a person can take: that of the user who they were before, if it can be had.
func (h *Hub) findPost(before world.User) (*post, error) {
	if h.admitting == nil {
		return h.findPlayer(before)
	}
	if n := len(h.vacant); n > 0 {
		at := slices.IndexFunc(h.vacant, func(p *post) bool { return p.place.User == before })
		if at < 0 {
			at = n - 1
		}
		p := h.vacant[at]
		h.vacant = slices.Delete(h.vacant, at, at+1)
		p.epoch++
		h.present(p, true)
		return p, nil
	}
	u := h.nextUser
	if u > h.config.LastUser {
		return nil, ErrFull
	}
	p, err := h.addPost(h.admitting.Admit(u), true)
	if err != nil {
		return nil, err
	}
	h.nextUser += h.config.UserStep
	return p, nil
}

// reclaim takes the place of somebody who is away: the grace period is for coming back, not for keeping others out of a game with as
// many places as players. Who has just asked for a seat is on the way and keeps it.
func (h *Hub) reclaim() (*post, error) {
	for _, p := range h.posts {
		if s := p.seat; s != nil && s.used && s.conn == nil && !p.elsewhere.Load() {
			h.vacate(s)
			return p, nil
		}
	}
	return nil, ErrFull
}

// findPlayer returns the post of an artificial player who can step back.
func (h *Hub) findPlayer(before world.User) (found *post, err error) {
	for _, p := range h.posts {
		if p.place.User == 0 || p.seat != nil || p.elsewhere.Load() {
			continue
		}
		if p.place.User == before {
			return p, nil
		}
		if found == nil {
			found = p
		}
	}
	if found == nil {
		return h.reclaim()
	}
	return found, nil
}

// await ends a seat if nobody attaches within the grace period.
func (h *Hub) await(s *Seat) {
	s.absence++
	absence := s.absence
	s.timer = time.AfterFunc(h.config.Grace, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if !h.closed && !s.gone.Load() && s.conn == nil && s.absence == absence {
			h.vacate(s)
		}
	})
}

// Seated is the seat of a user who is a person; nil for others.
func (h *Hub) Seated(u world.User) *Seat {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.posts {
		if p.seat != nil && p.place.User == u {
			return p.seat
		}
	}
	return nil
}

// endure has nothing end the seat by itself. The caller holds the lock.
func (s *Seat) endure() {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
}

// Attach gives a seat its connection, in place of one that it may have had. Fresh says that the client has no node: it must
// build one that joins the run, with the epoch that is returned. The others go on with the one they have if it is of that
// epoch.
func (h *Hub) Attach(s *Seat, c Conn, fresh bool) (epoch uint32, err error) {
	epoch, player, before, err := h.attach(s, c, fresh)
	// Outside the lock: the player's node may be at sending something to a connection that has had enough and leaves.
	if player != nil {
		player.Stop()
		h.ending.Done()
	}
	if before != nil && before != c {
		before.Close("the seat is used by another connection")
	}
	return epoch, err
}

// attach returns who held the seat's place before: the artificial player or a connection.
func (h *Hub) attach(s *Seat, c Conn, fresh bool) (epoch uint32, player *driver.Runner, before Conn, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return 0, nil, nil, ErrClosed
	case s.gone.Load():
		return 0, nil, nil, ErrGone
	case !s.enters(time.Now()):
		return 0, nil, nil, ErrOften
	}
	p := s.post
	if p.runner != nil || s.used && fresh {
		p.epoch++
	}
	if p.runner != nil {
		h.ending.Add(1)
	}
	if !s.used && h.config.Joined != nil {
		h.config.Joined(s)
	}
	player, before = p.runner, s.conn
	p.runner, s.conn, s.used = nil, c, true
	p.holder.Store(&holder{conn: c})
	s.endure()
	return p.epoch, player, before, nil
}

// Client builds the node of the person in a seat, for those whose node runs on this side of the connection. The epoch is Attach's.
func (h *Hub) Client(s *Seat, epoch uint32) (mechanism.MachineConfig, error) {
	place := s.Place()
	node, err := mechanism.Build(h.mechanism, h.session.Join(place, epoch), place)
	node.Enter = true
	return node, err
}

// Detach takes a connection from its seat, which is kept for the grace period. It does nothing if another connection has the
// seat by now.
func (h *Hub) Detach(s *Seat, c Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || s.gone.Load() || s.conn != c {
		return
	}
	s.conn = nil
	s.post.holder.Store(nil)
	h.await(s)
}

// Deliver carries a datagram from the person in a seat to its receiver. Whatever the message says, it is from the seat's node.
func (h *Hub) Deliver(s *Seat, m mechanism.Message) bool {
	m.From = s.post.place.ID
	if m.To == m.From || s.gone.Load() {
		return false
	}
	return h.Route(m)
}

// Leave ends a seat at once and closes its connection, if it has one, for a reason.
func (h *Hub) Leave(s *Seat, reason string) {
	h.mu.Lock()
	if h.closed || s.gone.Load() {
		h.mu.Unlock()
		return
	}
	c := s.conn
	h.vacate(s)
	h.mu.Unlock()
	if c != nil {
		c.Close(reason)
	}
}

// unseat ends a seat. The caller holds the lock.
func (h *Hub) unseat(s *Seat) {
	s.endure()
	s.conn = nil
	s.gone.Store(true)
	s.post.seat = nil
	h.seats--
	if s.used && h.config.Left != nil {
		h.config.Left(s)
	}
}

// vacate ends a seat and sees to what becomes of its user. The caller holds the lock.
func (h *Hub) vacate(s *Seat) {
	p := s.post
	h.unseat(s)
	if p.runner != nil {
		return // nobody came: the artificial player is still there
	}
	p.holder.Store(nil)
	p.epoch++
	if p.admitted {
		h.depart(p, s.used)
		return
	}
	if err := h.replace(p, h.player(p), true); err != nil {
		h.lost.Add(1)
	}
}
