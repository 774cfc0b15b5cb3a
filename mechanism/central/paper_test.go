package central

import (
	"testing"

	"throng/mechanism/mechanismtest"
	"throng/world"
)

// costly is a world in which an action costs something to carry out.
type costly struct{ world.World }

const actionCost = 10_000

func (c costly) Cost(*world.State, *world.Action) world.Work { return actionCost }

// SEVE compares itself with a central server that executes everything while clients only show it. What actions cost falls on
// the server, once each, and on no client, unless those predict; then each client bears its own user's.
func TestPaperServerExecutesEverything(t *testing.T) {
	for _, predict := range []bool{false, true} {
		r := newRig(t, costly{mechanismtest.Marbles(3)}, func(c *Config) { c.Predict = predict })
		r.Advance(world.Second)
		var server, clients world.Work // in actions
		taken := world.Work(0)
		r.Observe = func(c *mechanismtest.Call) {
			if c.Kind == mechanismtest.Act {
				taken++
			}
			if c.Node == 1 {
				server += c.Out.Work() / actionCost
			} else {
				clients += c.Out.Work() / actionCost
			}
		}
		r.Play(100)
		r.Advance(world.Second)
		if server != taken || taken < 10 {
			t.Errorf("predicting %v: the server has carried out %d of %d actions", predict, server, taken)
		}
		if predict != (clients >= taken) || !predict && clients != 0 {
			t.Errorf("predicting %v: clients have carried out %d actions of %d", predict, clients, taken)
		}
	}
}

// SEVE's central server answers within a round trip: an action is final at its user's when the server has carried it out and
// said so. Here that is a round trip and the wait for the next update.
func TestPaperAnswerWithinARoundTrip(t *testing.T) {
	r := newRig(t, mechanismtest.Marbles(2), nil)
	r.Network = mechanismtest.Constant(100 * ms)
	r.Advance(world.Second)
	for range 20 {
		r.Act(1, count(1))
		taken := r.Now()
		for len(clientOf(r, 1).Pending.Actions) > 0 {
			r.Advance(ms)
		}
		if took := r.Now() - taken; took < 200*ms || took > 252*ms {
			t.Errorf("an answer took %v over a network of 100 ms each way with an update every 50 ms", took)
		}
		r.Advance(37 * ms)
	}
}
