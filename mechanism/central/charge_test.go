package central

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/worldtest"
	"throng/worlds/manhattan"
)

// TestServerIsChargedForActions plays a move that is expensive to work out: it is the server's work, and no client's unless
// clients predict. The user has to wait until an update shows what has come of it.
func TestServerIsChargedForActions(t *testing.T) {
	c := param.Default[manhattan.Config]()
	c.Avatars = 2
	w := worldtest.Make[world.World](t, &c)
	const cost = world.Work(7_440_000)
	for _, predict := range []bool{false, true} {
		cfg := param.Default[Config]()
		cfg.Predict = predict
		r := mechanismtest.StartRig(t, &cfg, w, 100*world.Millisecond)
		r.Advance(world.Second)
		var work [4]world.Work // by node
		var confirmed world.Time
		r.Observe = func(c *mechanismtest.Call) {
			work[c.Node] += c.Out.Work()
			for _, e := range c.Out.Events() {
				if e.Name == mechanism.Confirmed && e.User == 1 {
					confirmed = r.Now()
				}
			}
		}
		r.Act(1, world.Action{Verb: manhattan.Move})
		r.Advance(world.Second)
		if got := work[server]; got < cost || got >= 2*cost {
			t.Errorf("predict=%v: the server is charged %d for a move of %d", predict, got, cost)
		}
		if own := work[2]; predict != (own >= cost) || work[3] >= cost {
			t.Errorf("predict=%v: the clients are charged %d and %d", predict, own, work[3])
		}
		if waited := confirmed - world.Second; waited < 200*world.Millisecond || waited > 200*world.Millisecond+w.Schema().Tick {
			t.Errorf("predict=%v: the move is final after %v, want a round trip of 200ms and up to a tick", predict, waited)
		}
	}
}
