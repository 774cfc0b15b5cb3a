package gateway

import (
	"slices"
	"sync"
	"testing"

	"throng/live/hub"
	"throng/live/livetest"
	"throng/live/thin"
	"throng/live/thin/thinclient"
)

// Of thin clients, whose nodes the server runs, there are no more than it may; who leaves makes room.
func TestThinClientsAreLimited(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.Thin = 2 })
	join := thinclient.Message{"type": "join", "version": thin.Version}
	var inside []*thinclient.Client
	for range 2 {
		c := s.dialThin(t, thin.JSON)
		joinThin(t, c, nil)
		inside = append(inside, c)
	}
	third := s.dialThin(t, thin.JSON)
	tell(t, third, join)
	if code := theEnd(t, third); code != "full" {
		t.Errorf("the third ended by %s", code)
	}
	s.seat(t, "one with a node of their own")
	tell(t, inside[0], thinclient.Message{"type": "leave"})
	theEnd(t, inside[0])
	livetest.Until(t, "its node has ended", func() bool { return s.admission.thin.Load() == 1 })
	joinThin(t, s.dialThin(t, thin.JSON), nil)
}

// One token is not good for coming and going without end, whichever protocol is spoken.
func TestOneSeatIsNotEnteredWithoutEnd(t *testing.T) {
	s := open(t, nil)
	token := joinThin(t, s.dialThin(t, thin.JSON), nil)["token"]
	again := thinclient.Message{"type": "join", "version": thin.Version, "token": token}
	codes := map[string]bool{}
	for range 30 {
		c := s.dialThin(t, thin.MessagePack)
		tell(t, c, again)
		if m := <-c.Messages; m.Type() == "goodbye" {
			codes[m["code"].(string)] = true
		}
	}
	if len(codes) != 1 || !codes["joins"] {
		t.Errorf("coming back thirty times ended by %v", codes)
	}
	_, ok := s.tryDial(nil)
	if ok != nil {
		t.Errorf("nobody else gets in: %v", ok)
	}
	g := s.dial(t)
	g.send(t, helloFrame(token.(string), true))
	if reason := g.goodbye(t); reason != endOften.text {
		t.Errorf("a hello with the same token: %s", reason)
	}
}

// everywhere are the seats of a world that has several gateways, of which this is the only one that anybody comes to.
type everywhere struct {
	hub *hub.Hub

	mu    sync.Mutex
	seats map[string]*hub.Seat
}

func (e *everywhere) Issue(name, _ string) string { return "for " + name }
func (e *everywhere) Gateways() []string          { return nil }
func (e *everywhere) Origins() []string           { return nil }
func (e *everywhere) Sweep()                      {}

func (e *everywhere) Claim(token []byte, c hub.Conn, fresh bool) (*hub.Seat, uint32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	seat := e.seats[string(token)]
	if seat == nil {
		var err error
		if seat, err = e.hub.Join(string(token)); err != nil {
			return nil, 0, err
		}
		e.seats[string(token)] = seat
	}
	epoch, err := e.hub.Attach(seat, c, fresh)
	return seat, epoch, err
}

// Where there are several gateways all have to know of a thin client's seat as of any other.
func TestThinClientsHaveSeatsThatAllGatewaysKnow(t *testing.T) {
	seats := &everywhere{seats: map[string]*hub.Seat{}}
	s := open(t, func(c *Config) { seats.hub, c.Seats = c.Hub, seats })
	c := s.dialThin(t, thin.JSON)
	tell(t, c, thinclient.Message{"type": "join", "version": thin.Version, "name": "Ada"})
	tell(t, c, thinclient.Message{"type": "ping"}) // too early, or not
	welcome := hear(t, c, "welcome")
	hear(t, c, "ready")
	if welcome["token"] != "for Ada" || !slices.Contains(seatedNames(seats), "for Ada") {
		t.Errorf("welcome %v, seats %v", welcome, seatedNames(seats))
	}
	again := s.dialThin(t, thin.MessagePack)
	if w := joinThin(t, again, thinclient.Message{"token": "for Ada"}); w["user"] != welcome["user"] {
		t.Errorf("came back as user %v, was %v", w["user"], welcome["user"])
	}
	if code := theEnd(t, c); code != "replaced" {
		t.Errorf("the first connection ended by %s", code)
	}
	tell(t, again, thinclient.Message{"type": "leave"})
	if code := theEnd(t, again); code != "left" {
		t.Errorf("ended by %s", code)
	}
	livetest.Until(t, "nobody sits there", func() bool { return s.hub.Counters().People == 0 && s.admission.thin.Load() == 0 })
}

func seatedNames(e *everywhere) (list []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for name := range e.seats {
		list = append(list, name)
	}
	return list
}
