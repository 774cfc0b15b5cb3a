package mechanismtest

import (
	"strings"
	"testing"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// gossip is a mechanism for testing the tests: peers tell each other what they do, at once, and carry out what they are
// told when they hear it. Each of its faults breaks one promise.
type gossip struct {
	fault string
	built int
}

func (g *gossip) Places(w world.World) []mechanism.Place {
	places := mechanism.Peers(w)
	if g.fault == "layout" {
		places[1].User = 1
	}
	return append(places, mechanism.Place{ID: mechanism.NodeID(len(places) + 1), Role: "server"})
}

func (g *gossip) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if p.User == 0 {
		return &mute{}, nil
	}
	g.built++
	n := &gossiper{Replica: mechanism.NewReplica(s.World, s.Start), fault: g.fault, built: g.built, start: s.Start}
	for _, peer := range s.Others(p.ID) {
		if int(peer) <= int(s.World.Users()) {
			n.peers = append(n.peers, peer)
		}
	}
	return n, nil
}

// mute is a server that does nothing: the suite must cope with nodes that have no user.
type mute struct{}

func (*mute) Receive(world.Time, mechanism.Message, *mechanism.Outbox) {}
func (*mute) Wake(world.Time, *mechanism.Outbox)                       {}

type gossiper struct {
	mechanism.Replica
	fault string
	built int
	start *world.State
	peers []mechanism.NodeID
	kept  []byte
	out   *mechanism.Outbox
	buf   []byte
	act   world.Action // where the rules may point to it without its moving to the heap
	waste []byte
}

func (n *gossiper) View() *world.State {
	if n.fault == "looking" {
		n.State.SetTick(n.State.Tick() + 1)
	}
	return n.State
}

func (n *gossiper) Wake(now world.Time, out *mechanism.Outbox) {
	length := n.World.Schema().Tick
	for n.State.Tick() < mechanism.TickAt(now, length) {
		n.Advance()
	}
	switch n.fault {
	case "repeatable":
		out.Charge(world.Work(n.built))
	case "start":
		n.start.Edit(1).Attr[0]++
	case "silence":
		out.Send(n.peers[0], mechanism.Control, []byte("hello"))
	case "payload":
		if len(n.kept) > 0 {
			out.Charge(world.Work(n.kept[0]))
		}
	case "outbox":
		if n.out != nil {
			out.Charge(world.Work(n.out.Sends()))
		}
		n.out = out
	case "allocation":
		n.waste = make([]byte, 100)
	case "restless":
		out.WakeAt(now + world.Millisecond)
		return
	case "tardiness":
		if n.World.Schema().Tick*world.Time(n.State.Tick()) != now {
			panic("woken late")
		}
	}
	out.WakeAt(mechanism.TimeOf(n.State.Tick()+1, length))
}

func (n *gossiper) Act(_ world.Time, a world.Action, out *mechanism.Outbox) {
	n.act = a
	n.Do(&n.act)
	n.buf = world.AppendAction(n.buf[:0], &a)
	out.SendAll(n.peers, mechanism.Command, n.buf)
	if n.fault != "items" {
		out.Count(mechanism.Command, len(n.peers))
	}
	if n.fault != "effect" {
		out.Report(mechanism.Event{Name: mechanism.Applied, User: a.User, Seq: a.Seq})
	}
}

func (n *gossiper) Receive(_ world.Time, m mechanism.Message, out *mechanism.Outbox) {
	known := false
	for _, peer := range n.peers {
		known = known || peer == m.From
	}
	if !known && n.fault != "strangers" {
		return
	}
	if n.fault == "payload" {
		n.kept = m.Payload
	}
	r := wire.NewReader(m.Payload)
	a := world.ReadAction(&r)
	bad := r.Done() != nil || n.World.Schema().CheckAction(&a) != nil
	if bad && n.fault != "damage" {
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	}
	switch {
	case bad && n.fault == "garbage":
		n.State.SetTick(0)
	case bad && n.fault == "damage":
		panic("what is this?")
	case !bad && n.fault != "agreement":
		n.act = a
		n.Do(&n.act)
	}
}

func TestConformAcceptsWhatConforms(t *testing.T) {
	Conform(t, &gossip{}, Options{})
}

func TestConformFindsEachFault(t *testing.T) {
	for _, c := range []struct{ fault, check, says string }{
		{"layout", "layout", "user 1 has 2 nodes"},
		{"repeatable", "repeatable", "differs"},
		{"looking", "looking", "differs"},
		{"start", "start", "changed"},
		{"payload", "payload", "differs"},
		{"outbox", "outbox", "differs"},
		{"strangers", "strangers", "as from node"},
		{"garbage", "garbage", "changed the view"},
		{"damage", "damage", "panic"},
		{"tardiness", "tardiness", "woken late"},
		{"effect", "effect", "reported 0 times"},
		{"items", "items", "and 0 commands"},
		{"silence", "silence", "sends a control"},
		{"restless", "silence", "woken"},
		{"agreement", "agreement", "instead of"},
		{"", "agreement", "instead of"}, // gossip promises no agreement
		{"", "healing", "instead of"},
		{"allocation", "allocation", "allocations"},
	} {
		t.Run(c.fault+" "+c.check, func(t *testing.T) {
			s := suite{mechanism: &gossip{fault: c.fault}, Options: Options{Agrees: Exactly, Heals: true}}
			s.fill()
			for _, known := range checks {
				if known.name != c.check {
					continue
				}
				err := s.try(known.check)
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("found %v, want %q", err, c.says)
				}
				return
			}
			t.Fatalf("no check %q", c.check)
		})
	}
}
