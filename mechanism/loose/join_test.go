package loose

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/latejoin"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// newcomer builds a node that takes the place of node 2 and has no world yet.
func newcomer(t testing.TB, r *mechanismtest.Rig) *node {
	t.Helper()
	s := *r.Session
	s.Late, s.Epoch = true, 1
	n, err := r.Mechanism.NewNode(&s, s.Places[1])
	if err != nil {
		t.Fatal(err)
	}
	return n.(*node)
}

func snapshotOf(r *mechanismtest.Rig, id mechanism.NodeID) []byte {
	return r.Node(id).(*node).appendSnapshot(nil)
}

func TestNewcomerKnowsWhatItsGuideKnew(t *testing.T) {
	r := newQuiet(t, 3)
	r.Network = mechanismtest.Constant(20 * world.Millisecond)
	r.Play(100)
	guide := r.Node(3).(*node)
	n := newcomer(t, r)
	if err := n.settleIn(r.Now(), snapshotOf(r, 3)); err != nil {
		t.Fatal(err)
	}
	if n.replica.State.Hash() != guide.View().Hash() || n.tick() != guide.tick() {
		t.Error("its world is another one")
	}
	if len(n.ledger.entries) != len(guide.ledger.entries) {
		t.Fatalf("it remembers %d objects, its guide %d", len(n.ledger.entries), len(guide.ledger.entries))
	}
	for i, e := range n.ledger.entries {
		g := guide.ledger.entries[i]
		if e.id != g.id || e.heard != g.heard || e.told != g.told || e.mine || e.again > 0 {
			t.Errorf("%+v, where its guide has %+v", e, g)
		}
	}
}

// An update that the guide had heard before the newcomer came does not take effect again, nor does one bring back what is gone.
func TestStaleUpdatesAfterJoining(t *testing.T) {
	r := newQuiet(t, 3)
	r.Advance(20 * tick)
	marble := *r.View(3).Get(1)
	gone := world.Object{ID: 99, Kind: mechanismtest.Pebble, User: 1}
	gone.Attr[mechanismtest.PebbleLeft] = 20
	moved := marble
	moved.Pos.X += 5 * fixed.One
	give(r, 1, 3, datagram(r, 15, nil, moved, gone))
	give(r, 1, 3, datagram(r, 16, []world.ID{99}))
	r.Advance(tick)
	n := newcomer(t, r)
	if err := n.settleIn(r.Now(), snapshotOf(r, 3)); err != nil {
		t.Fatal(err)
	}
	var out mechanism.Outbox
	n.Wake(r.Now(), &out)
	n.Receive(r.Now(), mechanism.Message{From: 1, To: 2, Payload: datagram(r, 14, nil, marble, gone)}, &out)
	if got := n.View().Get(1).Pos.X; got != moved.Pos.X {
		t.Errorf("the marble is back at %v", got)
	}
	if n.View().Get(99) != nil {
		t.Error("the pebble is back")
	}
}

func TestCatchingUpTakesSeveralCalls(t *testing.T) {
	r := newQuiet(t, 3)
	n := newcomer(t, r)
	if err := n.settleIn(0, snapshotOf(r, 3)); err != nil {
		t.Fatal(err)
	}
	const behind = 2*latejoin.TicksMax + 1
	now := behind * tick
	var out mechanism.Outbox
	for want := world.Tick(latejoin.TicksMax); want < behind; want += latejoin.TicksMax {
		n.Receive(now, mechanism.Message{From: 3, To: 2, Payload: datagram(r, behind, nil)}, &out) // which is for those who are there
		out.Reset()
		n.Wake(now, &out)
		if at, asked := out.Wake(); n.Ready() || n.tick() != want || !asked || at != now || out.Sends() > 0 {
			t.Fatalf("at tick %d, to be woken at %v, %d datagrams", n.tick(), at, out.Sends())
		}
		if n.View().Tick() != 0 {
			t.Error("the view shows the past")
		}
	}
	n.Wake(now, &out)
	if !n.Ready() || n.View().Tick() != behind {
		t.Errorf("at tick %d, ready: %t", n.tick(), n.Ready())
	}
}

func TestSnapshotsThatAreRefused(t *testing.T) {
	r := newQuiet(t, 3)
	const present = 2000
	now := present * tick
	snapshot := func(seed uint64, at world.Tick, entries ...uint64) []byte {
		s := world.NewState(r.World.Schema(), seed)
		r.World.Populate(s)
		s.SetTick(at)
		text := s.Append(nil)
		for _, e := range entries {
			text = wire.AppendUint(text, e)
		}
		return text
	}
	for name, text := range map[string][]byte{
		"another world":           snapshot(2, present, 0),
		"one to come":             snapshot(1, present+21, 0),
		"one of long ago":         snapshot(1, present-1201, 0),
		"an update to come":       snapshot(1, present, 1, (present+20+2)<<1, 0),
		"a list without end":      snapshot(1, present, 1, 5<<1),
		"something after the end": snapshot(1, present, 0, 0),
		"nothing":                 nil,
	} {
		n := newcomer(t, r)
		if n.settleIn(now, text) == nil {
			t.Errorf("%s is accepted", name)
		}
		if n.tick() != 0 || n.View().Hash() != r.Session.Start.Hash() {
			t.Errorf("%s: something is left of it", name)
		}
		for _, at := range []world.Tick{present - 1200, present + 20} {
			if err := n.settleIn(now, snapshot(1, at, 1, (present+20+1)<<1|1, 0)); err != nil {
				t.Errorf("one of tick %d: %v", at, err)
			}
			n = newcomer(t, r)
		}
	}
}

// TestTakeOversHeal lets places change hands over a bad network. When all is quiet, all agree again.
func TestTakeOversHeal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := param.Default[Config]()
		users := world.User(rapid.IntRange(2, 4).Draw(t, "users"))
		r, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(users), rapid.Uint64().Draw(t, "world"))
		if err != nil {
			t.Fatal(err)
		}
		seed, loss := rapid.Uint64().Draw(t, "seed"), rapid.Uint64Max(30).Draw(t, "loss")
		r.Network = mechanismtest.Unsteady(seed, 300*world.Millisecond, loss)
		r.Observe = func(c *mechanismtest.Call) {
			if slices.ContainsFunc(c.Out.Events(), func(e mechanism.Event) bool { return e.Name == mechanism.Malformed }) {
				t.Fatalf("node %d cannot read a message", c.Node)
			}
		}
		r.Start()
		for range rapid.IntRange(1, 6).Draw(t, "rounds") {
			r.Play(rapid.IntRange(1, 60).Draw(t, "ticks"))
			id := mechanism.NodeID(rapid.IntRange(1, int(users)).Draw(t, "node"))
			known := slices.ContainsFunc(r.Session.Places, func(p mechanism.Place) bool { return p.ID != id && r.Ready(p.ID) })
			if !known {
				continue
			}
			r.Leave(id)
			r.Play(rapid.SampledFrom([]int{0, 0, 1, 10}).Draw(t, "vacant"))
			if err := r.Join(id); err != nil {
				t.Fatal(err)
			}
		}
		r.Network = mechanismtest.Constant(20 * world.Millisecond)
		r.Advance(10 * world.Second)
		for _, p := range r.Session.Places {
			if !r.Ready(p.ID) {
				t.Fatalf("node %d is not ready", p.ID)
			}
			if err := mechanismtest.Alike(r.Client(1), r.Client(p.ID), mechanismtest.Roughly); err != nil {
				t.Fatalf("node %d: %v", p.ID, err)
			}
		}
	})
}

// Where all are new, nobody is left who knows the world: the first one begins it again.
func TestLostWorldBeginsAgain(t *testing.T) {
	r := newQuiet(t, 3)
	r.Network = mechanismtest.Constant(20 * world.Millisecond)
	r.Play(100)
	var restarted []mechanism.NodeID
	r.Observe = func(c *mechanismtest.Call) {
		if slices.ContainsFunc(c.Out.Events(), func(e mechanism.Event) bool { return e.Name == mechanism.Restarted }) {
			restarted = append(restarted, c.Node)
		}
	}
	for _, p := range r.Session.Places {
		r.Leave(p.ID)
	}
	for _, p := range r.Session.Places {
		if err := r.Join(p.ID); err != nil {
			t.Fatal(err)
		}
	}
	r.Advance(8 * world.Second)
	if !slices.Equal(restarted, []mechanism.NodeID{1}) {
		t.Errorf("begun again by %v", restarted)
	}
	for _, p := range r.Session.Places {
		if !r.Ready(p.ID) || r.View(p.ID).Tick() != 100+8*20 {
			t.Errorf("node %d is at tick %d, ready: %t", p.ID, r.View(p.ID).Tick(), r.Ready(p.ID))
		}
	}
}

// FuzzJoin lets anything come that begins as messages from and to newcomers do. Life goes on.
func FuzzJoin(f *testing.F) {
	r := newQuiet(f, 3)
	r.Advance(world.Second)
	n := newcomer(f, r)
	var out mechanism.Outbox
	n.Wake(r.Now(), &out)
	ask := bytes.TrimPrefix(out.Message(0, 2).Payload, joinMark)
	f.Add(slices.Clone(ask))
	r.Node(3).Receive(r.Now(), mechanism.Message{From: 2, To: 3, Payload: slices.Concat(joinMark, ask)}, &out)
	f.Add(bytes.TrimPrefix(out.Message(1, 3).Payload, joinMark))
	f.Fuzz(func(t *testing.T, message []byte) {
		r := newQuiet(t, 3)
		r.Advance(world.Second)
		payload := slices.Concat(joinMark, message)
		n := newcomer(t, r)
		var out mechanism.Outbox
		n.Wake(r.Now(), &out)
		n.Receive(r.Now(), mechanism.Message{From: 3, To: 2, Payload: payload}, &out)
		for now := r.Now(); now < 3*world.Second; now += tick {
			n.Wake(now, &out)
		}
		give(r, 2, 3, payload)
		r.Advance(world.Second)
	})
}

// FuzzSnapshot lets anything come as a snapshot. What is accepted is a world to live in.
func FuzzSnapshot(f *testing.F) {
	r := newQuiet(f, 3)
	f.Add(snapshotOf(r, 3))
	r.Network = mechanismtest.Constant(0)
	r.Play(40)
	f.Add(snapshotOf(r, 3))
	f.Fuzz(func(t *testing.T, text []byte) {
		n := newcomer(t, r)
		now := r.Now()
		if n.settleIn(now, text) != nil {
			return
		}
		var out mechanism.Outbox
		for range 40 {
			n.Wake(now, &out)
			now += tick
		}
		if !n.Ready() {
			t.Error("not ready")
		}
	})
}

// inn is a world that users come to and leave.
type inn struct{ world.World }

func (inn) Enter(w *world.Window, u world.User) {
	if w.Get(world.ID(u)) == nil {
		w.Put(world.Object{ID: world.ID(u), User: u, Kind: mechanismtest.Marble, Pos: fixed.Vec{X: 30 * fixed.One, Y: 30 * fixed.One}})
	}
}

func (inn) Leave(w *world.Window, u world.User) { w.Remove(world.ID(u)) }

// The user of a host that falls silent leaves every other view, once patience is over, and is back with the host.
func TestSilentHostsUserLeaves(t *testing.T) {
	c := param.Default[Config]()
	r := mechanismtest.StartRig(t, &c, inn{mechanismtest.Marbles(3)}, 20*world.Millisecond)
	r.Advance(5 * world.Second)
	r.Leave(2)
	r.Advance(c.Patience - world.Second)
	if r.View(1).Get(2) == nil {
		t.Error("patience is over too soon")
	}
	r.Advance(2 * world.Second)
	for _, id := range []mechanism.NodeID{1, 3} {
		if s := r.View(id); s.Get(2) != nil || s.Get(1) == nil || s.Get(3) == nil {
			t.Errorf("node %d sees who is gone, or not who is there", id)
		}
	}
	if err := r.Join(2); err != nil {
		t.Fatal(err)
	}
	r.Advance(world.Second)
	r.Act(2, world.Action{Verb: world.Enter})
	r.Advance(c.Patience + 2*world.Second)
	for id := mechanism.NodeID(1); id <= 3; id++ {
		if r.View(id).Get(2) == nil {
			t.Errorf("node %d does not see who is back", id)
		}
	}
	r.Leave(2)
	r.Advance(c.Patience + 2*world.Second)
	if r.View(1).Get(2) != nil {
		t.Error("who is silent for the second time stays")
	}
}

// TestHostsRollTheirOwnDice: what a host is going to draw for the things that it answers for, no other one knows: neither those
// of the beginning nor one that has learnt its world from another.
func TestHostsRollTheirOwnDice(t *testing.T) {
	r := newQuiet(t, 3)
	r.Advance(20 * tick)
	late := newcomer(t, r)
	if err := late.settleIn(r.Now(), snapshotOf(r, 3)); err != nil {
		t.Fatal(err)
	}
	drawn := map[uint64]bool{}
	for _, n := range []*node{r.Node(1).(*node), late, r.Node(3).(*node)} {
		s := n.replica.Window.Random(1, 0)
		drawn[s.Uint64()] = true
	}
	if len(drawn) != 3 {
		t.Errorf("three hosts have drawn %d different numbers", len(drawn))
	}
}
