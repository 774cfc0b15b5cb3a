// Package mechanism is the contract between the ways of sharing a world and whatever drives them.
//
// A mechanism decides who sends what to whom, and when, so that many people can be in one world. It is written as a state
// machine without input or output: a [Node] is handed messages and wake-ups with the time as an argument and leaves what
// it wants done in an [Outbox]. It owns no goroutine, clock, socket, random source or logger. The laboratory drives nodes
// in simulated time and the live server in real time; what is measured is what is served, and a test drives a node by hand
// with no set-up at all.
//
// A node's state and its outbox depend only on how it was built and on the calls made since. Payloads are bytes even
// inside one process, so that sizes are honest and nothing leaks by pointer; what cannot be read is counted ([Malformed])
// and dropped.
//
// Mechanisms know nothing of the world they share but its [world.World]; a branch for one world inside a mechanism is a
// defect. What several mechanisms need lives below parts, a package each: link (reliable and batched messages), latejoin
// (fetching a snapshot of a run under way), memo (replicas that share a step), and for those with servers membership (who
// takes part), input (users' actions and their answers), sight (who sees what), update (states over datagrams that get lost),
// prediction and interpolation (what clients show). Package mechanismtest holds the
// tests that every mechanism must pass.
//
// The contract grows by optional interfaces, never by widening Node; see extensions.go.
package mechanism
