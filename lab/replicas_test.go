package lab_test

import (
	"slices"
	"testing"

	"throng/catalog"
	"throng/lab/churn"
)

// replicated plays with every server on three computers.
func replicated(t *testing.T, m, w, plan string) *scene {
	t.Helper()
	return actWith(t, m, w, plan, "host.replicas", "3", "network.between.server-server.delay", "1ms")
}

// A server on three computers survives that one of them fails, be it for good, under every mechanism; two at once are too many.
func TestReplicasSurvive(t *testing.T) {
	for _, m := range catalog.Default().Mechanisms {
		if !slices.Contains([]string{"central", "aos", "action", "lockstep"}, m.Name) {
			continue // these have their servers in four ways; the others are as good as one of them
		}
		for name, plan := range map[string]string{
			"back":   "at 3s: crash server 1, back after 2s",
			"once":   "at 3s: crash server 1",
			"again":  "at 3s: crash server 1, back after 2s; at 7s: crash server 1, back after 2s",
			"paused": "at 3s: crash server 1, back after 2s with memory; at 6s: crash server 1",
		} {
			t.Run(m.Name+"/"+name, func(t *testing.T) {
				first, second := replicated(t, m.Name, "crowd", plan), replicated(t, m.Name, "crowd", plan)
				first.allAct(t, 0)
				if first.restarts > 0 {
					t.Errorf("the world has begun again %d times", first.restarts)
				}
				if a, b := first.String(), second.String(); a != b {
					t.Errorf("first\n%s\nthen\n%s", a, b)
				}
			})
		}
	}
}

func TestTooFewReplicas(t *testing.T) {
	s := replicated(t, "central", "crowd", "at 3s: crash server 1; at 4s: crash server 1; at 5s: server 1 returns")
	s.allAct(t, 0)
	if s.restarts == 0 {
		t.Error("the world goes on though most of those who knew it are gone")
	}
}

// What replicas cost shows: a round trip to the nearest of the others before anything is done, and what goes over the wire.
func TestWhatReplicasCost(t *testing.T) {
	s := setup(t, "crowd", "central", "constant", "world.walkers", "5", "network.delay", "50ms", "network.between.server-server.delay", "3ms", "host.server.replicas", "3")
	s.Churn = catalog.Defaults(new(churn.Config))
	got := map[string]float64{}
	for _, f := range figures(t, s) {
		got[f.Name] = f.Value
	}
	// A quantile of a histogram is good to a few percent.
	if safe := got["safe.p50"]; safe < 0.006 || safe > 0.0065 {
		t.Errorf("what the server is handed is safe after %v s; a round trip takes 6 ms", safe)
	}
	if got["replicas.bytes"] < 1000 {
		t.Errorf("replicas say %v B/s to each other", got["replicas.bytes"])
	}
	if got["replicas.elections"] != 0 {
		t.Errorf("%v elections without a reason", got["replicas.elections"])
	}
}
