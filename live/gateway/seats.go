package gateway

import (
	"errors"
	"slices"
	"time"

	"throng/live/account"
	"throng/live/hub"
)

// Seats knows who has which seat, for all gateways of a world that has several: a token is good at each of them.
type Seats interface {
	// Issue returns a token for a seat, which is taken when somebody shows it: for an account always the same seat, as long as it is
	// held. A guest has none.
	Issue(name, account string) string
	// Claim gives the seat of a token to a connection, and returns the epoch of the client's node. It may wait.
	Claim(token []byte, c hub.Conn, fresh bool) (*hub.Seat, uint32, error)
	// Gateways are where clients may try next: addresses as https://example.org.
	Gateways() []string
	// Origins are the same, and those that there were: pages of a gateway that is gone go on at another one.
	Origins() []string
	// Sweep is called now and then.
	Sweep()
}

// issue returns a token for a seat, which is taken when somebody shows it.
func (g *Gateway) issue(who account.Account, now time.Time) string {
	if g.config.Seats != nil {
		return g.config.Seats.Issue(who.Name, who.ID)
	}
	return g.tokens.issue(who, now)
}

// claim gets a client its seat where all gateways have to know of it, and has it begin there. It is not the reader's to wait for that.
func (c *client) claim(token []byte, fresh bool, begin func(k *ticket, epoch uint32) *ending) {
	c.claiming = true
	go func() {
		seat, epoch, err := c.gate.config.Seats.Claim(token, c.conn(), fresh)
		if err != nil {
			c.dismiss(c.gate.unclaimed(err), time.Now())
			return
		}
		c.reading.Lock()
		defer c.reading.Unlock()
		if c.over {
			c.gate.hub.Detach(seat, c.conn())
			return
		}
		if e := begin(&ticket{token: string(token), name: seat.Name, account: seat.Account, seat: seat}, epoch); e != nil {
			c.dismiss(e, time.Now())
		}
	}()
}

// unclaimed is the ending for somebody whose token gets no seat.
func (g *Gateway) unclaimed(err error) *ending {
	for _, known := range []error{hub.ErrFull, hub.ErrBusy, hub.ErrBroken, hub.ErrClosed, hub.ErrStatic, hub.ErrOften} {
		if errors.Is(err, known) {
			return g.refused(err)
		}
	}
	return endStranger
}

// gateways are where clients may try next, as it was known a moment ago; none if this is the only one.
func (g *Gateway) gateways() []string {
	if list := g.others.Load(); list != nil {
		return *list
	}
	return nil
}

// origins are those whose pages may connect, as it was known a moment ago.
func (g *Gateway) origins() []string {
	if list := g.former.Load(); list != nil {
		return *list
	}
	return nil
}

// lookAround asks which gateways there are.
func (g *Gateway) lookAround() {
	if g.config.Seats == nil {
		return
	}
	g.config.Seats.Sweep()
	if list := g.config.Seats.Gateways(); !slices.Equal(list, g.gateways()) {
		g.others.Store(&list)
	}
	if list := g.config.Seats.Origins(); !slices.Equal(list, g.origins()) {
		g.former.Store(&list)
	}
}
