package experiments_test

import "testing"

// What QuP reports and aims at, asserted on quick runs of its experiments, with margins that other seeds keep as well. Figures from long
// runs are in docs/reproductions/qup.md; those of boxes and assignment are asserted in mechanism/parts.

// TestQupObservation: section 3.4.2, figure 3.6. The aim is that nine in ten are seen within 100 ms, and what a client is sent does not grow with the servers.
func TestQupObservation(t *testing.T) {
	r := run(t, "qup/observation")
	of := func(measure, servers string) float64 { return r.mean(t, measure, "case="+servers) }
	for _, servers := range []string{"1", "4"} {
		atMost(t, "seconds until nine in ten see it on "+servers, of("observation.p90", servers), 1, 0.1)
	}
	atMost(t, "bytes to a client on four servers over one", of("bytes.received.client", "4"), of("bytes.received.client", "1"), 1.15)
}

// TestQupWrites: section 7.3. Who waits for all copies waits for the slowest; one less hides a datagram that is lost.
func TestQupWrites(t *testing.T) {
	r := run(t, "qup/writes")
	of := func(measure, name string) float64 { return r.mean(t, measure, "case="+name) }
	atMost(t, "seconds until half are confirmed by two of three", of("final.p50", "n=3 m=2"), 1, 0.008)
	atMost(t, "two of three over three", of("final.p90", "n=3 m=2"), of("final.p90", "n=3 m=3"), 0.9)
	atMost(t, "two of three over three where datagrams are lost", of("final.p90", "n=3 m=2 lossy"), of("final.p90", "n=3 m=3 lossy"), 0.3)
}

// TestQupBudget: chapter 5. Budgets are kept, those who are near are shown one by one, and the number of those who are far is known.
func TestQupBudget(t *testing.T) {
	r := run(t, "qup/budget")
	of := func(measure, name string) float64 { return r.mean(t, measure, "case="+name) }
	atMost(t, "bytes a second over a budget of 4 kB", of("bytes.received.client", "4kB"), 4000, 1.1) // datagrams' headers are not in it
	atLeast(t, "share of the nearest who are shown one by one", of("crowd.singly.near", "4kB"), 1, 0.95)
	atMost(t, "by how much the number of those far away is wrong", of("crowd.count.far", "4kB"), 1, 0.3)
}

// TestQupSquare: section 2.7.4. A square that all see is served by several servers together, each client within its budget.
func TestQupSquare(t *testing.T) {
	r := run(t, "qup/square")
	atMost(t, "bytes a second over a budget of 8 kB", r.mean(t, "bytes.received.client"), 8000, 1.1) // datagrams' headers are not in it
	atLeast(t, "share of the nearest who are shown one by one", r.mean(t, "crowd.singly.near"), 1, 0.95)
	atMost(t, "by how much the number of those far away is wrong", r.mean(t, "crowd.count.far"), 1, 0.1)
	atMost(t, "metres between where they are shown and are", r.mean(t, "crowd.place.far"), 1, 0.5)
}

// TestQupFailure: section 7.1.1. Nothing that was confirmed is lost, whatever fails, and who is not concerned hardly notices.
func TestQupFailure(t *testing.T) {
	r := run(t, "qup/failure")
	for _, name := range []string{"nothing", "server", "storage", "both", "rolling"} {
		if lost := r.mean(t, "actions.lost", "case="+name); lost != 0 {
			t.Errorf("%s: %v actions are lost that were confirmed", name, lost)
		}
	}
	for _, name := range []string{"server", "storage"} {
		atMost(t, "seconds of silence for those not concerned: "+name, r.mean(t, "silence.max", "case="+name), 1, 0.5)
	}
}

// TestQupAgainst: section 2.7.3. Four servers of octree hold more users than one server of anything.
func TestQupAgainst(t *testing.T) {
	r := run(t, "qup/against", "--set", "case=[central,octree 4]", "--set", "world.walkers=440")
	central, octree := r.mean(t, "observation.p90", "case=central"), r.mean(t, "observation.p90", "case=octree 4")
	atLeast(t, "seconds until nine in ten see it under central", central, 1, 0.2)
	atMost(t, "seconds until nine in ten see it on four servers", octree, 1, 0.12)
}
