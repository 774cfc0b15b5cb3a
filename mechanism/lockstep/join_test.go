package lockstep

import (
	"testing"

	"pgregory.net/rapid"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/random"
)

// One who joins is let in without anybody waiting, be the world larger than a datagram.
func TestJoiningStopsNobody(t *testing.T) {
	r := rig(t, large{mechanismtest.Marbles(3)}, nil)
	r.Start()
	r.Play(20)
	if err := r.Join(3); err != nil { // in the place of somebody who is waited for until then
		t.Fatal(err)
	}
	r.Play(60)
	r.Leave(3)
	r.Play(100) // until nobody waits for them any more
	all := watch(r)
	if err := r.Join(3); err != nil {
		t.Fatal(err)
	}
	for ticks := 0; !r.Ready(3); ticks++ {
		if r.Play(1); ticks > 100 {
			t.Fatal("the newcomer never gets there")
		}
	}
	r.Play(100)
	r.Advance(world.Second)
	wantInStep(t, r)
	for _, id := range []mechanism.NodeID{1, 2, 4} {
		if got := all.by(id, mechanism.Stalled); len(got) > 0 {
			t.Errorf("node %d waits: %v", id, got)
		}
	}
	if len(all.by(3, mechanism.Applied)) == 0 {
		t.Error("the newcomer sees nobody act")
	}
}

// large has so many objects that a snapshot takes many datagrams.
type large struct{ world.World }

func (w large) Populate(s *world.State) {
	w.World.Populate(s)
	for i := range world.ID(2000) {
		s.Put(world.Object{ID: 1000 + i, Kind: mechanismtest.Pebble, Attr: [world.MaxAttributes]int64{30}})
	}
}

func (w large) Step(v *world.Window) {
	w.World.Step(v)
	for i := range world.ID(2000) {
		if v.Get(1000+i) == nil {
			v.Put(world.Object{ID: 1000 + i, Kind: mechanismtest.Pebble, Attr: [world.MaxAttributes]int64{1 + int64(i)%30}})
		}
	}
}

// One who is silent for too long comes back by a snapshot. In a world that users can leave they have left meanwhile, and are
// back with their node.
func TestSilentOneComesBack(t *testing.T) {
	r := rig(t, hotel{mechanismtest.Marbles(3)}, nil)
	all := watch(r)
	cut := mechanism.NodeID(0)
	r.Network = func(m mechanism.Message) (world.Time, bool) { return 20 * ms, m.From == cut || m.To == cut }
	r.Start()
	r.Play(40)
	cut = 3
	r.Advance(700 * ms)
	if serverOf(r).members.At(3).phase != playing {
		t.Fatal("patience is lost too soon")
	}
	r.Advance(2 * world.Second)
	if got := serverOf(r).members.At(3).phase; got != absent {
		t.Fatalf("it is still waited for, in phase %d", got)
	}
	if r.View(2).Get(2) != nil || r.View(2).Get(1) == nil {
		t.Error("the user who is gone is still there, or another one is not")
	}
	clear(all)
	r.Play(20)
	if len(all.by(2, mechanism.Stalled)) > 0 {
		t.Error("others still wait")
	}
	cut = 0
	r.Play(100)
	r.Advance(10 * world.Second)
	wantInStep(t, r)
	if r.View(2).Get(2) == nil {
		t.Error("the user who came back is not there")
	}
}

// A client that leaves says so, and nobody waits for it for a moment.
func TestLeaving(t *testing.T) {
	r := rig(t, hotel{mechanismtest.Marbles(2)}, nil)
	all := watch(r)
	r.Start()
	r.Play(30)
	var out mechanism.Outbox
	clientOf(r, 2).Leave(r.Now(), &out)
	r.Leave(3)
	r.Give(out.Message(0, 3))
	r.Play(50)
	if r.View(2).Get(2) != nil {
		t.Error("the user is still there")
	}
	if n := len(all[mechanism.Stalled]); n > 0 {
		t.Errorf("%d stalls", n)
	}
}

// Users beyond those that a world began with are let in if the world can take them.
func TestAdmission(t *testing.T) {
	for name, c := range map[string]struct {
		world world.World
		want  bool
	}{"a hotel": {hotel{mechanismtest.Marbles(2)}, true}, "a closed world": {mechanismtest.Marbles(2), false}} {
		r := rig(t, c.world, nil)
		r.Start()
		r.Play(20)
		cfg := param.Default[Config]()
		p := cfg.Admit(9)
		s := *r.Session
		s.Late, s.Places = true, append(s.Places[:len(s.Places):len(s.Places)], p)
		node, err := cfg.NewNode(&s, p)
		if err != nil {
			t.Fatal(err)
		}
		guest := node.(*client)
		var out mechanism.Outbox
		for range 200 {
			for _, wake := range []bool{true, false} {
				if wake {
					guest.Wake(r.Now(), &out)
				}
				for i := range out.Sends() {
					r.Give(out.Message(i, p.ID))
				}
				out.Reset()
				for i := 0; i < len(r.Flights()); {
					if m := r.Flights()[i].Message; m.To == p.ID {
						guest.Receive(r.Now(), m, &out)
						r.Drop(i)
						continue
					}
					i++
				}
			}
			if guest.Ready() && guest.tick() == 30 {
				guest.Act(r.Now(), world.Action{User: 9, Seq: 1, Verb: world.Enter}, &out)
			}
			r.Advance(25 * ms)
		}
		if guest.Ready() != c.want {
			t.Errorf("%s: the guest is in: %t", name, guest.Ready())
		}
		if in := r.View(2).Get(9) != nil; in != c.want {
			t.Errorf("%s: the guest's marble is there: %t", name, in)
		}
	}
}

// Whatever the network does, whoever comes and goes, replicas are equal at equal ticks; and when things have calmed down all are
// at the same.
func TestReplicasAgreeInTrouble(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		users := world.User(rapid.IntRange(1, 4).Draw(t, "users"))
		c := param.Default[Config]()
		c.Delay = rapid.IntRange(1, 6).Draw(t, "delay")
		c.Dynamic = rapid.Bool().Draw(t, "dynamic")
		c.Fairness = rapid.IntRange(0, 3).Draw(t, "fairness")
		c.Check = rapid.IntRange(0, 3).Draw(t, "check")
		c.Turn = rapid.SampledFrom([]world.Time{50 * ms, 100 * ms, 120 * ms}).Draw(t, "turn")
		c.Patience = world.Time(rapid.IntRange(300, 3000).Draw(t, "patience")) * ms
		r, err := mechanismtest.NewRig(&c, mechanismtest.Marbles(users), rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		most := world.Time(rapid.IntRange(1, 400).Draw(t, "delay of the network")) * ms
		r.Network = mechanismtest.Unsteady(rapid.Uint64().Draw(t, "losses"), most, rapid.Uint64Range(0, 30).Draw(t, "loss"))
		if rapid.Bool().Draw(t, "tardy") {
			stream := random.New(1, "tardy")
			r.Tardy = func(mechanism.NodeID) world.Time { return world.Time(stream.Below(uint64(150 * ms))) }
		}
		a := agreement{hashes: map[world.Tick]uint64{}}
		r.Observe = func(c *mechanismtest.Call) {
			for _, e := range c.Out.Events() {
				if e.Name == mechanism.Malformed || e.Name == mechanism.Differed {
					t.Fatalf("at %v node %d reports %s", r.Now(), c.Node, e.Name)
				}
			}
		}
		r.Start()
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			for range 40 {
				r.Play(1)
				a.look(t, r)
			}
			id := star.Server + mechanism.NodeID(rapid.IntRange(1, int(users)).Draw(t, "who"))
			if rapid.Bool().Draw(t, "leaves") {
				r.Leave(id)
			} else if err := r.Join(id); err != nil {
				t.Fatal(err)
			}
		}
		r.Network, r.Tardy = mechanismtest.Constant(10*ms), nil
		for u := range users {
			if id := star.NodeOf(u + 1); r.Node(id) == nil {
				if err := r.Join(id); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 12 {
			r.Advance(5 * world.Second)
			a.look(t, r)
		}
		right := serverOf(r).follower.State()
		for u := range users {
			n, m := clientOf(r, u+1), serverOf(r).members.At(star.NodeOf(u+1))
			if n.phase != playing || m.phase != playing || c.Delay > 1 && n.tick() != right.Tick() {
				t.Fatalf("user %d is in phase %d at tick %d; for the server it is in phase %d, at tick %d", u+1, n.phase, n.tick(), m.phase, right.Tick())
			}
		}
		if a.ticks == 0 {
			t.Fatal("nothing was compared")
		}
	})
}

// One who joins but is cut off on the way to the present is given up, and begins again when that is over.
func TestInterruptedJoin(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(2), nil)
	all := watch(r)
	cut := true
	r.Network = func(m mechanism.Message) (world.Time, bool) {
		x := serverOf(r).members.At(3)
		return 20 * ms, cut && max(m.From, m.To) == 3 && x.Identity.Epoch > 0 && m.Class != mechanism.Control
	}
	r.Start()
	r.Play(20)
	if err := r.Join(3); err != nil {
		t.Fatal(err)
	}
	r.Play(40)
	x := serverOf(r).members.At(3)
	if x.phase != listening || r.Ready(3) {
		t.Fatalf("it is in phase %d", x.phase)
	}
	r.Advance(listenMax + 5*world.Second)
	if x.phase == playing || r.Ready(3) {
		t.Fatalf("after a minute it is in phase %d", x.phase)
	}
	cut = false
	r.Advance(10 * world.Second)
	wantInStep(t, r)
	if n := len(all.by(2, mechanism.Stalled)); n > 0 {
		t.Errorf("the other one waits %d times", n)
	}
}
