package gateway

import (
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"

	"throng/live/hub"
	"throng/world"
)

// Ban is an account or a network that does not get in.
type Ban struct {
	Number  int        `json:"number"`
	Account string     `json:"account,omitempty"`
	Network string     `json:"network,omitempty"`
	Reason  string     `json:"reason"`
	Until   *time.Time `json:"until,omitempty"` // nil for good

	prefix netip.Prefix
}

// Bans are those that there are, in all rooms. They are forgotten with the process.
type Bans struct {
	mu   sync.Mutex
	last int
	list []Ban
}

// bansMax is how many there may be; the oldest are forgotten.
const bansMax = 10_000

func (b *Bans) add(x Ban) Ban {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	x.Number = b.last
	if len(b.list) >= bansMax {
		b.list = b.list[1:]
	}
	b.list = append(b.list, x)
	return x
}

// current are those that still hold.
func (b *Bans) current(now time.Time) []Ban {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = slices.DeleteFunc(b.list, func(x Ban) bool { return x.Until != nil && !now.Before(*x.Until) })
	return append([]Ban{}, b.list...)
}

// find returns the ban that somebody is under; nil for none.
func (b *Bans) find(account string, from netip.Addr, now time.Time) *Ban {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.list {
		x := &b.list[i]
		if (x.Until == nil || now.Before(*x.Until)) && x.matches(account, from) {
			return x
		}
	}
	return nil
}

func (x *Ban) matches(account string, from netip.Addr) bool {
	return x.Account != "" && x.Account == account || x.prefix.IsValid() && x.prefix.Contains(from.Unmap())
}

// err is what somebody is told who is under it.
func (x *Ban) err() error {
	if x.Reason != "" {
		return errors.New(x.Reason)
	}
	return errors.New(endBanned.text)
}

// verdict is whom an operator wants to keep out: one of the three, for so long and for a reason.
type verdict struct {
	User    uint32  `json:"user"`
	Account string  `json:"account"`
	Address string  `json:"address"`
	Seconds float64 `json:"seconds"` // zero for good
	Reason  string  `json:"reason"`
}

// ban keeps somebody out: an account or, of those who have none, the address that they come from. Whoever is meant has to go at once.
func (g *Gateway) ban(v *verdict) (Ban, error) {
	b := Ban{Account: v.Account, Reason: cleanText(v.Reason)}
	addr, err := netip.ParseAddr(v.Address)
	switch {
	case v.Seconds < 0 || v.User == 0 && v.Account == "" && v.Address == "":
		return b, errUnclear
	case v.Address != "" && err != nil:
		return b, &mistake{http.StatusBadRequest, "that is no address"}
	case v.User != 0:
		seat := g.hub.Seated(world.User(v.User))
		if seat == nil {
			return b, errNobody
		}
		if b.Account = seat.Account; b.Account == "" {
			if addr = g.addressOf(seat); !addr.IsValid() {
				return b, &mistake{http.StatusConflict, "they have no account and are away: ban the address that they came from"}
			}
		}
	}
	if addr.IsValid() {
		bits := 32
		if addr = addr.Unmap(); addr.Is6() {
			bits = 64
		}
		b.prefix, _ = addr.Prefix(bits)
		b.Network = b.prefix.String()
	}
	if v.Seconds > 0 {
		until := time.Now().Add(time.Duration(v.Seconds * float64(time.Second)))
		b.Until = &until
	}
	b = g.bans.add(b)
	for _, room := range g.rooms() {
		room.tokens.revoke(b.Account)
		room.enforce(&b)
	}
	return b, nil
}

// addressOf is where whoever has a seat comes from.
func (g *Gateway) addressOf(seat *hub.Seat) (from netip.Addr) {
	for _, c := range g.all() {
		if c.seatIs(seat) {
			from = c.from.addr
		}
	}
	return from
}

// enforce shows out those who are under a ban.
func (g *Gateway) enforce(b *Ban) {
	for _, c := range g.all() {
		c.mu.Lock()
		var seat *hub.Seat
		if c.ticket != nil {
			seat = c.ticket.seat
		}
		c.mu.Unlock()
		if seat != nil && b.matches(seat.Account, c.from.addr) {
			g.showOut(seat, endBanned, b.Reason)
		}
	}
	for _, n := range g.hub.Nodes() {
		if b.Account == "" || n.Account != b.Account {
			continue
		}
		if seat := g.hub.Seated(n.Place.User); seat != nil { // away
			g.showOut(seat, endBanned, b.Reason)
		}
	}
}

func (g *Gateway) serveBans(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, g.bans.current(time.Now()))
}

func (g *Gateway) serveUnban(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.PathValue("number"))
	b := g.bans
	b.mu.Lock()
	before := len(b.list)
	b.list = slices.DeleteFunc(b.list, func(x Ban) bool { return x.Number == number })
	lifted := before - len(b.list)
	b.mu.Unlock()
	if err != nil || lifted == 0 {
		answer(w, http.StatusNotFound, errorReply{"there is no ban of that number"})
		return
	}
	answer(w, http.StatusOK, done{lifted})
}
