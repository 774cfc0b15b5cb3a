package octree

import (
	"flag"
	"fmt"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/random"
)

var histories = flag.Uint64("histories", 40, "how many random histories of failures to run")

// Servers and storage nodes fail and come back at random, no more storage nodes at a time than may: nothing that a user was told is
// done is lost, nothing is done twice, and no object ever has two servers.
func TestNothingConfirmedIsLost(t *testing.T) {
	for seed := range *histories {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			x := newHavoc(t, seed)
			for range 60 {
				x.step()
			}
			x.end()
		})
	}
}

// havoc is a run in which nodes fail and come back.
type havoc struct {
	*mechanismtest.Rig
	t      *testing.T
	chance random.Stream
	heard  confirmed
	acted  int64
	config *Config
	down   []world.Time // by node: until when, or zero
}

func newHavoc(t *testing.T, seed uint64) *havoc {
	x := &havoc{t: t, chance: random.New(seed, "havoc"), heard: confirmed{}}
	x.Rig = newRig(t, newCounting(4), func(c *Config) {
		if seed%4 == 3 {
			c.Datagram = 400 // writes take several messages
		}
		if seed%5 == 4 {
			c.Storage, c.Copies, c.Acks = 5, 5, 3
		}
		if seed%3 == 2 {
			c.Balancers, c.Reassign = 2, world.Second
		}
	})
	x.config = x.Mechanism.(*Config)
	x.down = make([]world.Time, x.config.nodes()+1)
	if seed%2 == 1 {
		x.lossy(seed)
	}
	x.Observe = x.heard.observe
	return x
}

// lossy has messages get lost, and overtake each other.
func (x *havoc) lossy(seed uint64) {
	chance := random.New(seed, "loss")
	x.Network = func(m mechanism.Message) (world.Time, bool) {
		return ms + world.Time(chance.Below(uint64(20*ms))), chance.Below(100) < 3
	}
}

// step has somebody fail or come back, perhaps, and a user act.
func (x *havoc) step() {
	x.fail()
	if a := x.Act(count(world.User(1 + x.chance.Below(4)))); a.Seq > 0 {
		x.acted++
	}
	x.pass()
}

// fail has somebody fail or come back, perhaps.
func (x *havoc) fail() {
	nodes := mechanism.NodeID(x.config.nodes())
	for id := mechanism.NodeID(1); id <= nodes; id++ {
		if x.down[id] > 0 && x.Now() >= x.down[id] {
			x.back(id)
		}
	}
	id := mechanism.NodeID(1 + x.chance.Below(2*uint64(nodes)))
	if id <= nodes && x.down[id] == 0 && (int(id) > x.config.Storage || x.spares()) {
		x.Leave(id)
		x.down[id] = x.Now() + world.Time(500+x.chance.Below(2500))*ms
	}
}

// pass lets time pass.
func (x *havoc) pass() {
	for range 4 {
		x.Advance(50 * ms)
		for id := world.ID(1); id <= mechanismtest.TallyOf(x.World); id++ {
			if n, _ := holders(x.Rig, id); n > 1 {
				x.t.Fatalf("at %v object %d has %d servers", x.Now(), id, n)
			}
		}
	}
}

// spares reports whether another storage node may fail: so many others are there and have been told what they missed.
func (x *havoc) spares() bool {
	missing := 0
	for i := range x.config.Storage {
		if x.down[i+1] > 0 || !storageOf(x.Rig, i).full {
			missing++
		}
	}
	return missing < x.config.spare()
}

func (x *havoc) back(id mechanism.NodeID) {
	x.down[id] = 0
	if err := x.Join(id); err != nil {
		x.t.Fatal(err)
	}
}

// finish lets all come back.
func (x *havoc) finish() {
	for id := range x.down {
		if x.down[id] > 0 {
			x.back(mechanism.NodeID(id))
		}
	}
	x.Advance(12100 * ms)
}

// end looks at what is left when all are back.
func (x *havoc) end() {
	x.finish()
	for id := world.ID(1); id <= mechanismtest.TallyOf(x.World); id++ {
		if n, _ := holders(x.Rig, id); n != 1 {
			x.t.Errorf("object %d has %d servers", id, n)
			for i := range x.config.Storage {
				if a, _ := storageOf(x.Rig, i).get(id); a != nil {
					x.t.Logf("storage node %d: %+v", i, *a)
				}
			}
		}
	}
	if got := sum(x.t, x.Rig); got < x.heard.total() || got > x.acted {
		x.t.Errorf("the tally holds %d; %d are confirmed of %d", got, x.heard.total(), x.acted)
	}
}

// A client whose server fails plays on with another, soon.
func TestClientsFindAnotherServer(t *testing.T) {
	r := newRig(t, newCounting(3), nil)
	r.Advance(world.Second)
	home := configured(nil).home(1)
	r.Leave(configured(nil).serverNode(home))
	heard := confirmed{}
	r.Observe = heard.observe
	r.Act(count(1))
	begin := r.Now()
	for len(heard[1]) == 0 && r.Now() < begin+5*world.Second {
		r.Advance(10 * ms)
	}
	if took := r.Now() - begin; took > 2*world.Second {
		t.Errorf("it took %v until the user's action was done", took)
	}
	if n, at := holders(r, 1); n != 1 || at == home {
		t.Errorf("the user's marble has %d servers, the last is %d", n, at)
	}
}

// A server that is cut off from storage answers for nothing, and says so to its clients.
func TestAServerThatIsCutOffResigns(t *testing.T) {
	r := newRig(t, newCounting(3), nil)
	r.Advance(world.Second)
	cut := configured(nil).serverNode(0)
	lossless := r.Network
	r.Network = func(m mechanism.Message) (world.Time, bool) {
		if (m.From == cut && m.To <= 3) || (m.To == cut && m.From <= 3) {
			return 0, true
		}
		return lossless(m)
	}
	r.Advance(3200 * ms)
	if s := serverOf(r, 0); s.own.Len() != 0 || s.members.Len() != 0 {
		t.Errorf("it answers for %d objects and has %d clients", s.own.Len(), s.members.Len())
	}
	for id := world.ID(1); id <= mechanismtest.TallyOf(r.World); id++ {
		if n, _ := holders(r, id); n != 1 {
			t.Errorf("object %d has %d servers", id, n)
		}
	}
	r.Network = lossless
	r.Advance(3 * world.Second)
	for u := world.User(1); u <= 3; u++ {
		if !r.Ready(r.Mechanism.(*Config).Admit(u).ID) {
			t.Errorf("user %d does not take part", u)
		}
	}
}

// A storage node that returns with empty hands is told everything by the servers.
func TestStorageIsFilledAgain(t *testing.T) {
	r := newRig(t, newCounting(3), nil)
	r.Play(20)
	before := storageOf(r, 0).where.Len()
	r.Leave(1)
	r.Play(20)
	if err := r.Join(1); err != nil {
		t.Fatal(err)
	}
	r.Play(60)
	if got := storageOf(r, 0).where.Len(); got < before-4 || got == 0 { // pebbles come and go
		t.Errorf("it holds %d objects, before %d", got, before)
	}
	for id := world.ID(1); id <= mechanismtest.TallyOf(r.World); id++ {
		a, _ := storageOf(r, 0).get(id)
		b, _ := storageOf(r, 1).get(id)
		if a == nil || a.holder != b.holder || a.epoch != b.epoch {
			t.Errorf("object %d: %+v, another has %+v", id, a, b)
		}
	}
}
