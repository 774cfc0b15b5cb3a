package action

import (
	"errors"
	"flag"
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

var (
	searchSeed = flag.Uint64("seed", 0, "the one scenario to run; 0 runs many")
	searchRuns = flag.Int("scenarios", 2400, "how many random scenarios to run")
)

// scenario is one run of a tangle with trouble. Everything about it follows from its numbers.
type scenario struct {
	seed    uint64
	config  Config
	users   world.User
	objects int
	ticks   int
	still   bool
	delay   world.Time // the longest; short delays and long ones are mixed, so that datagrams overtake each other
	loss    int        // in percent
	repeats int        // in percent
	crashes int        // in a thousand client ticks
	tardy   bool       // nodes are woken late
	cut     cut        // somebody is cut off for a while
	open    bool       // users come and go
}

// cut is when which client is not heard, or does not hear, or neither.
type cut struct {
	user     world.User // or nobody
	from, to world.Time
	up, down bool
}

// loses reports whether a message is lost to it.
func (x *cut) loses(now world.Time, m mechanism.Message) bool {
	id := star.NodeOf(x.user)
	return x.user != 0 && now >= x.from && now < x.to && (x.up && m.From == id || x.down && m.To == id)
}

// draw makes up a scenario. Some faults are off, others are wild.
func draw(seed uint64) scenario {
	r := random.New(seed, "scenario")
	c := param.Default[Config]()
	c.Protocol = protocols[seed%4]
	c.Completion = []string{Owner, All}[seed/4%2]
	c.Beyond = []string{Drop, Delay}[r.Below(2)]
	c.Culling = r.Below(3) == 0
	c.Stride = 1 + int(r.Below(3))
	c.RTT = world.Time(1+r.Below(400)) * ms
	c.Omega = fixed.Ratio(1+int64(r.Below(99)), 100)
	c.Threshold = fixed.FromInt(int64(r.Below(100)))
	c.Look, c.Patience = 200*ms, 1500*ms
	c.Link.Timeout = world.Time(50+r.Below(250)) * ms
	if r.Below(3) == 0 {
		c.Link.Batching = world.Time(r.Below(80)) * ms
	}
	some := func(most uint64) int {
		if r.Below(2) == 0 {
			return 0
		}
		return int(r.Below(most + 1))
	}
	x := scenario{
		seed: seed, config: c,
		users: world.User(1 + r.Below(5)), objects: 1 + int(r.Below(8)), ticks: 20 + int(r.Below(80)), still: r.Below(4) == 0,
		delay: world.Time(1+r.Below(300)) * ms, loss: some(40), repeats: some(30), crashes: some(30), tardy: r.Below(5) == 0,
	}
	if r.Below(3) == 0 {
		x.cut = cut{user: 1 + world.User(r.Below(uint64(x.users))), from: world.Time(r.Below(2000)) * ms, up: r.Below(2) == 0}
		x.cut.to = x.cut.from + world.Time(r.Below(4000))*ms
		x.cut.down = !x.cut.up || r.Below(2) == 0
	}
	x.open = r.Below(2) == 0
	return x
}

func (s scenario) String() string {
	return fmt.Sprintf("seed %d: %s, completion %s, beyond %s, stride %d; %d users, %d objects, %d ticks, still %v; delay up to %v, loss %d%%, repeats %d%%, crashes %d‰, tardy %v, cut off %+v, open %v",
		s.seed, s.config.Protocol, s.config.Completion, s.config.Beyond, s.config.Stride, s.users, s.objects, s.ticks, s.still, s.delay, s.loss, s.repeats, s.crashes, s.tardy, s.cut, s.open)
}

// world is what the scenario is played in.
func (s scenario) world() world.World {
	t := newTangle(s.users, s.objects)
	t.still = s.still
	if s.open {
		return openTangle{t}
	}
	return t
}

// run runs the scenario, then heals the network and waits; it says what went wrong. Checked is how many objects were compared
// with the order.
func (s scenario) run() (checked int, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	w := s.world()
	c := &court{Config: &s.config}
	r, err := mechanismtest.NewRig(c, w, s.seed)
	if err != nil {
		return 0, err
	}
	trouble := random.New(s.seed, "trouble")
	var again []mechanism.Message // to be delivered once more
	r.Network = func(m mechanism.Message) (world.Time, bool) {
		if int(trouble.Below(100)) < s.repeats {
			m.Payload = append([]byte(nil), m.Payload...)
			again = append(again, m)
		}
		return world.Time(trouble.Below(uint64(s.delay))), int(trouble.Below(100)) < s.loss || s.cut.loses(r.Now(), m)
	}
	if s.tardy {
		r.Tardy = func(mechanism.NodeID) world.Time { return world.Time(trouble.Below(uint64(150 * ms))) }
	}
	r.Start()
	for range s.ticks {
		r.Play(1)
		for len(again) > 0 && trouble.Below(2) == 0 {
			m := again[0]
			again = again[1:]
			r.Give(m)
		}
		s.crash(r, c, &trouble)
	}
	r.Network, r.Tardy = mechanismtest.Constant(20*ms), nil
	r.Advance(4 * s.config.Patience) // whoever is not there any more has been found out
	for waited := 0; ; waited++ {
		r.Advance(world.Second)
		if err = atRest(r); err == nil || waited == 120 { // where entries are delayed, they come one by one
			break
		}
	}
	return c.order.Checked(), errors.Join(c.order.Verdict(), err)
}

// crash lets clients fail and others take their places.
func (s scenario) crash(r *mechanismtest.Rig, c *court, trouble *random.Stream) {
	for u := world.User(1); u <= s.users; u++ {
		id := c.Admit(u).ID
		switch {
		case r.Node(id) != nil && int(trouble.Below(1000)) < s.crashes:
			c.gone(id)
			if s.open && trouble.Below(2) == 0 {
				r.Bid(id)
			}
			r.Leave(id)
			if trouble.Below(2) == 0 {
				_ = r.Join(id)
			}
		case r.Node(id) == nil && trouble.Below(20) == 0:
			_ = r.Join(id)
		}
	}
}

// atRest checks what must have come about some time after all trouble: everything is installed, everybody is in, nobody waits
// for anything, and what clients hold is what the server does.
func atRest(r *mechanismtest.Rig) error {
	n := serverOf(r)
	if n.order.installed+1 != n.order.next {
		e := n.order.at(n.order.installed + 1)
		return fmt.Errorf("position %d of %d waits for slot %d: %+v", n.order.installed+1, n.order.next-1, e.from, e.Entry)
	}
	if err := nobodyLingers(r); err != nil {
		return err
	}
	for _, p := range r.Session.Places {
		c, ok := r.Node(p.ID).(*client)
		if !ok || c == nil {
			continue
		}
		switch {
		case !c.Ready():
			return fmt.Errorf("node %d is not in", p.ID)
		case len(c.pending.entries) > 0:
			return fmt.Errorf("node %d waits for %d of its entries", p.ID, len(c.pending.entries))
		case len(c.stable.chains) > 0 && c.stable.installed == n.order.installed:
			return fmt.Errorf("node %d has not forgotten %d chains", p.ID, len(c.stable.chains))
		}
		if c.Protocol() == Basic {
			if n.state.Len() != c.view.Len() {
				return fmt.Errorf("node %d has %d objects of %d", p.ID, c.view.Len(), n.state.Len())
			}
		}
		for o := range c.view.All() {
			is := n.state.Get(o.ID)
			if c.Holds(o.ID) && (is == nil || *is != *o) {
				return fmt.Errorf("node %d shows %+v, the server has %+v", p.ID, *o, is)
			}
		}
	}
	return nil
}

// nobodyLingers checks that whoever is gone has left a world that can be left, if anybody was there to see to it.
func nobodyLingers(r *mechanismtest.Rig) error {
	n := serverOf(r)
	if _, open := r.World.(world.Inhabited); !open || n.members.anybody() == nil {
		return nil
	}
	for o := range n.state.All() {
		if o.User != 0 && r.Node(star.NodeOf(o.User)) == nil {
			return fmt.Errorf("user %d is gone, and still has %+v", o.User, *o)
		}
	}
	return nil
}

// Protocol is the protocol of the client's run.
func (n *client) Protocol() string { return n.config.Protocol }

// simpler lists scenarios that lack something of this one.
func (s scenario) simpler() []scenario {
	var all []scenario
	add := func(change func(*scenario)) {
		x := s
		if change(&x); x != s {
			all = append(all, x)
		}
	}
	add(func(x *scenario) { x.ticks /= 2 })
	add(func(x *scenario) { x.ticks-- })
	add(func(x *scenario) { x.users = max(x.users-1, 1) })
	add(func(x *scenario) { x.objects = max(x.objects-1, 1) })
	add(func(x *scenario) { x.crashes = 0 })
	add(func(x *scenario) { x.repeats = 0 })
	add(func(x *scenario) { x.loss = 0 })
	add(func(x *scenario) { x.tardy = false })
	add(func(x *scenario) { x.cut = cut{} })
	add(func(x *scenario) { x.still = true })
	add(func(x *scenario) { x.open = false })
	add(func(x *scenario) { x.delay = max(x.delay/2, ms) })
	add(func(x *scenario) { x.config.Stride = 1 })
	add(func(x *scenario) { x.config.Link.Batching = 0 })
	add(func(x *scenario) { x.config.Culling = false })
	return all
}

// shrink finds a simpler scenario that goes wrong as well.
func (s scenario) shrink(err error) (scenario, error) {
	for range 400 {
		found := false
		for _, x := range s.simpler() {
			if _, e := x.run(); e != nil {
				s, err, found = x, e, true
				break
			}
		}
		if !found {
			break
		}
	}
	return s, err
}

// TestSearch runs random scenarios under all four protocols and both ways of completing: whatever the network does and
// whoever fails, no stable state that anybody ever holds contradicts the order, and in the end all is well.
func TestSearch(t *testing.T) {
	if *searchSeed != 0 {
		s := draw(*searchSeed)
		_, err := s.run()
		t.Logf("%v: %v", s, err)
		if err != nil {
			t.Fail()
		}
		return
	}
	runs := *searchRuns
	if testing.Short() {
		runs /= 10
	}
	checked := 0
	for seed := uint64(1); seed <= uint64(runs); seed++ {
		s := draw(seed)
		n, err := s.run()
		checked += n
		if err != nil {
			small, why := s.shrink(err)
			t.Fatalf("%v\n%v\nshrunk to %v\n%v\nrepeat: go test ./mechanism/action -run TestSearch -seed %d", s, err, small, why, seed)
		}
	}
	if checked == 0 {
		t.Fatal(errors.New("nothing was compared"))
	}
	t.Logf("%d scenarios, %d objects compared", runs, checked)
}
