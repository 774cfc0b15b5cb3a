package central

import (
	"bytes"
	"fmt"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
	"throng/world/wire"
)

// still stops everybody and lets the network recover.
func still(r *mechanismtest.Rig) {
	r.Network = mechanismtest.Constant(20 * ms)
	for u := world.User(1); u <= r.World.Users(); u++ {
		r.Act(u, steering(0, 0))
	}
	r.Advance(4 * world.Second)
}

// compare holds what a client has against what its user is to see by the server's state: within sight it must have all, beyond
// the margin nothing, and what it has must be so, up to rounding. Own things must be exact.
func compare(r *mechanismtest.Rig, u world.User, limit, margin fixed.F) error {
	truth := authorityOf(r).replica.State
	view := r.View(server + mechanism.NodeID(u))
	me := truth.Get(world.ID(u))
	veil, _ := r.World.(world.Veiled)
	for o := range truth.All() {
		got := view.Get(o.ID)
		near, far := o.Pos.Within(me.Pos, limit), !o.Pos.Within(me.Pos, limit+margin)
		if veil != nil && o.User != u && !veil.Sees(truth, u, o) {
			near, far = false, true
		}
		switch {
		case near && got == nil:
			return fmt.Errorf("user %d does not see %d, though it is near", u, o.ID)
		case far && got != nil:
			return fmt.Errorf("user %d sees %d, though it may not", u, o.ID)
		case got == nil:
			continue
		}
		want := *o
		if o.User != u {
			r.World.Schema().Round(&want)
		}
		if *got != want {
			return fmt.Errorf("user %d sees %+v, but it is %+v", u, *got, want)
		}
	}
	for o := range view.All() {
		if truth.Get(o.ID) == nil {
			return fmt.Errorf("user %d sees %d, which does not exist", u, o.ID)
		}
	}
	return nil
}

// After any play on any network, once all is still, every client has just what its user is to see.
func TestClientsHaveWhatIsInSight(t *testing.T) {
	for name, c := range map[string]struct {
		world  world.World
		change func(*Config)
	}{
		"sight":     {newWalkers(40, 8), nil},
		"veil":      {veiled{newWalkers(40, 8)}, nil},
		"all":       {newWalkers(20, 20), nil},
		"budget":    {newWalkers(40, 20), func(c *Config) { c.Budget = 2000 }},
		"crowd":     {newWalkers(150, 150), func(c *Config) { c.Budget = 8000 }},
		"small":     {newWalkers(40, 20), func(c *Config) { c.Datagram = 200 }},
		"slow":      {newWalkers(40, 8), func(c *Config) { c.Rate, c.Execute = 4, AtTick }},
		"frequent":  {newWalkers(40, 8), func(c *Config) { c.Rate = 30 }},
		"seldom":    {newWalkers(40, 20), func(c *Config) { c.Look = 5 }},
		"reckon":    {newWalkers(40, 8), func(c *Config) { c.Others = Reckon }},
		"unguessed": {newWalkers(40, 8), func(c *Config) { c.Others, c.Predict = Latest, false }},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(2) {
				r := newRig(t, c.world, c.change)
				r.Network = mechanismtest.Unsteady(seed, 300*ms, 20)
				r.Play(60)
				still(r)
				limits := c.world.(world.Limited).Limits()
				for u := world.User(1); u <= c.world.Users(); u++ {
					if err := compare(r, u, limits.Sight, limits.Sight/10+1); err != nil {
						t.Fatalf("seed %d: %v", seed, err)
					}
				}
			}
		})
	}
}

// At no moment does a client have what its user may not see. The network takes no time here, so that what the client has is
// what the server has just sent; interest is brought up to date with every update.
func TestNothingIsToldThatMayNotBeSeen(t *testing.T) {
	w := veiled{newWalkers(30, 8)}
	r := newRig(t, w, nil)
	r.Network = mechanismtest.Constant(0)
	truth := authorityOf(r).replica.State
	checked := 0
	r.Observe = func(c *mechanismtest.Call) {
		if c.Kind != mechanismtest.Receive || c.Node == server {
			return
		}
		u := world.User(c.Node - server)
		me := truth.Get(world.ID(u))
		for o := range clientOf(r, u).View().All() {
			checked++
			real := truth.Get(o.ID)
			if o.User != u && (!w.Sees(truth, u, real) || !real.Pos.Within(me.Pos, w.sight+w.sight/10+1)) {
				t.Fatalf("at %v user %d is told of %d, which is %v away", r.Now(), u, o.ID, real.Pos.Dist(me.Pos))
			}
		}
	}
	r.Play(100)
	if checked < 1000 {
		t.Errorf("only %d objects were looked at", checked)
	}
}

// The same on the wire: what nobody may ever see leaves no trace in any datagram.
func TestNoTraceOfTheUnseen(t *testing.T) {
	const secret world.ID = 3 * 0x1234567890abcd // a multiple of three, so that the veil hides it
	w := &secretive{veiled{newWalkers(10, 10)}, secret}
	r := newRig(t, w, nil)
	trace := wire.AppendUint(nil, uint64(secret))
	r.Observe = func(c *mechanismtest.Call) {
		for i := range c.Out.Sends() {
			if m := c.Out.Message(i, c.Node); bytes.Contains(m.Payload, trace) {
				t.Fatalf("a %v to node %d names the unseen: %x", m.Class, m.To, m.Payload)
			}
		}
	}
	r.Play(50)
	if authorityOf(r).replica.State.Get(secret) == nil {
		t.Error("there is nothing to hide")
	}
}

// secretive is a plain with somebody on it whom nobody sees.
type secretive struct {
	veiled
	secret world.ID
}

func (s *secretive) Populate(state *world.State) {
	s.veiled.Populate(state)
	state.Put(world.Object{ID: s.secret, Pos: fixed.Vec{X: fixed.One, Y: fixed.One}, Vel: fixed.Vec{X: fixed.One}})
}

func (s *secretive) Sees(_ *world.State, _ world.User, o *world.Object) bool { return o.ID != s.secret }

// In no second does a client get more than its budget and a datagram.
func TestBudgetHolds(t *testing.T) {
	for _, c := range []struct {
		users            world.User
		budget, datagram int
		rate             int
	}{{60, 3000, 1200, 0}, {60, 2500, 500, 0}, {150, 8000, 1200, 0}, {60, 1000, 200, 30}} {
		t.Run(fmt.Sprint(c.budget), func(t *testing.T) {
			r := newRig(t, newWalkers(c.users, int64(c.users)), func(x *Config) {
				x.Budget, x.Datagram, x.Rate = c.budget, c.datagram, c.rate
			})
			type sent struct {
				at world.Time
				n  int
			}
			log := map[mechanism.NodeID][]sent{}
			r.Observe = func(call *mechanismtest.Call) {
				for i := range call.Out.Sends() {
					if m := call.Out.Message(i, call.Node); call.Node == server {
						log[m.To] = append(log[m.To], sent{r.Now(), len(m.Payload)})
					}
				}
			}
			r.Play(60)
			most := 0
			for to, list := range log {
				for i := range list {
					sum := 0
					for j := i; j < len(list) && list[j].at < list[i].at+world.Second; j++ {
						sum += list[j].n
					}
					if most = max(most, sum); sum > c.budget+c.datagram {
						t.Fatalf("node %d got %d bytes in the second from %v on", to, sum, list[i].at)
					}
				}
			}
			if most < c.budget*8/10 {
				t.Errorf("no client got more than %d bytes in a second: the budget was not put to the test", most)
			}
		})
	}
}

// Under a budget that allows for a fraction of what happens, what is near is shown best, and nothing is forgotten.
func TestBudgetIsSpentOnWhatMatters(t *testing.T) {
	for name, c := range map[string]struct {
		*walkers
		budget int
	}{"sight": {newWalkers(80, 60), 600}, "crowd": {newWalkers(150, 150), 2500}} {
		t.Run(name, func(t *testing.T) {
			w := c.walkers
			r := newRig(t, w, func(x *Config) { x.Budget, x.Others = c.budget, Latest })
			r.Advance(world.Second)
			s := random.New(1, "walk")
			for u := world.User(1); u <= w.users; u++ {
				r.Act(u, steering(s.Between(-walkerSpeed, walkerSpeed), s.Between(-walkerSpeed, walkerSpeed)))
			}
			r.Advance(10 * world.Second)
			truth := authorityOf(r).replica.State
			var near, far struct {
				sum fixed.F
				n   int64
			}
			worst := fixed.F(0)
			for u := world.User(1); u <= w.users; u++ {
				me := truth.Get(world.ID(u))
				for o := range r.View(server + mechanism.NodeID(u)).All() {
					real := truth.Get(o.ID)
					speed := real.Vel.Len()
					if o.User == u || speed < fixed.One/2 {
						continue
					}
					age := o.Pos.Dist(real.Pos).Div(speed) // in seconds
					worst = max(worst, age)
					if real.Pos.Within(me.Pos, w.nearby()) {
						near.sum += age
						near.n++
					} else {
						far.sum += age
						far.n++
					}
				}
			}
			if near.n < 50 || far.n < 500 {
				t.Fatalf("%d near and %d far are too few to judge by", near.n, far.n)
			}
			if a, b := near.sum.DivInt(near.n), far.sum.DivInt(far.n); 3*a > 2*b {
				t.Errorf("what is near is %v s old on average, what is far %v s", a, b)
			}
			if worst > 8*fixed.One {
				t.Errorf("something is %v s old", worst)
			}
		})
	}
}

// nearby is the distance within which a walker has a few others.
func (w *walkers) nearby() fixed.F {
	return w.schema.Bounds.Max.X.Mul(fixed.Ratio(6, 3*int64(w.users)).Sqrt())
}
