package direct

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"throng/mechanism"
)

// net is a number of switches whose signals and messages are handed over one after the other.
type net struct {
	t        *testing.T
	now      time.Duration
	switches map[mechanism.NodeID]*Switch
	ends     map[mechanism.NodeID][]*end
	queue    []func()
	got      map[mechanism.NodeID][]string
	signals  []kind
	tallies  map[mechanism.NodeID][]Tally
	gone     map[mechanism.NodeID]bool // whom the gateway does not know any more
	broken   bool                      // connections do not come about
	cut      bool                      // what is sent by them is lost, and nobody says so
}

// end is one end of a connection in memory.
type end struct {
	net    *net
	name   string
	other  *end
	h      Handler
	closed bool
}

func newNet(t *testing.T, most int, nodes ...mechanism.NodeID) *net {
	n := &net{t: t, switches: map[mechanism.NodeID]*Switch{}, ends: map[mechanism.NodeID][]*end{}, got: map[mechanism.NodeID][]string{}, tallies: map[mechanism.NodeID][]Tally{}, gone: map[mechanism.NodeID]bool{}}
	for _, id := range nodes {
		n.switches[id] = New(Config{
			Self: id, Way: way{n, id}, Most: most,
			Peer: func(id mechanism.NodeID) bool { return id > 1 },
			Signal: func(to mechanism.NodeID, payload []byte) {
				if to == id {
					if sum, ok := ReadTally(payload); !ok {
						t.Error("a tally that cannot be read")
					} else {
						n.tallies[id] = append(n.tallies[id], sum)
					}
					return
				}
				if s, ok := readSignal(payload); !ok {
					t.Error("a signal that cannot be read")
				} else {
					n.signals = append(n.signals, s.kind)
				}
				if n.gone[id] {
					return
				}
				n.queue = append(n.queue, func() { n.switches[to].Signal(id, payload) })
			},
			Take: func(m mechanism.Message) { n.got[id] = append(n.got[id], string(m.Payload)) },
			Post: func(f func()) { f() },
			Now:  func() time.Duration { return n.now },
		})
	}
	return n
}

func (n *net) settle() {
	for len(n.queue) > 0 {
		next := n.queue[0]
		n.queue = n.queue[1:]
		next()
	}
}

// send sends so many datagrams and reports how many went directly.
func (n *net) send(from, to mechanism.NodeID, count int) (directly int) {
	for range count {
		if n.switches[from].Send(mechanism.Message{From: from, To: to, Class: mechanism.Update, Payload: []byte("x")}) {
			directly++
		}
		n.settle()
	}
	return directly
}

type way struct {
	net *net
	id  mechanism.NodeID
}

// Open describes an end by its name, by which the other one finds it.
func (w way) Open(offer string, h Handler) (Conn, error) {
	e := &end{net: w.net, name: fmt.Sprintf("end%d", len(w.net.ends[0])), h: h}
	w.net.ends[0] = append(w.net.ends[0], e)
	if offer != "" {
		if e.Answered(offer) != nil {
			return nil, errors.New("no such end")
		}
	}
	about := example(e.name)
	w.net.queue = append(w.net.queue, func() { h.Described(about.text(answer, true)) })
	return e, nil
}

func (e *end) Answered(text string) error {
	d, ok := readText(text)
	for _, o := range e.net.ends[0] {
		if ok && o.name == d.name {
			e.other = o
			if o.other == e && !e.net.broken {
				e.net.queue = append(e.net.queue, e.h.Opened, o.h.Opened)
			}
			return nil
		}
	}
	return errors.New("no such end")
}

func (e *end) Send(b []byte) bool {
	if e.net.cut {
		return true
	}
	copied := append([]byte(nil), b...)
	e.net.queue = append(e.net.queue, func() { e.other.h.Message(copied) })
	return !e.closed
}

func (e *end) Close() {
	if !e.closed && e.other != nil && e.other.other == e {
		e.net.queue = append(e.net.queue, e.other.h.Closed)
	}
	e.closed = true
}

// Whoever is sent much is connected to, whichever of the two it is; the lower number makes the offer.
func TestConnecting(t *testing.T) {
	for _, way := range [][2]mechanism.NodeID{{2, 3}, {3, 2}} {
		n := newNet(t, 4, 2, 3)
		from, to := way[0], way[1]
		if d := n.send(from, to, worth); d != 0 {
			t.Errorf("%d of the first datagrams went directly", d)
		}
		want := []kind{offer, answer}
		if from > to {
			want = []kind{invite, offer, answer}
		}
		if len(n.signals) != len(want) || n.signals[0] != want[0] {
			t.Errorf("signals %v, want %v", n.signals, want)
		}
		if d, back := n.send(from, to, 5), n.send(to, from, 5); d != 5 || back != 5 {
			t.Errorf("%d and %d of 5 went directly", d, back)
		}
		if len(n.got[to]) != 5 || len(n.got[from]) != 5 {
			t.Errorf("%d and %d have come", len(n.got[to]), len(n.got[from]))
		}
		if c := n.switches[from].Counts(); c.Open != 1 || c.Direct != 5 || c.Relayed != worth || c.Share() != 5.0/(5+worth) {
			t.Errorf("counted %+v", c)
		}
	}
}

// Servers are not connected to, nor is who is sent little.
func TestWhoIsNotConnectedTo(t *testing.T) {
	n := newNet(t, 4, 2, 3)
	n.send(2, 1, 100)
	for range 20 {
		n.send(2, 3, worth-1)
		n.now += 2 * window
	}
	if len(n.signals) != 0 || n.switches[2].Counts().Relayed != 20*(worth-1) {
		t.Errorf("signals %v, counted %+v", n.signals, n.switches[2].Counts())
	}
}

// There are no more connections than may be, on either side.
func TestRoom(t *testing.T) {
	n := newNet(t, 2, 2, 3, 4, 5, 6)
	for _, to := range []mechanism.NodeID{3, 4, 5, 6} {
		n.send(2, to, worth)
	}
	if c := n.switches[2].Counts(); c.Open != 2 {
		t.Errorf("%d connections", c.Open)
	}
	n.send(6, 2, worth)
	n.send(5, 6, worth)
	if c := n.switches[6].Counts(); c.Open != 1 || n.signals[len(n.signals)-3] != refuse && n.signals[len(n.signals)-1] != answer {
		t.Errorf("%d connections after %v", c.Open, n.signals)
	}
}

// What does not come about is given up, and tried again later and later; everything goes by the gateway meanwhile.
func TestFailing(t *testing.T) {
	n := newNet(t, 2, 2, 3)
	n.broken = true
	offers := func() (count int) {
		for _, k := range n.signals {
			if k == offer {
				count++
			}
		}
		return count
	}
	for range 600 {
		if n.send(2, 3, worth) != 0 {
			t.Fatal("something went by a connection that is not there")
		}
		n.now += time.Second
	}
	if c := offers(); c < 4 || c > 10 {
		t.Errorf("%d attempts in ten minutes", c)
	}
	n.broken = false
	n.now += againMax
	n.send(2, 3, worth)
	if n.send(2, 3, 1) != 1 {
		t.Error("no connection once it can be made")
	}
}

// Two that could not connect at first do so as soon as one of them tries again.
func TestBackOffIsNotMutual(t *testing.T) {
	n := newNet(t, 2, 2, 3)
	n.broken = true
	for range 40 {
		n.send(2, 3, worth)
		n.send(3, 2, worth)
		n.now += time.Second
	}
	n.broken = false
	n.now += patience + time.Second
	n.send(2, 3, 1)
	n.send(3, 2, 1) // both have given up by now
	n.switches[3].peers[2].after = 0
	n.switches[2].peers[3].after = n.now + againMax
	n.send(3, 2, worth)
	if n.send(3, 2, worth) == 0 {
		t.Errorf("no connection: %v", n.signals)
	}
}

// A connection that is of no use is closed, at both ends.
func TestIdleConnectionsAreClosed(t *testing.T) {
	n := newNet(t, 4, 2, 3, 4)
	n.send(2, 3, worth+1)
	n.now += idle + time.Second
	n.send(2, 4, 1)
	n.settle()
	if a, b := n.switches[2].Counts().Open, n.switches[3].Counts().Open; a != 0 || b != 0 {
		t.Errorf("%d and %d connections", a, b)
	}
	if d := n.send(2, 3, 1); d != 0 {
		t.Error("it went by a connection that is closed")
	}
}

// Where nothing comes any more the gateway carries everything again, though the connection looks sound; where there is only nothing to say
// it stays.
func TestSilentConnectionsAreBroken(t *testing.T) {
	n := newNet(t, 4, 2, 3)
	n.send(2, 3, worth+1)
	for range 15 {
		n.now += time.Second
		if n.send(2, 3, 1) != 1 { // and 3 has nothing to say, but beats when it is woken
			t.Fatal("a sound connection was given up")
		}
	}
	n.cut = true
	for range silence/time.Second + 1 {
		n.now += time.Second
		n.send(2, 3, 1)
	}
	if n.send(2, 3, 2) != 0 || n.switches[2].Counts().Open != 0 {
		t.Error("datagrams still go where nothing comes from")
	}
}

// Who has left cannot go on speaking by a connection in the name of whoever has the place next: it is closed when nobody vouches for it,
// or as soon as the next one wants a connection.
func TestNobodySpeaksForTheNext(t *testing.T) {
	n := newNet(t, 4, 2, 3)
	n.send(2, 3, worth+1)
	pass := func(span time.Duration) (directly int) {
		for range span / time.Second {
			n.now += time.Second
			n.send(2, 3, 1)
			directly += n.send(3, 2, 1)
		}
		return directly
	}
	if d := pass(time.Minute); d != 60 {
		t.Fatalf("%d of 60 went directly while both were there", d)
	}
	n.gone[3] = true
	pass(vouchMax + 2*time.Second)
	before := len(n.got[2])
	if pass(5 * time.Second); len(n.got[2]) != before || n.switches[2].Counts().Open != 0 {
		t.Errorf("%d datagrams came of who has left", len(n.got[2])-before)
	}

	n = newNet(t, 4, 2, 3)
	n.send(2, 3, worth+1)
	next := newNet(t, 4, 3).switches[3]
	next.config = n.switches[3].config
	old := n.switches[3]
	n.switches[3] = next
	n.now += settled + time.Second
	n.send(3, 2, worth)
	before = len(n.got[2])
	old.Send(mechanism.Message{From: 3, To: 2, Class: mechanism.Update, Payload: []byte("old")})
	n.settle()
	if len(n.got[2]) != before {
		t.Error("the one before was heard")
	}
	if n.send(3, 2, 1) != 1 || n.switches[2].Counts().Open != 1 {
		t.Errorf("the next one is not connected: %+v", n.switches[2].Counts())
	}
}

// The gateway is told what went which way, and of nothing twice.
func TestTally(t *testing.T) {
	n := newNet(t, 4, 2, 3)
	n.send(2, 3, worth+6)
	n.now += tallyTime
	n.send(2, 3, 3)
	n.now += tallyTime / 2
	n.send(2, 3, 1)
	n.now += tallyTime
	n.send(2, 3, 1)
	if want := []Tally{{6, worth, 1}, {4, 0, 1}}; !slices.Equal(n.tallies[2], want) {
		t.Errorf("told %v, want %v", n.tallies[2], want)
	}
	for _, bad := range [][]byte{nil, {byte(tally)}, {byte(vouch), 1, 1, 1}, {byte(tally), 1, 1, 1, 1}, {byte(tally), 0xff, 0xff, 0xff, 0xff, 0xf, 0, 0}} {
		if _, ok := ReadTally(bad); ok {
			t.Errorf("%v is taken for a tally", bad)
		}
	}
}

// Whoever wants a connection of somebody who never has one is told so.
func TestRefusal(t *testing.T) {
	n := newNet(t, 4, 2, 3)
	wanting := (&signal{offer, 5, example("some")}).append(nil)
	no, ok := Refusal(wanting)
	if s, read := readSignal(no); !ok || !read || s != (signal{kind: refuse, number: 5}) {
		t.Errorf("answered by %+v", s)
	}
	for _, payload := range [][]byte{nil, no, {byte(vouch), 5}, wanting[:9]} {
		if _, ok := Refusal(payload); ok {
			t.Errorf("%v is answered", payload)
		}
	}
	s := n.switches[2]
	for range worth {
		s.Send(mechanism.Message{To: 3, Class: mechanism.Update})
	}
	n.queue = nil
	s.Signal(3, (&signal{kind: refuse, number: s.number}).append(nil))
	if s.live != 0 || s.Counts().Failed != 1 {
		t.Errorf("%d attempts go on", s.live)
	}
}
