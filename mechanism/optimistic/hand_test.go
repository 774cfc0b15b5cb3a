package optimistic

import (
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/world"
)

// hand is a node in the hands of a test, and its peers' ends of their links.
type hand struct {
	*node
	t     *testing.T
	now   world.Time
	out   mechanism.Outbox
	peers map[mechanism.NodeID]*link.Layer
	seq   map[world.User]uint32
	work  world.Work // charged so far
}

// take returns the node of a user among three, or however many the place asks for.
func take(t *testing.T, user world.User, change func(*Config)) *hand {
	cfg := param.Default[Config]()
	if change != nil {
		change(&cfg)
	}
	s := session(newStrip(max(3, user), 5))
	n, err := cfg.NewNode(s, s.Places[user-1])
	if err != nil {
		t.Fatal(err)
	}
	h := &hand{node: n.(*node), t: t, peers: map[mechanism.NodeID]*link.Layer{}, seq: map[world.User]uint32{}}
	peers := cfg.Link
	peers.Batching = 0
	for _, p := range s.Places {
		h.peers[p.ID] = link.New(peers, p.ID, 0)
		h.peers[p.ID].Expect(func(mechanism.NodeID) bool { return true })
	}
	h.Wake(0, &h.out)
	return h
}

// events takes what was reported, as text.
func (h *hand) events() string {
	var all []string
	for _, e := range h.out.Events() {
		text := e.Name
		if e.User != 0 {
			text += fmt.Sprintf(" %d.%d", e.User, e.Seq)
		}
		if e.Value != 0 {
			text += fmt.Sprintf(" (%d)", e.Value)
		}
		all = append(all, text)
	}
	h.work += h.out.Work()
	h.out.Reset()
	return strings.Join(all, ", ")
}

// until lets time pass up to a tick and returns what was reported.
func (h *hand) until(tick world.Tick) string {
	for h.tick < tick {
		h.now += h.length
		h.Wake(h.now, &h.out)
	}
	return h.events()
}

// act lets the node's user write a digit.
func (h *hand) act(digit int64) string {
	a := write(digit)
	h.seq[h.place.User]++
	a.User, a.Seq = h.place.User, h.seq[h.place.User]
	h.Act(h.now, a, &h.out)
	return h.events()
}

// hear lets news come that another user writes a digit in a tick.
func (h *hand) hear(user world.User, tick world.Tick, digit int64) string {
	h.seq[user]++
	a := write(digit)
	a.User, a.Seq = user, h.seq[user]
	return h.message(mechanism.NodeID(user), appendNews(tick, &a))
}

// appendNews writes what a node tells of its own user's action.
func appendNews(tick world.Tick, a *world.Action) []byte {
	return (&news{tick: tick, action: *a}).append(nil)
}

// message lets a message come over the link from a peer.
func (h *hand) message(from mechanism.NodeID, payload []byte) string {
	var out mechanism.Outbox
	h.peers[from].Send(h.now, h.place.ID, mechanism.Command, payload, link.Reliable, &out)
	h.Receive(h.now, out.Message(0, from), &h.out)
	return h.events()
}

func (h *hand) shows(tick world.Tick, text int64) {
	h.t.Helper()
	s := h.View()
	if got := s.Get(1).Attr[attrText]; got != text || s.Tick() != tick {
		h.t.Errorf("the view of tick %d says %d, not %d of tick %d", s.Tick(), got, text, tick)
	}
}

func (h *hand) reports(got, want string) {
	h.t.Helper()
	if got != want {
		h.t.Errorf("reported %q, not %q", got, want)
	}
}
