// Package sim runs a world under a mechanism over a network in simulated time: one thread, one seed, one order of events.
//
// A [Run] puts each node of the mechanism on a [Host] with a processor, a link and a clock of its own, lets artificial
// users act through the clients, and carries datagrams between hosts by a network model. Nothing happens between events:
// an idle host costs nothing, and the cost of a run is in proportion to what happens in it.
//
// Who comes, goes and fails is in the timeline of package churn, which a run carries out: a node that crashes takes with it what
// waits for it, one that returns is a new one under a higher epoch, and one that is frozen goes on as it was. The nodes of one
// process share a processor, a link and a clock.
//
// At one instant the order is: the timeline's events, nodes start, datagrams arrive, nodes wake, users act, observers look. Observers see every host's true
// inner state; nothing inside the run sees them. What they are told of is in observe.go; package measure has those that
// measure a run, package check those that can fail it.
package sim
