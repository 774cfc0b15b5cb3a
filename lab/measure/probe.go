package measure

import (
	"slices"
	"sync"

	"throng/lab/sim"
	"throng/world"
)

// Probe is an observer of a run that has figures to report at the end. Beside Report it implements whichever of sim's
// observer interfaces it needs.
type Probe interface {
	// Report emits the probe's figures for the given span of measured time: always the same names in the same order. A
	// figure that the run gave no occasion for is NaN.
	Report(span world.Time, emit Emit)
}

// Emit takes one figure. The unit is empty for relative figures.
type Emit func(name, unit string, value float64)

// Entry names a probe and the figures it reports.
type Entry struct {
	Name    string
	About   string
	Figures []string // in the order of Report
	// New makes the probe for a run. A truth runs beside the run only if some probe asks for it here.
	New func(r *sim.Run, truth func() *Truth) Probe
}

// All is every probe that throng comes with.
func All() []Entry {
	return []Entry{
		{"divergence", "how far the hosts' views are apart, relative to the variables' ranges",
			[]string{"divergence"}, func(r *sim.Run, _ func() *Truth) Probe { return NewDivergence(r) }},
		{"discontinuity", "how far views are from one tick to the next from what they would show by themselves, in squares of relative changes: without what changes smoothly, and with it",
			discontinuityFigures, func(r *sim.Run, _ func() *Truth) Probe { return NewDiscontinuity(r) }},
		{"drift", "how far views are from the truth: relative, and as a distance in space",
			driftFigures, func(r *sim.Run, truth func() *Truth) Probe { return NewDrift(r, truth()) }},
		{"displacement", "how far avatars are from where an undivided world has them that carries out the same actions in the same ticks: with the servers that hold them, and in views; and for how long",
			displacementFigures, func(r *sim.Run, _ func() *Truth) Probe {
				reference := NewReference(r)
				r.Observe(reference)
				return NewDisplacement(r, reference)
			}},
		{"latency", "from a user's action to its effect in the own view (response), in others' (observation), and until it is final",
			latencyFigures(), func(r *sim.Run, _ func() *Truth) Probe { return NewLatency(r) }},
		{"traffic", "packets and bytes sent and received per host and second: mean, maximum, and by class",
			trafficFigures(), func(r *sim.Run, _ func() *Truth) Probe { return NewTraffic(r) }},
		{"sides", "packets, bytes and items (commands and states of objects, however packed) of all servers together and of one client on average, of one server and all clients, and of whoever has most, per second, per tick and by class",
			sidesFigures(), func(r *sim.Run, _ func() *Truth) Probe { return NewSides(r) }},
		{"cost", "work per host and tick, memory per host",
			costFigures, func(r *sim.Run, _ func() *Truth) Probe { return NewCost(r) }},
		{"effort", "objects simulated per host, waiting per tick, ticks done per second, work per tick and memory, of servers and of clients",
			effortFigures(), func(r *sim.Run, _ func() *Truth) Probe { return NewEffort(r) }},
		{"transitions", "how often users begin and cease to simulate areas, what that takes, and how often objects change servers",
			transitionFigures, func(r *sim.Run, _ func() *Truth) Probe { return NewTransitions(r) }},
		{"collisions", "how often two objects come to touch, and the share of these collisions that a border lies between, by the size of areas",
			collisionFigures(), func(r *sim.Run, truth func() *Truth) Probe { return NewCollisions(r, truth()) }},
		{"interest", "how many areas of the world concern users much, and how often they turn to another place, judging by their commands",
			interestFigures(), func(r *sim.Run, _ func() *Truth) Probe { return NewInterest(r) }},
		LoadEntry(),
		{"events", "what nodes report: roll-backs, repeats, messages late, dropped or malformed, replicas that differed; and packets lost, by cause",
			eventFigures(), func(r *sim.Run, _ func() *Truth) Probe { return NewEvents(r) }},
		{"service", "what clients get of servers that have too much to do: updates per second of their processors' time, how much of the mean the least served tenth gets, how far servers slow down (the interval between updates over the usual one) and until when",
			serviceFigures, func(r *sim.Run, _ func() *Truth) Probe { return NewService(r) }},
		{"fairness", "the share of users' actions that were dropped: of all, of the worst off, and how far users' shares are apart",
			fairnessFigures, func(r *sim.Run, _ func() *Truth) Probe { return NewFairness(r) }},
		{"order", "where all actions have one order: how much an action depends on, how often one is carried out again, and what was held for certain that does not follow",
			orderFigures, func(r *sim.Run, _ func() *Truth) Probe { return NewOrder(r) }},
		{"life", "where people come and go and machines fail: how long it takes to join (join), how long those who heard from a failed node hear nothing from it (outage) and everybody else nothing at all (silence), users thrown out, actions that were final and are lost, bytes until a node takes part",
			lifeFigures, func(r *sim.Run, _ func() *Truth) Probe { return NewLife(r) }},
		{"replicas", "where nodes are kept on several computers: how long what they are handed waits until it is safe, what replicas say to each other per node and second, and how often another one comes to lead",
			replicaFigures(), func(r *sim.Run, _ func() *Truth) Probe { return NewReplicas(r) }},
		{"relay", "where users' machines pass on what others tell, along trees: how long joining and turning to a backup parent take, how old news is on arrival and the share within 200 ms, by how often it was passed on, how often users change zones and lose their parents, how deep trees are, how many a node feeds, and how long anybody hears nothing",
			relayFigures(), func(r *sim.Run, _ func() *Truth) Probe { return NewRelay(r) }},
		{"sightings", "things in a user's sight, and the share of them that the user's view does not have",
			sightingFigures, func(r *sim.Run, _ func() *Truth) Probe { return NewSightings(r) }},
		{"cheats", "relays that cheat: how many are found out and how soon, who is left wrongly, who hangs on a cheat, what is shown elsewhere than it is",
			cheatFigures, func(r *sim.Run, _ func() *Truth) Probe { return NewCheats(r) }},
		{"crowds", "what users lose of a crowd whose every member they cannot be told of, by distance (up to a sixteenth of sight, a quarter, all of it): the share of those around that are shown one by one, by how much their number is wrong, clouds included, and how far from their places those are who are shown",
			crowdFigures(), func(r *sim.Run, _ func() *Truth) Probe { return NewCrowds(r) }},
		{"score", "how well the users did, by the world's own count per second",
			[]string{"score"}, func(r *sim.Run, _ func() *Truth) Probe { return NewScore(r) }},
	}
}

// Reporting picks the entries that report any of the named figures: what nobody asked for need not be measured.
func Reporting(entries []Entry, figures []string) []Entry {
	var picked []Entry
	for _, e := range entries {
		if slices.ContainsFunc(e.Figures, func(f string) bool { return slices.Contains(figures, f) }) {
			picked = append(picked, e)
		}
	}
	return picked
}

// Probes are the probes of one run with their truth. At the end of the measured time they report; what happens while the run
// settles does not count.
type Probes struct {
	run     *sim.Run
	probes  []Probe
	figures []Figure
}

// Figure is one measure of one run.
type Figure struct {
	Name, Unit string
	Value      float64
}

// Attach has a run measured by the given probes.
func Attach(r *sim.Run, entries []Entry) *Probes {
	p := &Probes{run: r}
	truth := sync.OnceValue(func() *Truth {
		t := NewTruth(r)
		r.Observe(t)
		return t
	})
	for _, e := range entries {
		probe := e.New(r, truth)
		r.Observe(probe)
		p.probes = append(p.probes, probe)
	}
	r.Observe(p)
	return p
}

// End implements sim.Ender.
func (p *Probes) End(world.Time) {
	span := p.run.Setup().Duration - p.run.Setup().Warmup
	for _, probe := range p.probes {
		probe.Report(span, func(name, unit string, value float64) {
			p.figures = append(p.figures, Figure{name, unit, value})
		})
	}
}

// Figures are what the probes reported, in their order.
func (p *Probes) Figures() []Figure { return p.figures }

// lastUser is the highest user that there ever is in a run.
func lastUser(r *sim.Run) world.User { return r.Setup().Timeline.LastUser(r.Setup().World.Users()) }

// clients are the hosts with a view, those included whose users come later.
func clients(r *sim.Run) []*sim.Host {
	var with []*sim.Host
	for _, h := range r.Hosts() {
		if h.Place.User != 0 {
			with = append(with, h)
		}
	}
	return with
}

// seconds is a span of time for reporting.
func seconds(t world.Time) float64 { return float64(t) / float64(world.Second) }
