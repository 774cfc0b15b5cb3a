package zonal

import (
	"testing"

	"throng/internal/param"
	"throng/internal/testworlds"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// The claims of the source, by its sections.

const first = mechanism.NodeID(2) // the first peer, where there is one zone

// grove is a run in one zone, with so many peers.
func grove(t *testing.T, users world.User, change func(*Config)) *mechanismtest.Rig {
	t.Helper()
	return groveIn(t, mechanismtest.Marbles(users), change)
}

// lively is one in which everybody moves, and users may come and go.
func lively(t *testing.T, users world.User, change func(*Config)) *mechanismtest.Rig {
	t.Helper()
	return groveIn(t, testworlds.Dense(t, int(users)), change)
}

// play lets the users of a run act for a time.
func play(r *mechanismtest.Rig, span world.Time) { r.Play(int(span / r.World.Schema().Tick)) }

func groveIn(t *testing.T, w world.World, change func(*Config)) *mechanismtest.Rig {
	t.Helper()
	c := param.Default[Config]()
	c.Zones = 1
	if change != nil {
		change(&c)
	}
	r, err := mechanismtest.NewRig(&c, w, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Network = mechanismtest.Constant(15 * world.Millisecond)
	return r
}

func at(r *mechanismtest.Rig, id mechanism.NodeID) *peer { return r.Node(id).(*peer) }

// events collects what nodes report.
func events(r *mechanismtest.Rig, name string) *[]mechanism.Event {
	var all []mechanism.Event
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if e.Name == name {
				all = append(all, e)
			}
		}
	}
	return &all
}

// Table 1: who joins chooses the nearer of two parents, and keeps the other as backup.
func TestTheNearerParentIsChosen(t *testing.T) {
	r := grove(t, 3, func(c *Config) { c.Root = 2 })
	newcomer := first + 2
	r.Network = func(m mechanism.Message) (world.Time, bool) {
		switch {
		case m.From == newcomer && m.To == first || m.From == first && m.To == newcomer:
			return 19 * world.Millisecond, false
		case m.From == newcomer && m.To == first+1 || m.From == first+1 && m.To == newcomer:
			return 10 * world.Millisecond, false
		}
		return 15 * world.Millisecond, false
	}
	r.Start()
	r.Leave(newcomer) // the two others fill the root
	r.Advance(2 * world.Second)
	if err := r.Join(newcomer); err != nil {
		t.Fatal(err)
	}
	r.Advance(2 * world.Second)
	if n := at(r, newcomer); n.seat.parent.to != first+1 || n.seat.backup.id != first {
		t.Errorf("its parent is node %d and its backup node %d", n.seat.parent.to, n.seat.backup.id)
	}
}

// chain builds a tree of one branch and returns the peers from the root down.
func chain(t *testing.T, r *mechanismtest.Rig, users world.User) (down []*peer) {
	t.Helper()
	r.Start()
	play(r, 5*world.Second)
	for level := 1; level <= int(users); level++ {
		for id := first; id < first+mechanism.NodeID(users); id++ {
			if n := at(r, id); n.seat.attached() && len(n.path)-1 == level {
				down = append(down, n)
			}
		}
	}
	if len(down) != int(users) {
		t.Fatalf("%d of %d peers are in the chain", len(down), users)
	}
	return down
}

// Sections 3.2.2 and 4.1.4: when a node leaves, its child turns to the backup, and what hangs on the child stays as it is.
func TestSubtreesStayWhole(t *testing.T) {
	for name, leave := range map[string]func(*mechanismtest.Rig, mechanism.NodeID){
		"goodbye": (*mechanismtest.Rig).Bid,
		"crash":   (*mechanismtest.Rig).Leave,
	} {
		t.Run(name, func(t *testing.T) {
			r := grove(t, 4, func(c *Config) { c.Root, c.Degree = 1, 1 })
			down := chain(t, r, 4)
			joins := events(r, mechanism.Joined)
			leave(r, down[1].id)
			r.Advance(5 * world.Second)
			if got := down[2].seat.parent.to; got != down[0].id && got != 1 {
				t.Errorf("the orphan hangs on node %d", got)
			}
			if down[3].seat.parent.to != down[2].id || len(*joins) > 1 {
				t.Errorf("the orphan's child hangs on node %d, and %d have joined anew", down[3].seat.parent.to, len(*joins))
			}
		})
	}
}

// Table 2: turning to the backup takes one round trip, joining three.
func TestTheBackupTakesOneRoundTrip(t *testing.T) {
	r := grove(t, 6, func(c *Config) { c.Root = 2 })
	joined := events(r, mechanism.Joined)
	r.Start()
	r.Advance(5 * world.Second)
	const trip = 30 * world.Millisecond
	if e := (*joined)[0]; world.Time(e.Value) != 3*trip {
		t.Errorf("joining took %v", world.Time(e.Value))
	}
	activated := events(r, mechanism.Activated)
	for id := first; id < first+6; id++ {
		if len(at(r, id).children) > 0 {
			r.Bid(id)
			break
		}
	}
	r.Advance(world.Second)
	if len(*activated) == 0 || world.Time((*activated)[0].Value) != trip {
		t.Errorf("activations: %v", *activated)
	}
}

// Section 4.1.4: a parent gives up its child after two missed keep-alives, a child its parent after three.
func TestWhoVanishesIsMissed(t *testing.T) {
	r := grove(t, 3, func(c *Config) { c.Root, c.Degree = 1, 1 })
	down := chain(t, r, 3)
	left := r.Now()
	var parent, child world.Time // when they have given up
	r.Observe = func(c *mechanismtest.Call) {
		if parent == 0 && len(down[0].children) == 0 {
			parent = r.Now() - left
		}
		if child == 0 && down[2].seat.parent.to != down[1].id {
			child = r.Now() - left
		}
	}
	r.Leave(down[1].id)
	r.Advance(5 * world.Second)
	const beat = world.Second // what was last heard may be one old
	if parent < beat || parent > 2*beat+beat/2 || child < 2*beat || child > 3*beat+beat/2 || child <= parent {
		t.Errorf("the parent gives up after %v, the child after %v", parent, child)
	}
	if p := down[2].seat.parent.to; p == down[1].id || p == 0 {
		t.Errorf("the child hangs on node %d", p)
	}
}

// Section 3.1.2: who has no upload is nobody's parent, and who has some feeds no more than it can.
func TestOutDegrees(t *testing.T) {
	r := grove(t, 12, func(c *Config) { c.Root, c.Degree, c.Receivers = 3, 2, 1<<23 })
	r.Start()
	r.Advance(20 * world.Second)
	for id := first; id < first+12; id++ {
		if n := at(r, id); len(n.children) > n.degree || !n.seat.attached() {
			t.Errorf("node %d feeds %d of %d, and its parent is %d", id, len(n.children), n.degree, n.seat.parent.to)
		}
	}
}

// Section 3.3.2: a tree with more nodes than its levels have room for says so.
func TestOverload(t *testing.T) {
	for users, want := range map[world.User]int{6: 0, 7: 1} { // 2^3 − 2
		r := grove(t, users, func(c *Config) { c.Root, c.Degree, c.Levels = 2, 2, 2 })
		reports := events(r, mechanism.Overloaded)
		r.Start()
		r.Advance(10 * world.Second)
		if len(*reports) != want {
			t.Errorf("%d users: %d reports of overload", users, len(*reports))
		}
	}
}
