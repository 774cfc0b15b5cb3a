package experiments_test

import "testing"

// What Area of Simulation reports, asserted on quick runs of its experiments, with margins that other seeds keep as well.
// Figures from long runs, and where they differ from the source's, are in docs/reproductions/aos.md.

// Figure 4: whoever is sent the whole map, or tells all other servers everything, is sent most. Figures are a server's, as the
// source's are.
func TestAosUpload(t *testing.T) {
	r := run(t, "aos/upload")
	of := func(name, users string) float64 {
		return r.mean(t, "items.tick.server.each", "case="+name, "world.users="+users)
	}
	atLeast(t, "upload of saoi over maoi", of("saoi", "10"), of("maoi", "10"), 5)
	alike(t, "upload of proxy over maoi, and twice that", of("proxy", "10"), 2*of("maoi", "10"), 1.4)
	atMost(t, "upload of aos over maoi", of("aos", "40"), of("maoi", "40"), 0.6)
	atMost(t, "upload of aos over ebls", of("aos", "40"), of("ebls", "40"), 0.7)
}

// Figure 6: what the traffic of 60 users consists of, in commands and states of a server as the source counts it.
func TestAosDissect(t *testing.T) {
	r := run(t, "aos/dissect", "--set", "world.users=60", "--set", "duration=15s", "--set", "case=[ebls,maoi,aos]")
	for _, workload := range []string{"wi", "wd"} {
		of := func(measure, name string) float64 {
			return r.mean(t, "items.tick."+measure, "case="+name, "world.workload="+workload)
		}
		alike(t, "what ebls sends, and a command of each for each every ten ticks", of("server.command.each", "ebls"), 60*60/10, 1.01)
		alike(t, "what ebls sends, and its commands", of("server.each", "ebls"), of("server.command.each", "ebls"), 1)
		atLeast(t, "share of updates in maoi", of("server.update.each", "maoi"), of("server.each", "maoi"), 0.95)
		atMost(t, "share of commands in maoi", of("server.command.each", "maoi"), of("server.each", "maoi"), 0.05)
		atMost(t, "aos over ebls", of("server.each", "aos"), of("server.each", "ebls"), 0.7)
		atMost(t, "aos over maoi", of("server.each", "aos"), of("server.each", "maoi"), 0.6)
		atMost(t, "what a client sends per tick", of("client", "aos"), 1, 1)
	}
}

// Figures 8 and 9: with more areas that follow a user's interest, less has to be sent; not so if they are picked at random.
func TestAosAreas(t *testing.T) {
	r := run(t, "aos/areas")
	of := func(name, areas string) float64 {
		return r.mean(t, "items.tick.server.each", "case="+name, "mechanism.areas="+areas)
	}
	atMost(t, "three areas over one", of("dynamic", "3"), of("dynamic", "1"), 0.9)
	atMost(t, "dynamic over static", of("dynamic", "3"), of("static", "3"), 1)
}

// Figure 10: clients can take over most of the updates, and most updates can be left out.
func TestAosDissemination(t *testing.T) {
	r := run(t, "aos/dissemination")
	of := func(side, name string) float64 { return r.mean(t, "items.tick."+side, "case="+name) }
	atMost(t, "pool over plain", of("server.each", "pool"), of("server.each", "plain"), 0.7)
	atMost(t, "detail over plain", of("server.each", "detail"), of("server.each", "plain"), 0.85)
	atMost(t, "both over pool", of("server.each", "both"), of("server.each", "pool"), 0.9)
	atLeast(t, "what a client of the pool sends per tick", of("client", "pool"), 1, 1)
	atMost(t, "both over pool, at a client", of("client", "both"), of("client", "pool"), 0.8)
}

// Figure 7: a server of ten runs a tenth of the world, clients run as much as they want to.
func TestAosCompute(t *testing.T) {
	r := run(t, "aos/compute", "--set", "world.workload=wd")
	of := func(measure, name string) float64 { return r.mean(t, measure, "case="+name) }
	whole := of("simulated.server", "ebls")
	alike(t, "a server of maoi", of("simulated.server", "maoi"), whole/10, 1.1)
	alike(t, "a server of aos", of("simulated.server", "aos"), whole/10, 1.1)
	alike(t, "a client of ebls", of("simulated.client", "ebls"), whole, 1)
	atMost(t, "a client of maoi", of("simulated.client", "maoi"), 1, 0)
	atMost(t, "a client of aos", of("simulated.client", "aos"), whole, 0.25)
}

// Section 6.3: most avatars are where they would be without a border.
func TestAosDrift(t *testing.T) {
	r := run(t, "aos/drift", "--set", "case=workloads")
	for _, workload := range []string{"wi", "ww"} {
		atMost(t, "median displacement under "+workload, r.mean(t, "displacement.p50", "world.workload="+workload), 1, 0)
	}
	atMost(t, "99.5th percentile where few cross a border", r.mean(t, "displacement.p995", "world.workload=wi"), 1, 5)
}

// Section 6.3.3: few collisions happen across a border.
func TestAosCollisions(t *testing.T) {
	r := run(t, "aos/collisions", "--set", "world.workload=ww", "--set", "duration=20s")
	atMost(t, "collisions across borders in percent", r.mean(t, "collisions.across.256"), 1, 1)
	atLeast(t, "smaller sub-maps over larger ones", r.mean(t, "collisions.across.64"), r.mean(t, "collisions.across.256"), 2)
}

// Appendix A: a transition is short and hardly stops anybody.
func TestAosTransition(t *testing.T) {
	r := run(t, "aos/transition", "--set", "case=live")
	atLeast(t, "transitions", r.mean(t, "promotions"), 1, 0.01)
	atMost(t, "the longest pause, in seconds", r.mean(t, "promotion.pause.max"), 1, 0.14)
	atMost(t, "the longest transition, in seconds", r.mean(t, "promotion.max"), 1, 2.5)
}

// Appendix C: whoever waits for the farthest stands still for nobody, and is slow; fixed short delays stand still.
func TestAosLatency(t *testing.T) {
	r := run(t, "aos/latency")
	of := func(measure, name string) float64 { return r.mean(t, measure, "case="+name) }
	for _, name := range []string{"static 2", "dynamic 0", "dynamic 2"} {
		atLeast(t, "response of static max over "+name, of("response.mean", "static max"), of("response.mean", name), 1.5)
	}
	for _, name := range []string{"static max", "dynamic 0", "dynamic 2"} {
		atLeast(t, "waiting of lockstep over "+name, of("stall.client", "ebls"), of("stall.client", name), 3)
	}
}

// Appendix B.1: users of the mobility models turn elsewhere all the time, least where near places draw more.
func TestAosInterest(t *testing.T) {
	r := run(t, "aos/interest", "--set", "world.workload=[wd,ww]", "--set", "world.users=20")
	of := func(workload string) float64 { return r.mean(t, "interest.switches.25", "world.workload="+workload) }
	atLeast(t, "commands elsewhere in 10 s under wd", of("wd"), 1, 15)
	atLeast(t, "ww over wd", of("ww"), of("wd"), 1.1)
}
