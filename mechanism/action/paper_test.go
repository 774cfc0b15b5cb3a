package action

import (
	"fmt"
	"slices"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/fixed"
)

// The claims of SEVE, each with the section that makes it. That no stable state contradicts the order (theorem 1) is shown
// by TestSearch and TestAllOrders.

// timer notes when actions are taken and when they are certain.
type timer struct {
	taken map[uint64]world.Time
	took  []world.Time
}

func newTimer(r *mechanismtest.Rig) *timer {
	x := &timer{taken: map[uint64]world.Time{}}
	r.Observe = func(c *mechanismtest.Call) {
		if c.Kind == mechanismtest.Act {
			x.taken[uint64(c.Action.User)<<32|uint64(c.Action.Seq)] = r.Now()
		}
		for _, e := range c.Out.Events() {
			if e.Name == mechanism.Confirmed {
				x.took = append(x.took, r.Now()-x.taken[uint64(e.User)<<32|uint64(e.Seq)])
			}
		}
	}
	return x
}

// TestResponseWithinARoundTrip (III-A, III-C): the first two protocols answer in one round trip, whatever is contended.
func TestResponseWithinARoundTrip(t *testing.T) {
	for _, protocol := range []string{Basic, Incomplete} {
		r, _ := newRun(t, newTangle(4, 4), func(c *Config) { c.Protocol = protocol })
		x := newTimer(r)
		r.Play(200)
		r.Advance(world.Second)
		if len(x.took) < 100 || slices.Min(x.took) != 40*ms || slices.Max(x.took) != 40*ms {
			t.Errorf("%s: %d answers within %v", protocol, len(x.took), slices.Max(x.took))
		}
	}
}

// TestResponseWithinTheFirstBound (III-D): pushes answer within (1+ω) round trips.
func TestResponseWithinTheFirstBound(t *testing.T) {
	for _, omega := range []int64{10, 50, 90} {
		r, _ := newRun(t, newTangle(4, 4), func(c *Config) {
			c.Protocol, c.RTT, c.Omega = FirstBound, 40*ms, fixed.Ratio(omega, 100)
		})
		x := newTimer(r)
		r.Play(200)
		r.Advance(world.Second)
		if bound := 40*ms + 40*ms*world.Time(omega)/100; len(x.took) < 100 || slices.Max(x.took) > bound {
			t.Errorf("ω = %d%%: %d answers within %v, want %v", omega, len(x.took), slices.Max(x.took), bound)
		}
	}
}

// mute is a world whose rules must not be asked.
type mute struct{ *tangle }

func (mute) Act(*world.Window, *world.Action) { panic("the server carries out an action") }
func (mute) Step(*world.Window)               { panic("the server lets time pass") }
func (mute) Reach(*world.State, *world.Action, *world.Footprint) {
	panic("the server asks what an action touches")
}
func (mute) Extrapolate(*world.Object, world.Time) { panic("the server guesses") }

// ruleless gives the server such a world.
type ruleless struct{ *Config }

func (c ruleless) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if p.ID == star.Server {
		own := *s
		own.World = mute{s.World.(*tangle)}
		s = &own
	}
	return c.Config.NewNode(s, p)
}

// TestTheServerIsFreeOfGameLogic (III-A): it orders, and executes nothing, unless it is to audit.
func TestTheServerIsFreeOfGameLogic(t *testing.T) {
	for _, protocol := range protocols {
		config := param.Default[Config]()
		config.Protocol, config.Audit = protocol, 0
		r := mechanismtest.StartRig(t, ruleless{&config}, newTangle(4, 4), 20*ms)
		r.Play(100)
		if n := serverOf(r).order.installed; n < 50 {
			t.Errorf("%s: %d entries installed", protocol, n)
		}
	}
}

// TestOnlyWhatMattersIsCarriedOut (III-C): in the incomplete world a client need not evaluate every action.
func TestOnlyWhatMattersIsCarriedOut(t *testing.T) {
	executed := map[string]int{}
	for _, protocol := range []string{Basic, Incomplete} {
		w := newTangle(8, 8)
		w.still = true
		r, _ := newRun(t, w, func(c *Config) { c.Protocol, c.Look, c.Patience = protocol, world.Minute, 2*world.Minute })
		r.Observe = func(c *mechanismtest.Call) {
			for _, e := range c.Out.Events() {
				if c.Node == 2 && e.Name == mechanism.Applied {
					executed[protocol]++
				}
			}
		}
		for range 50 {
			for u := world.User(1); u <= 8; u++ {
				r.Act(u, mixes(u, 1<<(u-1), 1<<(u-1)))
			}
			r.Advance(100 * ms)
		}
	}
	if executed[Basic] < 390 || executed[Incomplete] != 50 {
		t.Errorf("of 400 actions, client 2 carried out %v", executed)
	}
}

// TestCompletionsByAllLoseNothing (III-C): where every client completes what it applies, what a failed client did is installed
// if anybody alive has carried it out, and nobody has to be asked.
func TestCompletionsByAllLoseNothing(t *testing.T) {
	w := newTangle(2, 2)
	w.still = true
	r, c := newRun(t, w, func(c *Config) { c.Protocol, c.Completion, c.Audit = Incomplete, All, 0 })
	r.Act(1, mixes(1, 0b01, 0b01))
	r.Advance(20 * ms) // the server has it
	c.gone(2)
	r.Leave(2) // and the client will not hear of it
	r.Act(2, mixes(2, 0b11, 0b10))
	r.Advance(100 * ms)
	if n := serverOf(r); n.order.installed != 2 || n.state.Get(1).Attr[number] == 0 {
		t.Errorf("%d entries are installed, object 1 is %+v", n.order.installed, n.state.Get(1))
	}
	if err := c.order.Verdict(); err != nil {
		t.Error(err)
	}
}

// TestClientsForget (III-C): told of the last installed action, clients keep no older results.
func TestClientsForget(t *testing.T) {
	for _, protocol := range protocols {
		r, _ := newRun(t, newTangle(4, 4), func(c *Config) { c.Protocol = protocol })
		r.Play(400)
		for u := world.User(1); u <= 4; u++ {
			n := clientOf(r, u)
			if kept := len(n.stable.writes) - n.stable.first; kept > 100 {
				t.Errorf("%s: client %d keeps %d results", protocol, u, kept)
			}
		}
		if o := &serverOf(r).order; o.next-o.first > 200 {
			t.Errorf("%s: the server keeps %d entries of %d", protocol, o.next-o.first, o.next-1)
		}
	}
}

// told counts the entries of others that a client is told of.
func told(r *mechanismtest.Rig, id mechanism.NodeID) *int {
	n := new(int)
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if c.Node == id && e.Name == mechanism.Applied && e.User != r.Session.Places[id-1].User {
				*n++
			}
		}
	}
	return n
}

// TestEquationOne (III-D): an action is pushed to those within 2s(1+ω)RTT + r_C + r_A of it, and to nobody else. With
// s = 20, ω = 1/2, RTT = 100 ms and radii of 15 that is 36. Places are rounded to half a unit, and twice.
func TestEquationOne(t *testing.T) {
	for distance := int64(20); distance < 60; distance++ {
		w := newTangle(2, 2)
		w.still, w.apart = true, distance
		r, _ := newRun(t, w, func(c *Config) {
			c.Protocol, c.RTT, c.Look, c.Patience = FirstBound, 100*ms, world.Minute, 2*world.Minute
		})
		n := told(r, 3)
		r.Act(1, mixes(1, 0b01, 0b01))
		r.Advance(world.Second)
		if distance <= 36 && *n != 1 || distance >= 40 && *n != 0 {
			t.Errorf("at a distance of %d, told of %d actions", distance, *n)
		}
	}
}

// TestChainsAreCut (III-E): everybody grabs the forks to the left and to the right. Without the bound, the last action depends
// on all others; with it, none reaches farther than the threshold, though most are accepted.
func TestChainsAreCut(t *testing.T) {
	const users = 20
	for _, protocol := range []string{FirstBound, InformationBound} {
		w := newTangle(users, users+1)
		w.still = true
		r, c := newRun(t, w, func(c *Config) { c.Protocol, c.RTT, c.Threshold = protocol, 40*ms, 35*fixed.One })
		longest, dropped := int64(0), 0
		r.Observe = func(call *mechanismtest.Call) {
			for _, e := range call.Out.Events() {
				switch e.Name {
				case mechanism.Closure:
					longest = max(longest, e.Value)
				case mechanism.Dropped:
					dropped++
				}
			}
		}
		for u := world.User(1); u <= users; u++ {
			grab := world.Action{Verb: grab, Target: world.ID(u)}
			r.Act(u, grab)
		}
		r.Advance(world.Second)
		bounded := protocol == InformationBound
		if bounded != (longest <= users/2) || bounded != (dropped > 0) || dropped > users/3 {
			t.Errorf("%s: up to %d actions in a closure, %d of %d dropped", protocol, longest, dropped, users)
		}
		if err := c.order.Verdict(); err != nil {
			t.Error(err)
		}
	}
}

// TestCullingFollowsTheVelocity (IV-B): whom an action is heading away from need not hear of it.
func TestCullingFollowsTheVelocity(t *testing.T) {
	for _, way := range []int64{-20, 20} {
		w := newTangle(2, 2)
		w.still, w.apart, w.way = true, 30, way
		r, _ := newRun(t, w, func(c *Config) {
			c.Protocol, c.RTT, c.Culling, c.Look, c.Patience = FirstBound, 100*ms, true, world.Minute, 2*world.Minute
		})
		n := told(r, 3)
		r.Advance(world.Second) // since then, nobody has said where they are
		r.Act(1, mixes(1, 0b01, 0b01))
		r.Advance(world.Second)
		if heading := way > 0; heading != (*n == 1) {
			t.Errorf("at a velocity of %d, told of %d actions", way, *n)
		}
	}
}

func TestPlacesOfARun(t *testing.T) {
	config := param.Default[Config]()
	places := config.Places(newTangle(2, 2))
	if got := fmt.Sprint(places); got != "[{1 server 0} {2 client 1} {3 client 2}]" {
		t.Error(got)
	}
}
