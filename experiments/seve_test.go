package experiments_test

import "testing"

// What SEVE reports, asserted on quick runs of its experiments, with margins that other seeds keep as well. Figures from long
// runs, and where they differ from the source's, are in docs/reproductions/seve.md.

// Figure 6: where one machine carries out all moves, it breaks down beyond some 40 clients; SEVE stays as it is, and so does
// RING, which is wrong.
func TestSeveScalability(t *testing.T) {
	r := run(t, "seve/scalability", "--set", "world.avatars=[32,64]", "--set", "world.moves=50", "--set", "duration=40s")
	const few, many = "world.avatars=32", "world.avatars=64"
	for _, name := range []string{"Central", "Broadcast"} {
		atMost(t, name+"'s response to 32", r.mean(t, "final.mean", "case="+name, few), 1, 0.35)
	}
	// All moves take 8.8 s longer than there is time for, which is 4.4 s on average. Central's users hear of theirs by an update,
	// which waits for whatever had come by then.
	between(t, "Central's response to 64, with half of the moves", r.mean(t, "final.mean", "case=Central", many), 4.4, 7.5)
	between(t, "Broadcast's response to 64, with half of the moves", r.mean(t, "final.mean", "case=Broadcast", many), 4.4, 5.5)
	for _, clients := range []string{few, many} {
		between(t, "SEVE's response, a round trip and a half", r.mean(t, "final.mean", "case=SEVE", clients), 0.34, 0.38)
	}
	alike(t, "what the server of Central computes and a client of Broadcast", r.mean(t, "work.server", "case=Central", few), r.mean(t, "work.client", "case=Broadcast", few), 1.05)
	between(t, "what SEVE's server computes per tick and client", r.mean(t, "work.server", "case=SEVE", few)/32, 0.3, 3)
	atMost(t, "what is wrong under SEVE", r.mean(t, "violations", "case=SEVE", many), 1, 0)
	atLeast(t, "what is wrong under RING", r.mean(t, "violations", "case=RING", many), 1, 0.01)
}

// Figure 7: 25 clients whose moves take longer and longer to work out.
func TestSeveComplexity(t *testing.T) {
	r := run(t, "seve/complexity", "--set", "world.cost=[10ms,25ms]")
	for _, name := range []string{"Central", "Broadcast"} {
		atMost(t, name+"'s response at 10 ms", r.mean(t, "final.mean", "case="+name, "world.cost=10ms"), 1, 0.4)
		between(t, name+"'s response at 25 ms, about 20 s", r.mean(t, "final.mean", "case="+name, "world.cost=25ms"), 15, 21)
	}
	between(t, "SEVE's response at 25 ms", r.mean(t, "final.mean", "case=SEVE", "world.cost=25ms"), 0.38, 0.5)
}

// Figure 8: of a throng that disperses a few moves are dropped by the information bound, however far users see.
func TestSeveDensity(t *testing.T) {
	r := run(t, "seve/density", "--set", "world.sight=[10,100]", "--set", "case=information bound, 30")
	for _, sight := range []string{"world.sight=10", "world.sight=100"} {
		between(t, "the response", r.mean(t, "final.mean", sight), 0.38, 0.46)
		between(t, "the share dropped, 1.5% to 7.5%", r.mean(t, "drops", sight), 0.015, 0.075)
	}
}

// Section V-B: when neighbours are within the effect range of a move, clients without the bound are overwhelmed.
func TestSeveCrowding(t *testing.T) {
	r := run(t, "seve/crowding", "--set", "world.spacing=[12,8]")
	of := func(name, spacing string) float64 {
		return r.mean(t, "final.mean", "case="+name, "world.spacing="+spacing)
	}
	atMost(t, "the response of those 12 apart without the bound", of("first bound", "12"), 1, 0.5)
	atLeast(t, "the response of those 8 apart without the bound over that with it", of("first bound", "8"), of("information bound, 30", "8"), 3)
}

// Table II: the share of moves dropped grows with how far they reach.
func TestSeveEffectRange(t *testing.T) {
	r := run(t, "seve/effect-range", "--set", "case=information bound, 30")
	near, usual, far := r.mean(t, "drops", "world.effect=5"), r.mean(t, "drops", "world.effect=10"), r.mean(t, "drops", "world.effect=20")
	atMost(t, "the share dropped at 4", near, 1, 0.01)
	atLeast(t, "at 10, beyond that", usual-near, 1, 0.01)
	atLeast(t, "at 20, beyond that", far-usual, 1, 0.05)
}

// Figure 9: what broadcast sends grows with the square of the clients, what SEVE sends as what the central server does.
func TestSeveTraffic(t *testing.T) {
	r := run(t, "seve/traffic", "--set", "world.avatars=[16,64]")
	growth := func(name string) float64 {
		sent := func(avatars string) float64 {
			return r.mean(t, "bytes.sent.server", "case="+name, "world.avatars="+avatars)
		}
		return sent("64") / sent("16")
	}
	between(t, "broadcast's growth by four times the clients, the square", growth("Broadcast"), 15, 17)
	between(t, "SEVE's", growth("SEVE"), 3.8, 5)
	between(t, "Central's", growth("Central"), 3.8, 4.5)
}

// Figure 10: being right costs SEVE little beside passing on what can be seen.
func TestSeveOverhead(t *testing.T) {
	r := run(t, "seve/overhead", "--set", "world.avatars=60")
	ring := r.mean(t, "final.mean", "case=RING")
	atMost(t, "SEVE's response, asked for, over RING's", r.mean(t, "final.mean", "case=SEVE without pushes"), ring, 1.05)
	between(t, "SEVE's response over RING's: half a round trip more", r.mean(t, "final.mean", "case=SEVE")/ring, 1.4, 1.6)
	atMost(t, "what a client computes, over RING's", r.mean(t, "work.client", "case=SEVE"), r.mean(t, "work.client", "case=RING"), 1.02)
	atLeast(t, "what is wrong under RING", r.mean(t, "violations", "case=RING"), 1, 0.01)
}

// Section III-E: without a bound, chains go around the table; with one, they are as long as it allows.
func TestSevePhilosophers(t *testing.T) {
	r := run(t, "seve/philosophers", "--set", "world.count=[40,160]", "--set", "duration=10s")
	for count, seats := range map[string]float64{"40": 40, "160": 160} {
		at := "world.count=" + count
		for _, name := range []string{"incomplete world", "first bound"} {
			alike(t, "the longest chain of "+count, r.mean(t, "closure.max", "case="+name, at), seats, 1)
		}
		atMost(t, "the longest chain with a bound", r.mean(t, "closure.max", "case=information bound, 5 seats", at), 1, 12)
	}
}

// Section III-B: A falls under RING and nowhere else.
func TestSeveShooters(t *testing.T) {
	r := run(t, "seve/shooters")
	between(t, "what is wrong under RING", r.mean(t, "violations", "case=RING"), 0.2, 0.35)
	atMost(t, "under Broadcast", r.mean(t, "violations", "case=Broadcast"), 1, 0)
	for _, protocol := range []string{"basic", "incomplete", "first-bound", "information-bound"} {
		atMost(t, "under "+protocol, r.mean(t, "violations", "mechanism.protocol="+protocol), 1, 0)
	}
}
