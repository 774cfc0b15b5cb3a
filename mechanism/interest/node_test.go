package interest

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/input"
	"throng/world"
	"throng/world/fixed"
)

func TestNodesThatCannotBe(t *testing.T) {
	c := param.Default[Config]()
	w := mechanismtest.Marbles(2)
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	s := &mechanism.Session{World: w, Start: start, Places: c.Places(w)}
	if _, err := c.NewNode(s, mechanism.Place{ID: 99}); err == nil {
		t.Error("a client without a user was built")
	}
	s.Late, s.Epoch = true, 1
	if _, err := c.NewNode(s, s.Places[0]); err == nil {
		t.Error("a server took the place of another")
	}
	if _, err := c.NewNode(s, s.Places[10]); err != nil {
		t.Errorf("a client cannot come late: %v", err)
	}
}

// pair is a world of one nomad each for two users, at rest at two places, in two areas side by side.
func pair(t testing.TB, a, b fixed.Vec, change func(*Config)) *mechanismtest.Rig {
	t.Helper()
	w := &placed{nomads: newNomads(2, 1), at: []fixed.Vec{a, b}}
	return newRig(t, w, func(c *Config) {
		c.Columns, c.Rows = 2, 1
		if change != nil {
			change(c)
		}
	})
}

// placed is a world of nomads whose places are given.
type placed struct {
	*nomads
	at []fixed.Vec
}

func (p *placed) Populate(s *world.State) {
	for i, at := range p.at {
		u := world.User(i + 1)
		s.Put(world.Object{ID: nomadOf(u, 0), User: u, Pos: at})
	}
}

func at(x, y int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }

func TestSightAcrossABorder(t *testing.T) {
	r := pair(t, at(95, 50), at(105, 50), nil) // the border is at 100, sight 15
	r.Advance(world.Second)
	for u := world.User(1); u <= 2; u++ {
		if n := clientOf(r, u).View().Len(); n != 2 {
			t.Errorf("user %d sees %d nomads", u, n)
		}
	}
	r.Act(1, turn(nomadOf(1, 0), fixed.Vec{X: -100 * fixed.One}))
	r.Advance(world.Second / 2)
	if clientOf(r, 1).Holds(nomadOf(2, 0)) || clientOf(r, 2).Holds(nomadOf(1, 0)) {
		t.Error("they see each other from afar")
	}
}

// TestActionFollowsItsTarget sends an action to a server that has just handed its target over, which a client does that has
// not heard of it: the action is passed on, carried out once, and answered.
func TestActionFollowsItsTarget(t *testing.T) {
	r := pair(t, at(90, 50), at(150, 50), nil)
	r.Advance(world.Second)
	r.Act(1, turn(nomadOf(1, 0), fixed.Vec{X: 60 * fixed.One})) // three in a tick
	executed := map[mechanism.NodeID]int{}
	answered := 0
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if e.Name == mechanism.Executed && e.Seq == 2 {
				executed[c.Node]++
			}
			if e.Name == mechanism.Applied && e.User == 1 && e.Seq == 2 && c.Node == 3 {
				answered++
			}
		}
	}
	for servers(r)[0].Owns(nomadOf(1, 0)) {
		r.Advance(5 * ms)
	}
	if clientOf(r, 1).View().Get(nomadOf(1, 0)).Pos.X >= 100*fixed.One {
		t.Fatal("the client has heard of the crossing already")
	}
	r.Act(1, turn(nomadOf(1, 0), fixed.Vec{}))
	r.Advance(world.Second)
	if len(executed) != 1 || executed[2] != 1 || answered != 1 {
		t.Errorf("carried out %v, answered %d times", executed, answered)
	}
	if v := whole(r).Get(nomadOf(1, 0)).Vel; v != (fixed.Vec{}) {
		t.Errorf("the nomad goes on at %v", v)
	}
	if n := len(clientOf(r, 1).contacts[0].Pending.Actions); n != 0 {
		t.Errorf("%d actions wait for an answer", n)
	}
}

func TestSpectatorsSeeEverything(t *testing.T) {
	w := settled{&placed{nomads: newNomads(2, 1), at: []fixed.Vec{at(10, 10)}}} // user 2 has nothing
	r := newRig(t, w, nil)
	r.Advance(world.Second)
	if n := clientOf(r, 2).View().Len(); n != 1 {
		t.Errorf("a spectator sees %d nomads", n)
	}
}

func TestLateComersSeeWhatIsThere(t *testing.T) {
	for _, interest := range []string{Multiple, Single} {
		r := pair(t, at(50, 50), at(55, 50), func(c *Config) { c.Interest = interest })
		r.Advance(world.Second)
		for epoch := range 3 {
			id := configOf(r).Admit(2).ID
			r.Leave(id)
			r.Advance(world.Second / 2)
			if err := r.Join(id); err != nil {
				t.Fatal(err)
			}
			if r.Ready(id) {
				t.Error("ready at once")
			}
			r.Advance(world.Second / 2)
			r.Act(2, turn(nomadOf(2, 0), fixed.Vec{X: fixed.One * fixed.F(epoch+1)}))
			r.Advance(world.Second / 2)
			if n := clientOf(r, 2).View().Len(); n != 2 || !r.Ready(id) {
				t.Errorf("%s: holder %d sees %d nomads, ready %v", interest, epoch+2, n, r.Ready(id))
			}
			if v := whole(r).Get(nomadOf(2, 0)).Vel.X; v != fixed.One*fixed.F(epoch+1) {
				t.Errorf("%s: what the newcomer did had no effect", interest)
			}
		}
	}
}

func TestSilentClientsAreGone(t *testing.T) {
	r := pair(t, at(50, 50), at(55, 50), nil)
	r.Advance(world.Second)
	r.Leave(configOf(r).Admit(2).ID)
	r.Advance(12 * world.Second)
	if whole(r).Get(nomadOf(2, 0)) != nil || clientOf(r, 1).Holds(nomadOf(2, 0)) {
		t.Error("the nomad of somebody who is gone is still there")
	}
	for _, s := range servers(r) {
		if len(s.members.All()) != 1 {
			t.Errorf("area %d has %d members", s.area, len(s.members.All()))
		}
	}
}

func TestAreasOfAClient(t *testing.T) {
	r := pair(t, at(50, 50), at(150, 50), nil)
	r.Advance(world.Second)
	areas := clientOf(r, 1).Areas(nil)
	if len(areas) != 2 || areas[0].Role != mechanism.Updated || areas[1].Role != mechanism.Ignored ||
		areas[0].Server != 1 || areas[1].Box.Min.X != 100*fixed.One || areas[0].Bytes == 0 {
		t.Errorf("%+v", areas)
	}
}

func TestStrangersAreRefused(t *testing.T) {
	r := pair(t, at(50, 50), at(55, 50), nil)
	found := map[string]int{}
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			found[e.Name]++
		}
	}
	for _, msg := range [][]byte{
		{0xf1, 0, 1, 2},    // joining as somebody else
		{0xf1, 0},          // cut short
		{0xf5},             // no such kind
		{0xf3, 1, 0, 1, 9}, // an input that is cut short
	} {
		r.Give(mechanism.Message{From: 3, To: 1, Payload: msg})
	}
	if found[input.Refused] != 1 || found[mechanism.Malformed] != 3 {
		t.Errorf("reported %v", found)
	}
}
