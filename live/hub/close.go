package hub

import (
	"context"
	"sync"

	"throng/live/driver"
)

// Close ends the world in good order: players stop acting, users' nodes work through what has arrived and say goodbye, then
// servers do, then connections are closed with the reason. When ctx is done what is left is stopped without further ado. In
// any case everything has ended when Close returns.
func (h *Hub) Close(ctx context.Context, reason string) error {
	users, servers, conns, err := h.shut()
	if err != nil {
		return err
	}
	each(users, (*driver.Runner).Rest)
	h.ending.Wait()
	for _, group := range [][]*driver.Runner{users, servers} {
		if ctx.Err() != nil {
			each(group, (*driver.Runner).Stop)
		} else {
			each(group, (*driver.Runner).Leave)
		}
	}
	for _, c := range conns {
		c.Close(reason)
	}
	return ctx.Err()
}

// shut lets nobody in or out any more and returns who is here.
func (h *Hub) shut() (users, servers []*driver.Runner, conns []Conn, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, nil, nil, ErrClosed
	}
	h.closed = true
	h.hurry()
	for _, p := range h.posts {
		switch {
		case p.runner != nil && p.place.User == 0:
			servers = append(servers, p.runner)
		case p.runner != nil:
			users = append(users, p.runner)
		}
		if p.seat != nil {
			p.seat.endure()
			if p.seat.conn != nil {
				conns = append(conns, p.seat.conn)
			}
		}
	}
	return users, servers, conns, nil
}

// hurry ends the departures under way, before Retire or Close says so. The caller holds the lock.
func (h *Hub) hurry() {
	select {
	case <-h.closing:
	default:
		close(h.closing)
	}
}

// each calls f for all runners at once and waits.
func each(runners []*driver.Runner, f func(*driver.Runner)) {
	var all sync.WaitGroup
	for _, r := range runners {
		all.Go(func() { f(r) })
	}
	all.Wait()
}
