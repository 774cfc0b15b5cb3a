package hub

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"throng/live/driver"
	"throng/mechanism"
	"throng/world"
)

// Duty is a user's place that one hub leaves to another, with the epoch of whoever holds it next.
type Duty struct {
	Node  mechanism.NodeID
	User  world.User
	Epoch uint32
}

// Cede gives up to n artificial players' places away, those that people would be given last. Their nodes have ended when it
// returns; what is sent to them goes to the fallback from now on.
func (h *Hub) Cede(n int) ([]Duty, error) {
	duties, runners, err := h.cede(n)
	each(runners, (*driver.Runner).Stop)
	h.ending.Add(-len(runners))
	return duties, err
}

func (h *Hub) cede(n int) (duties []Duty, runners []*driver.Runner, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed, h.retired:
		return nil, nil, ErrClosed
	case h.static:
		return nil, nil, ErrStatic
	}
	for _, p := range slices.Backward(h.posts) {
		if len(duties) >= n {
			break
		}
		if p.holding() != Artificial || p.admitted || p.seat != nil {
			continue
		}
		duties = append(duties, p.duty())
		runners = append(runners, p.runner)
		h.giveUp(p)
	}
	h.ending.Add(len(runners))
	return duties, runners, nil
}

// duty is what another hub would have to take over.
func (p *post) duty() Duty { return Duty{Node: p.place.ID, User: p.place.User, Epoch: p.epoch + 1} }

// giveUp leaves a post to another process. The caller holds the lock and ends who held it.
func (h *Hub) giveUp(p *post) {
	p.epoch++
	p.runner = nil
	p.holder.Store(nil)
	p.elsewhere.Store(true)
	h.present(p, false)
}

// Adopt takes over places that another hub has given up. Of those that the run began with artificial players take hold. Users
// who were admitted later have lost their clients: they are taken out of the world. It goes on after an error.
func (h *Hub) Adopt(duties []Duty) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed, h.retired:
		return ErrClosed
	case h.static && len(duties) > 0:
		h.lost.Add(int64(len(duties)))
		return ErrStatic
	}
	var errs []error
	for _, d := range duties {
		if err := h.adopt(d); err != nil {
			h.lost.Add(1)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (h *Hub) adopt(d Duty) error {
	place, admitted, ok := h.placeOf(d)
	if !ok {
		return fmt.Errorf("node %d is no place of user %d", d.Node, d.User)
	}
	p := h.routes.get(place.ID)
	switch {
	case p == nil:
		var err error
		if p, err = h.addPost(place, admitted); err != nil {
			return err
		}
	case !p.elsewhere.Load():
		return fmt.Errorf("node %d is held here already", d.Node)
	default:
		p.elsewhere.Store(false)
		h.present(p, true)
	}
	p.epoch = max(p.epoch+1, d.Epoch)
	if admitted {
		h.depart(p, true)
		return nil
	}
	return h.replace(p, h.player(p), true)
}

// Resume gives a person a seat again that another process has held, with the epoch that it had there: a client that still has its
// node goes on with it. As after Join, the seat is kept for the grace period until somebody attaches.
func (h *Hub) Resume(who Visitor, d Duty) (*Seat, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.retired {
		return nil, ErrClosed
	}
	place, admitted, ok := h.placeOf(d)
	p := h.routes.get(d.Node)
	switch {
	case !ok:
		return nil, ErrGone
	case p == nil:
		var err error
		if p, err = h.addPost(place, admitted); err != nil {
			return nil, err
		}
	case p.elsewhere.Load():
		p.elsewhere.Store(false)
		h.present(p, true)
	default:
		return nil, fmt.Errorf("node %d is held here already", d.Node)
	}
	p.epoch = d.Epoch
	s := &Seat{Name: who.Name, Account: who.Account, post: p, used: true}
	p.seat = s
	h.seats++
	h.await(s)
	return s, nil
}

// Yield leaves a place to another process that has it already. Who held it here ends.
func (h *Hub) Yield(id mechanism.NodeID) {
	h.mu.Lock()
	p := h.routes.get(id)
	if p == nil || p.elsewhere.Load() || h.closed {
		h.mu.Unlock()
		return
	}
	var conn Conn
	if p.seat != nil {
		conn = p.seat.conn
		h.unseat(p.seat)
	}
	runner := p.runner
	h.giveUp(p)
	h.mu.Unlock()
	if runner != nil {
		runner.Stop()
	}
	if conn != nil {
		conn.Close("the seat is used by another connection")
	}
}

// placeOf finds the place that a duty is about.
func (h *Hub) placeOf(d Duty) (p mechanism.Place, admitted, ok bool) {
	at, found := slices.BinarySearchFunc(h.session.Places, d.Node, func(p mechanism.Place, id mechanism.NodeID) int {
		return cmp.Compare(p.ID, id)
	})
	switch {
	case d.User == 0:
		return p, false, false
	case found:
		p = h.session.Places[at]
	case h.admitting != nil:
		p = h.admitting.Admit(d.User)
	}
	return p, !found, p.ID == d.Node && p.User == d.User
}

// Duties appends what others would have to take over if this hub vanished.
func (h *Hub) Duties(dst []Duty) []Duty {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.posts {
		if p.occupied() {
			dst = append(dst, p.duty())
		}
	}
	return dst
}

// occupied reports whether a post stands for a user who is, or may be, in the world.
func (p *post) occupied() bool {
	switch {
	case p.place.User == 0 || p.elsewhere.Load():
		return false
	case p.admitted:
		return p.parting || p.seat != nil && p.seat.used
	default:
		return true
	}
}

// Retire gives everything that has a user away. Connections are closed with the reason, and nobody is let in any more. The
// hub is still to be closed.
func (h *Hub) Retire(reason string) []Duty {
	duties, runners, conns := h.retire()
	each(runners, (*driver.Runner).Stop)
	h.ending.Add(-len(runners))
	for _, c := range conns {
		c.Close(reason)
	}
	return duties
}

func (h *Hub) retire() (duties []Duty, runners []*driver.Runner, conns []Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.retired {
		return nil, nil, nil
	}
	h.retired = true
	h.hurry()
	for _, p := range h.posts {
		if p.place.User == 0 || p.elsewhere.Load() {
			continue
		}
		if p.occupied() {
			duties = append(duties, p.duty())
		}
		if p.runner != nil {
			runners = append(runners, p.runner)
		}
		if s := p.seat; s != nil {
			if s.conn != nil {
				conns = append(conns, s.conn)
			}
			h.unseat(s)
		}
		h.giveUp(p)
	}
	h.ending.Add(len(runners))
	return duties, runners, conns
}
