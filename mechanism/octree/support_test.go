package octree

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

const ms = world.Millisecond

// counting is a world of marbles in which the tally is a plain sum, so that it tells how many actions were carried out.
type counting struct {
	world.World
	world.Limited
	world.Answerer
}

func newCounting(users world.User) world.World {
	w := mechanismtest.Marbles(users)
	return counting{w, w.(world.Limited), w.(world.Answerer)}
}

func (c counting) Act(w *world.Window, a *world.Action) {
	if a.Verb != mechanismtest.Count {
		c.World.Act(w, a)
		return
	}
	if o := w.Edit(mechanismtest.TallyOf(c.World)); o != nil {
		o.Attr[mechanismtest.TallySum]++
	}
}

func configured(change func(*Config)) *Config {
	c := param.Default[Config]()
	if change != nil {
		change(&c)
	}
	return &c
}

// newRig runs a world in which messages take a millisecond.
func newRig(t testing.TB, w world.World, change func(*Config)) *mechanismtest.Rig {
	return mechanismtest.StartRig(t, configured(change), w, ms)
}

// serverOf returns a server by its number, or nil if it has failed.
func serverOf(r *mechanismtest.Rig, i int) *server {
	n, _ := r.Node(r.Mechanism.(*Config).serverNode(i)).(*server)
	return n
}

func storageOf(r *mechanismtest.Rig, i int) *storage {
	n, _ := r.Node(r.Mechanism.(*Config).storageNode(i)).(*storage)
	return n
}

// holders is how many servers answer for an object.
func holders(r *mechanismtest.Rig, id world.ID) (count, last int) {
	for i := range r.Mechanism.(*Config).Servers {
		if s := serverOf(r, i); s != nil && s.Owns(id) {
			count++
			last = i
		}
	}
	return count, last
}

func count(u world.User) (world.User, world.Action) {
	return u, world.Action{Verb: mechanismtest.Count, Args: [world.MaxArgs]int64{1}}
}

// sum is what the tally holds on the server that answers for it.
func sum(t testing.TB, r *mechanismtest.Rig) int64 {
	t.Helper()
	id := mechanismtest.TallyOf(r.World)
	n, at := holders(r, id)
	if n != 1 {
		t.Fatalf("%d servers answer for the tally", n)
	}
	return serverOf(r, at).Held().Get(id).Attr[mechanismtest.TallySum]
}

// confirmed counts the actions that users are told are done for good.
type confirmed map[world.User]map[uint32]bool

func (c confirmed) observe(call *mechanismtest.Call) {
	for _, e := range call.Out.Events() {
		if e.Name == mechanism.Confirmed {
			if c[e.User] == nil {
				c[e.User] = map[uint32]bool{}
			}
			c[e.User][e.Seq] = true
		}
	}
}

func (c confirmed) total() (n int64) {
	for _, seqs := range c {
		n += int64(len(seqs))
	}
	return n
}

// deliver hands a node of a run with a balancer a message as if over a link, from a node of the kind that says such things.
func deliver(r *mechanismtest.Rig, msg []byte, to uint8) {
	c := r.Mechanism.(*Config)
	storage, server, balancer := c.storageNode(0), c.serverNode(0), c.balancerNode(0)
	target := [...]mechanism.NodeID{storage, server, balancer}[to%3]
	from := [...]mechanism.NodeID{server, storage, server}[to%3]
	if len(msg) > 0 {
		switch msg[0] {
		case kindSilent, kindRefill, kindRecords:
			from = c.storageNode(1)
		case kindForward, kindDone, kindRequest, kindPrefetch, kindReady, kindLeaving:
			from = c.serverNode(1)
		case kindMove, kindAlive, kindLocate:
			from = balancer
		case kindLocated:
			from = storage
		case kindLeased:
			from = c.balancerNode(1)
		}
	}
	if from == target {
		return
	}
	var out mechanism.Outbox
	node := r.Node(target).(interface {
		Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool
	})
	node.Deliver(r.Now(), mechanism.Message{From: from, To: target, Payload: msg}, &out)
}
