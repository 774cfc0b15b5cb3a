package aos

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// saidDeal is a message about a deal as the coordinator of these tests sent it.
type saidDeal struct {
	to   int
	kind byte
	yes  bool
}

// coordinator is the server of the first of three areas, with a deal that all three have a part in.
type coordinator struct {
	*server
	deal *deal
	said []saidDeal
	out  mechanism.Outbox
}

func newCoordinator(t *testing.T, hops int) *coordinator {
	t.Helper()
	config := param.Default[Config]()
	config.Columns, config.Rows = 3, 1
	rig, err := mechanismtest.NewRig(&config, newTraders(3, 2000*fixed.One), 1)
	if err != nil {
		t.Fatal(err)
	}
	rig.Network = mechanismtest.Constant(world.Millisecond)
	rig.Start()
	rig.Advance(world.Second)
	c := &coordinator{server: rig.Node(config.servers().Of(0)).(*server)}
	c.commits.say = func(_ world.Time, to int, msg []byte, _ *mechanism.Outbox) {
		r := wire.NewReader(msg)
		kind, _ := r.Byte(), r.Uint()
		c.said = append(c.said, saidDeal{to, kind, kind == kindDecide && readFlag(&r)})
	}
	c.turns.queue = nil
	c.deal = c.commits.ledger.open(rig.Now(), hops, &world.Action{User: 1, Seq: 7, Verb: verbWalk}, []part{{area: 0, voted: true}, {area: 1}, {area: 2}})
	return c
}

func (c *coordinator) vote(from int, yes bool) {
	c.commits.count(world.Second, from, c.deal.number, yes, nil, &c.out)
}

func TestADealNeedsEverybodysVote(t *testing.T) {
	c := newCoordinator(t, 0)
	c.vote(1, true)
	if c.deal.decided || len(c.said) > 0 {
		t.Fatalf("with one of two votes: decided %v, said %v", c.deal.decided, c.said)
	}
	c.vote(1, true) // once more
	if c.deal.decided {
		t.Fatal("decided by the same vote twice")
	}
	c.vote(2, true)
	if !c.deal.decided || len(c.said) != 2 || c.said[0] != (saidDeal{1, kindDecide, true}) || c.said[1] != (saidDeal{2, kindDecide, true}) {
		t.Errorf("with both votes: decided %v, said %v", c.deal.decided, c.said)
	}
	if len(c.turns.queue) != 0 {
		t.Error("what is decided is tried again")
	}
}

func TestOneNoEndsADealAndItIsTriedAgain(t *testing.T) {
	for _, hops := range []int{0, hopsMax - 1, hopsMax} {
		c := newCoordinator(t, hops)
		c.vote(1, true)
		c.vote(2, false)
		if c.deal.decided || c.commits.ledger.deal(c.deal.number) != nil {
			t.Errorf("decided %v, and known still", c.deal.decided)
		}
		if len(c.said) != 2 || c.said[0] != (saidDeal{1, kindDecide, false}) || c.said[1] != (saidDeal{2, kindDecide, false}) {
			t.Errorf("said %v", c.said)
		}
		queue := c.turns.queue
		switch {
		case hops >= hopsMax && len(queue) != 0:
			t.Errorf("after %d times it is tried again", hops)
		case hops < hopsMax && (len(queue) != 1 || queue[0].hops != hops+1 || queue[0].action.Seq != 7):
			t.Errorf("after %d times this is tried: %+v", hops, queue)
		}
		// Who votes for what is given up is told so, and nobody else is.
		c.said = nil
		c.vote(1, true)
		c.vote(2, false)
		if len(c.said) != 1 || c.said[0] != (saidDeal{1, kindDecide, false}) {
			t.Errorf("said afterwards %v", c.said)
		}
	}
}

// A promotion whose area changes much goes through as many rounds as it may, each from where the last one left off.
func TestEveryRoundBeginsWhereTheLastEnded(t *testing.T) {
	for _, rounds := range []int{0, 2} {
		config := param.Default[Config]()
		config.Columns, config.Rows, config.Rounds, config.Difference = 1, 1, rounds, 0
		rig, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(2), 1)
		if err != nil {
			t.Fatal(err)
		}
		rig.Network = mechanismtest.Constant(world.Millisecond)
		rig.Start()
		rig.Advance(world.Second)
		n := rig.Node(config.servers().Of(0)).(*server)
		p := &promotion{member: n.members.At(n.members.simulating[0]), base: n.replica.state().Clone(), window: windowFirst}
		var out mechanism.Outbox
		for round := 1; round <= rounds; round++ {
			n.replica.state().Edit(1).Pos.X += fixed.One
			n.nextRound(rig.Now(), p, &out)
			if p.round != round || p.ready {
				t.Fatalf("round %d of %d: in round %d, ready %v", round, rounds, p.round, p.ready)
			}
			if p.base.Hash() != n.replica.state().Hash() {
				t.Fatalf("round %d does not end with the area as it is", round)
			}
		}
		n.replica.state().Edit(1).Pos.X += fixed.One
		n.nextRound(rig.Now(), p, &out)
		if p.round != rounds || !p.ready {
			t.Errorf("after %d rounds: in round %d, ready %v", rounds, p.round, p.ready)
		}
	}
}

// More clients want to give an area up than may within a window: who is beyond the quota is told to ask later, who cannot keep up
// goes at once.
func TestDemotionsAreLimited(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows, config.Demotions = 1, 1, 2
	rig, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(4), 1)
	if err != nil {
		t.Fatal(err)
	}
	rig.Network = mechanismtest.Constant(world.Millisecond)
	rig.Start()
	rig.Advance(world.Second)
	n := rig.Node(config.servers().Of(0)).(*server)
	var out mechanism.Outbox
	wish := func(now world.Time, what byte) {
		r := wire.NewReader([]byte{what})
		if !n.takeWish(now, n.members.At(n.members.simulating[0]), &r, &out) {
			t.Fatal("a wish that makes no sense")
		}
	}
	for i, want := range []int{3, 2, 2} {
		if wish(rig.Now(), 0); len(n.members.simulating) != want {
			t.Fatalf("after %d wishes %d simulate the area, want %d", i+1, len(n.members.simulating), want)
		}
	}
	if wish(rig.Now(), wishResign); len(n.members.simulating) != 1 {
		t.Error("who cannot keep up has to wait")
	}
	if wish(rig.Now()+config.Window, 0); len(n.members.simulating) != 0 {
		t.Error("nobody may go in the next window")
	}
}

// What a client says is on screen counts by how long it was there.
func TestWhatIsOnScreenIsSimulated(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows, config.Areas, config.Window, config.Spatial = 3, 1, 2, 2*world.Second, 0
	rig, err := mechanismtest.NewRig(&config, newTraders(2, 100*fixed.One), 1)
	if err != nil {
		t.Fatal(err)
	}
	rig.Network = mechanismtest.Constant(5 * ms)
	rig.Start()
	rig.Advance(world.Second)
	for _, p := range rig.Session.Places {
		c, ok := rig.Node(p.ID).(*client)
		if !ok {
			continue
		}
		for i := range 3 {
			if i == c.manager.base { // which it keeps whatever happens
				continue
			}
			var out mechanism.Outbox
			c.Watch(rig.Now(), c.plan.Box(i).Grow(-fixed.One), &out)
			rig.Advance(3 * config.Window)
			for k, a := range c.Areas(nil) {
				if (a.Role == mechanism.Simulated) != (k == i || k == c.manager.base) {
					t.Errorf("user %d looks at area %d and began in %d; area %d it treats as %d", p.User, i, c.manager.base, k, a.Role)
				}
			}
		}
	}
}
