// Package experiment runs experiments that are written down as data: which world, shared by which mechanism over which
// network, what varies, how often to repeat it, and what to show. A file looks like this:
//
//	title: Loose and optimistic at equal net load
//	about: |
//	  Why anybody would want to know.
//	source: Adam, section 12            # optional
//	extends: adam/base                  # another experiment; maps are merged, everything else is replaced
//	seed: 1
//	duration: 5000s                     # simulated time of one run, of which
//	warmup: 10s                         # this much is not measured
//	replications: 7                     # or precision: {measure: divergence, relative: 5%, min: 3, max: 50}
//	world: {name: swarm, bees: 8}       # or just world: swarm
//	mechanism: {name: optimistic, local-lag: 0s}
//	network: {name: spike, delay: 100ms, loss: 0.1%}
//	host: {}
//	events:                             # optional: who comes, goes and fails, and when; see docs/churn.md
//	  - at 30s: crash server 2, back after 5s
//	churn: {arrive: 5, leave: 5}        # the same at random, by rates
//	commands: game.throng               # optional: actions of a recording, given again in place of artificial players
//	cases:                              # named bundles of parameters
//	  - {name: loose, set: {mechanism: loose, mechanism.interval: 350ms}}
//	  - {name: optimistic, sweep: {mechanism.local-lag: [0s, 100ms]}}
//	sweep:                              # every combination of these, for each case
//	  network.delay: [50ms, 100ms, 200ms]
//	  network.loss, mechanism.link.timeout: [[0, 1s], [1%, 250ms]]   # two that vary together: so many values at a time
//	measures: [divergence, packets.sent]
//	plots:
//	  - {x: network.delay, y: divergence, by: case, title: Divergence, log: y}
//	quick: {duration: 60s, replications: 2}
//
// # What overrides what
//
// An experiment overrides what it extends, its quick block (if asked for) overrides both, a case overrides the
// experiment, a sweep overrides the experiment, and --set path=value overrides everything: on a path that is swept it
// replaces the values, and --set case=NAME leaves only that case. A --set that some points cannot use, because their
// mechanism has no such parameter, is applied to the others. A value of null removes what was inherited. One that has a
// title of its own inherits neither about nor source, which would not be true of it.
//
// Several values in brackets, --set path=[a,b], sweep the path: they replace the values of its sweep, or are one more
// sweep where it had none. Paths that vary together can be set only together, --set path,path=[[a,b],[c,d]], since one of
// them alone would break up what belongs together; points that have only some of the parameters take these. A sweep of
// such paths is inherited, replaced and removed (null) under its whole key; within braces, the key needs quotes.
//
// The parameters that a file gives to a mechanism (world, network) are for the one that it names beside them. When
// another one takes its place, in a file that extends this, in a case, in a sweep or by --set, they are left behind and
// not reinterpreted. What a case, a sweep or --set says about parameters is for the one that the point then has.
//
// # What is random
//
// Replication i has the same seed at every point of an experiment: it is derived from the experiment's seed and i, and
// from nothing else. So the points of one replication share their luck (common random numbers), and differences between
// points are known better than the points themselves. Neither the number of workers nor the order in which runs finish
// influences a result. This holds also for stopping by precision: each point first gets the least number of runs, and
// then, until its measure is known well enough, further rounds of [RoundSize]; it decides only between rounds.
package experiment
