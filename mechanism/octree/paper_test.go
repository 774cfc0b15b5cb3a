package octree

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/worlds/crowd"
)

func town(t testing.TB, walkers int, dense bool) world.World {
	t.Helper()
	c := param.Default[crowd.Config]()
	c.Walkers, c.Restless = walkers, true
	if dense {
		c.Mode = "dense"
	}
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// published counts the states that storage nodes send to servers while a town is played in.
func published(t *testing.T, users, servers int) int {
	r := newRig(t, town(t, users, true), func(c *Config) { c.Servers = servers })
	r.Play(20)
	states := 0
	r.Observe = func(c *mechanismtest.Call) {
		if r.Session.Places[c.Node-1].Role == roleStorage {
			states += c.Out.Items()[mechanism.Update]
		}
	}
	r.Play(40)
	return states
}

// Section 3.3.5: each game server needs a single update event for each change, however many of its clients see it.
func TestOneCopyPerServer(t *testing.T) {
	const users = 12
	few, many := published(t, users, 2), published(t, users, 6)
	// With s servers, what each of the users does goes to s-1 of them, whether two of their clients see it or six.
	if perServer := float64(few) / 1; float64(many) > 5.5*perServer || float64(many) < 3.5*perServer {
		t.Errorf("%d states are published to two servers, %d to six", few, many)
	}
}

// Section 3.3.1: the state outlives servers. All of them fail at once, and others find the world as it was.
func TestStateOutlivesServers(t *testing.T) {
	r := newRig(t, newCounting(3), nil)
	r.Advance(world.Second)
	for range 5 {
		r.Act(count(1))
		r.Advance(100 * ms)
	}
	was := sum(t, r)
	for i := range 3 {
		r.Leave(r.Mechanism.(*Config).serverNode(i))
	}
	r.Advance(2 * world.Second)
	for i := range 3 {
		if err := r.Join(r.Mechanism.(*Config).serverNode(i)); err != nil {
			t.Fatal(err)
		}
	}
	r.Advance(5 * world.Second)
	if got := sum(t, r); got != was || was != 5 {
		t.Errorf("the tally holds %d, before all servers failed %d", got, was)
	}
}

// Section 4: the subscription over-estimates. Whatever is within sight of what a server answers for, the server knows.
func TestNothingInSightIsUnknown(t *testing.T) {
	w := town(t, 40, false)
	sight := w.(world.Limited).Limits().Sight
	r := newRig(t, w, func(c *Config) { c.Servers = 4 })
	for range 20 {
		r.Play(10)
		for i := range 4 {
			for o := range serverOf(r, i).Held().All() {
				if !serverOf(r, i).Owns(o.ID) {
					continue
				}
				for j := range 4 {
					for p := range serverOf(r, j).Held().All() {
						if serverOf(r, j).Owns(p.ID) && near(o.Pos, p.Pos, sight) && !serverOf(r, i).Holds(p.ID) {
							t.Fatalf("server %d does not know of %d, which %d sees", i, p.ID, o.ID)
						}
					}
				}
			}
		}
	}
}
