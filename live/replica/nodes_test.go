package replica

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"throng/catalog"
	"throng/live/replica/batch"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

const ms = world.Millisecond

// cluster is a group whose processes run the servers of a world, with its users' nodes around it: the real ones, all driven by
// hand. Clients' datagrams go to whoever leads as far as they know, and get lost where nobody does.
type cluster struct {
	*group
	session *mechanism.Session
	nodes   map[Member]*Nodes
	clients []*mechanism.Machine
	air     []parcel
	now     world.Time
	batches map[*process]*batch.Batch
}

// parcel is a datagram of the mechanism on its way.
type parcel struct {
	mechanism.Message
	at world.Time
}

func newCluster(t *testing.T, mechanismName, worldName string, seed uint64) *cluster {
	t.Helper()
	c := catalog.Default()
	m, err := c.BuildMechanism(catalog.Choice{Name: mechanismName})
	if err != nil {
		t.Fatal(err)
	}
	w, err := c.BuildWorld(catalog.Choice{Name: worldName, Params: map[string]map[string]string{"crowd": {"walkers": "5"}, "swarm": {"bees": "4"}}[worldName]})
	if err != nil {
		t.Fatal(err)
	}
	start := world.NewState(w.Schema(), seed)
	w.Populate(start)
	k := &cluster{nodes: map[Member]*Nodes{}, batches: map[*process]*batch.Batch{}}
	k.session = &mechanism.Session{World: w, Start: start, Places: m.Places(w)}
	var servers []mechanism.Place
	for _, p := range k.session.Places {
		if p.User == 0 {
			servers = append(servers, p)
			continue
		}
		config, err := mechanism.Build(m, k.session, p)
		if err != nil {
			t.Fatal(err)
		}
		config.Player = w.Player(p.User, random.New(seed, "player", uint64(p.User)))
		k.clients = append(k.clients, mechanism.NewMachine(config))
	}
	k.group = &group{random: random.New(seed, "group"), durable: seed%2 == 0}
	k.group.machine = func(p *process) StateMachine {
		n, err := NewNodes(m, k.session, servers, k.post, nil)
		if err != nil {
			t.Fatal(err)
		}
		n.OnOrder(&tally{})
		k.nodes[p.member] = n
		return n
	}
	k.group.found(3, sound)
	return k
}

// tally counts what stands in an order.
type tally struct{ placed int }

func (t *tally) Placed(uint64, *mechanism.Entry)      { t.placed++ }
func (t *tally) Voided(uint64)                        {}
func (t *tally) Settled(uint64)                       {}
func (t *tally) Renounced()                           {}
func (t *tally) Held(uint64, world.ID, *world.Object) {}

// post takes what a node sends, from wherever: it arrives after a while, or not.
func (k *cluster) post(m mechanism.Message) bool {
	if k.random.Below(100) < 3 {
		return true
	}
	m.Payload = bytes.Clone(m.Payload)
	k.air = append(k.air, parcel{m, k.now + world.Time(5+k.random.Below(40))*ms})
	return true
}

// tick lets ten milliseconds pass.
func (k *cluster) tick() {
	k.now += 10 * ms
	due := slices.Clone(k.air)
	k.air = slices.DeleteFunc(k.air, func(p parcel) bool { return p.at <= k.now })
	for _, p := range k.processes {
		k.batch(p).Reset(k.now)
	}
	for _, p := range due {
		if p.at <= k.now {
			k.deliver(p.Message)
		}
	}
	var out mechanism.Outbox
	for _, c := range k.clients {
		for _, a := range c.Advance(k.now, &out) {
			c.Act(k.now, a, &out)
		}
		k.empty(c, &out)
	}
	k.advance()
}

func (k *cluster) batch(p *process) *batch.Batch {
	if k.batches[p] == nil {
		k.batches[p] = &batch.Batch{}
	}
	return k.batches[p]
}

func (k *cluster) deliver(m mechanism.Message) {
	for _, c := range k.clients {
		if c.Place().ID == m.To {
			var out mechanism.Outbox
			c.Receive(k.now, m, &out)
			k.empty(c, &out)
			return
		}
	}
	for _, p := range k.processes {
		if p.core != nil && p.core.Leads() {
			k.batch(p).Add(m)
		}
	}
}

func (k *cluster) empty(c *mechanism.Machine, out *mechanism.Outbox) {
	for i := range out.Sends() {
		k.post(out.Message(i, c.Place().ID))
	}
	out.Reset()
}

// What nodes send leaves the leader only; the clock of a new leader, which may be behind, does not turn back time; and a snapshot
// has the time in it, too.
func TestNodesByHand(t *testing.T) {
	k := newCluster(t, "central", "crowd", 1)
	var servers []mechanism.Place
	for _, p := range k.session.Places {
		if p.User == 0 {
			servers = append(servers, p)
		}
	}
	c := catalog.Default()
	m, err := c.BuildMechanism(catalog.Choice{Name: "central"})
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	build := func() *Nodes {
		n, err := NewNodes(m, k.session, servers, func(mechanism.Message) bool { sent++; return true }, nil)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	leader, follower := build(), build()
	apply := func(at world.Time) {
		var b batch.Batch
		var out mechanism.Outbox
		b.Reset(at)
		client := k.clients[0] // who joins, and is answered
		client.Wake(at, &out)
		for i := range out.Sends() {
			b.Add(out.Message(i, client.Place().ID))
		}
		leader.Apply(b.Entry(), true)
		before := sent
		if follower.Apply(b.Entry(), false); sent != before {
			t.Fatal("something has left a follower")
		}
	}
	apply(0)
	apply(world.Second)
	if sent == 0 {
		t.Fatal("nothing has left the leader")
	}
	apply(world.Second / 2)
	later := build()
	snapshot := leader.AppendSnapshot(nil)
	if err := later.Restore(snapshot); err != nil {
		t.Fatal(err)
	}
	for who, n := range map[string]*Nodes{"leader": leader, "follower": follower, "newcomer": later} {
		if n.Now() != world.Second || !bytes.Equal(n.AppendSnapshot(nil), snapshot) {
			t.Errorf("the %s is at %v, or not as the leader is", who, n.Now())
		}
	}
	if err := later.Restore(snapshot[:len(snapshot)/2]); err == nil {
		t.Error("half a snapshot is taken for a whole one")
	}
}

// Servers of every mechanism that has any live through crashes, pauses and partitions of the processes they are on: replicas
// stay alike to the bit, and users go on acting.
func TestServersSurvive(t *testing.T) {
	for _, c := range []struct{ mechanism, world string }{
		{"central", "crowd"}, {"interest", "crowd"}, {"aos", "swarm"}, {"action", "shooters"}, {"lockstep", "swarm"}, {"broadcast", "pong"},
	} {
		t.Run(c.mechanism, func(t *testing.T) {
			for seed := range uint64(2) {
				if err := survive(newCluster(t, c.mechanism, c.world, seed)); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

func survive(k *cluster) error {
	k.propose = func(p *process) {
		if b := k.batch(p); b.Len() > 0 || k.nodes[p.member].Due() <= k.now {
			_ = p.core.Propose(b.Entry())
		}
	}
	for range 100 {
		k.tick()
	}
	k.faults = faults{crash: 8, pause: 8, split: 4, full: 3, loss: 50, delay: 100}
	for range 500 {
		k.tick()
	}
	k.faults, k.cut = faults{}, 0
	for quiet := 0; quiet < 300 || quiet < 1000 && !k.agreed(); quiet++ {
		k.tick()
	}
	// Whoever has applied the same number of entries must be the same.
	images := map[uint64][]byte{}
	for _, p := range k.processes {
		if p.core == nil {
			return fmt.Errorf("process %d did not come back", p.number)
		}
		text := k.nodes[p.member].AppendSnapshot(nil)
		if was, ok := images[p.core.Applied()]; ok && !bytes.Equal(was, text) {
			return fmt.Errorf("replicas differ after entry %d", p.core.Applied())
		}
		images[p.core.Applied()] = text
	}
	if len(images) == len(k.processes) {
		return fmt.Errorf("no two replicas have come to the same entry")
	}
	for _, c := range k.clients {
		if a, ok := c.Node().(mechanism.Arriving); ok && !a.Ready() {
			return fmt.Errorf("user %d is shut out", c.Place().User)
		}
	}
	return nil
}
