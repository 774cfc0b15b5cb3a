// Package sim runs a world under a mechanism over a network in simulated time: one thread, one seed, one order of events.
//
// A [Run] puts each node of the mechanism on a [Host] with a processor, a link and a clock of its own, lets artificial
// users act through the clients, and carries datagrams between hosts by a network model. Nothing happens between events:
// an idle host costs nothing, and the cost of a run is in proportion to what happens in it.
//
// At one instant the order is: datagrams arrive, nodes wake, users act, observers look. Observers see every host's true
// inner state; nothing inside the run sees them. What they are told of is in observe.go; package measure has those that
// measure a run, package check those that can fail it.
package sim
