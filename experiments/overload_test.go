package experiments_test

import "testing"

// With twice as many users as it holds, a server that does less by choice makes as good a use of its time, keeps effects from getting
// much older, and leaves nobody out.
func TestOverloadBends(t *testing.T) {
	r := run(t, "overload/crowd", "--set", "case=by choice")
	const limit, twice = "world.walkers=290", "world.walkers=580"
	atMost(t, "how far it slows down at the limit", r.mean(t, "slowed.mean", limit), 1, 1.05)
	atLeast(t, "goodput", r.mean(t, "goodput", twice), r.mean(t, "goodput", limit), 0.9)
	atMost(t, "what nine in ten effects take", r.mean(t, "observation.p90", twice), r.mean(t, "observation.p90", limit), 3)
	atLeast(t, "what the least served tenth gets", r.mean(t, "served.least", twice), 1, 0.5)
}

// Once they leave, it is as before within two seconds.
func TestOverloadPasses(t *testing.T) {
	r := run(t, "overload/relief")
	atLeast(t, "how far it slows down before", r.mean(t, "slowed.max"), 1, 1.5)
	atMost(t, "until when it is slow", r.mean(t, "slowed.until"), 1, 2)
}

// So do those of interest and octree, though some of what they do for each user cannot be left out.
func TestOverloadBendsElsewhere(t *testing.T) {
	for _, name := range []string{"interest", "octree"} {
		t.Run(name, func(t *testing.T) {
			r := run(t, "overload/"+name, "--set", "case=by choice")
			const limit, twice = "world.walkers=90", "world.walkers=180"
			atMost(t, "how far it slows down at the limit", r.mean(t, "slowed.mean", limit), 1, 1.05)
			atLeast(t, "goodput", r.mean(t, "goodput", twice), r.mean(t, "goodput", limit), 0.9)
			atMost(t, "what nine in ten effects take", r.mean(t, "observation.p90", twice), r.mean(t, "observation.p90", limit), 3)
			atLeast(t, "what the least served tenth gets", r.mean(t, "served.least", twice), 1, 0.5)
		})
	}
}
