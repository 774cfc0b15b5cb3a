package direct

import (
	"errors"
	"strings"
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
	broken   bool // connections do not come about
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
	n := &net{t: t, switches: map[mechanism.NodeID]*Switch{}, ends: map[mechanism.NodeID][]*end{}, got: map[mechanism.NodeID][]string{}}
	for _, id := range nodes {
		n.switches[id] = New(Config{
			Self: id, Way: way{n, id}, Most: most,
			Peer: func(id mechanism.NodeID) bool { return id > 1 },
			Signal: func(to mechanism.NodeID, payload []byte) {
				if s, ok := readSignal(payload); !ok {
					t.Error("a signal that cannot be read")
				} else {
					n.signals = append(n.signals, s.kind)
				}
				n.queue = append(n.queue, func() { n.switches[to].Signal(id, payload) })
			},
			Take: func(m mechanism.Message) { n.got[id] = append(n.got[id], string(m.Payload)) },
			Post: func(f func()) { n.queue = append(n.queue, f) },
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
	e := &end{net: w.net, name: "end " + string(rune('a'+len(w.net.ends[0]))), h: h}
	w.net.ends[0] = append(w.net.ends[0], e)
	if offer != "" {
		if e.Answered(offer) != nil {
			return nil, errors.New("no such end")
		}
	}
	h.Described(e.name)
	return e, nil
}

func (e *end) Answered(text string) error {
	for _, o := range e.net.ends[0] {
		if o.name == text {
			e.other = o
			if o.other == e && !e.net.broken {
				e.h.Opened()
				o.h.Opened()
			}
			return nil
		}
	}
	return errors.New("no such end")
}

func (e *end) Send(b []byte) bool {
	copied := append([]byte(nil), b...)
	e.net.queue = append(e.net.queue, func() { e.other.h.Message(copied) })
	return !e.closed
}

func (e *end) Close() {
	if !e.closed && e.other != nil && e.other.other == e {
		e.other.h.Closed()
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

// What is malformed, too large or too much is dropped and counted, whoever sends it.
func TestHostile(t *testing.T) {
	n := newNet(t, 4, 2, 3)
	s := n.switches[2]
	many := "v=0\n" + strings.Repeat("a=candidate:1\n", candidateMax+1)
	for _, payload := range [][]byte{
		nil, {0}, {byte(refuse) + 1, 0, 0}, {byte(offer), 1, 0}, {byte(invite), 0, 1, 'x'}, {byte(offer), 1, 200},
		(&signal{offer, 1, strings.Repeat("x", textMax+1)}).append(nil), (&signal{offer, 1, many}).append(nil),
	} {
		before := s.Counts().Dropped
		if s.Signal(3, payload); s.Counts().Dropped != before+1 {
			t.Errorf("%q was taken", payload)
		}
	}
	if s.Signal(1, (&signal{kind: invite}).append(nil)); s.Counts().Dropped != 9 {
		t.Error("a server's signal was taken")
	}
	n.send(2, 3, worth)
	p := s.peers[3]
	for _, b := range [][]byte{{}, {byte(mechanism.Classes)}, make([]byte, messageMax+1)} {
		before := s.Counts().Dropped
		if s.message(p, b); s.Counts().Dropped != before+1 {
			t.Errorf("%d bytes were taken", len(b))
		}
	}
	n.got[2] = nil
	for range 2 * burst {
		s.message(p, []byte{byte(mechanism.Update), 1})
	}
	if got := len(n.got[2]); got > burst {
		t.Errorf("%d datagrams were taken at once", got)
	}
	for id := mechanism.NodeID(10); id < 10+2*peersMax; id++ {
		s.Signal(id, (&signal{kind: answer, number: 1, text: "x"}).append(nil))
	}
	if len(s.peers) > peersMax {
		t.Errorf("%d peers are remembered", len(s.peers))
	}
}

func FuzzSignal(f *testing.F) {
	f.Add((&signal{offer, 7, "v=0"}).append(nil))
	f.Add((&signal{kind: invite}).append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, ok := readSignal(b)
		if !ok {
			return
		}
		if again, ok := readSignal(s.append(nil)); !ok || again != s {
			t.Errorf("%+v is read as %+v", s, again)
		}
	})
}
