// Package central is the plain authoritative server: clients send what their users do, the server carries it out in the one
// world that counts, and each client is sent what its user may see of it.
//
//	guarantees  one order of actions, the server's; a client has just what its user may see, rounded as on the wire, once
//	            that rests and datagrams come through; nobody is told of what they may not see
//	delay       none for what users do to what is theirs, if the server agrees; else a round trip and the wait for the next
//	            update; of others' doings half a round trip, the same wait, and the render delay
//	bytes       up: a datagram per action or update, some 20 bytes; down: 8 to 10 bytes for each object that changed, per
//	            update and client in whose sight it is, within the budget
//	cpu         server: one step of the world per tick, some 50 ns for each object sent to each client, a query of what is
//	            near per update and client; client: a step of the world for what is its user's
//	fails when  the server does: everything waits for it, and more than one machine can carry it cannot; who predicts what
//	            others decide (a collision) is often wrong
//
// # Who sends what when
//
// A client joins (and says so again until it is heard), which enters its user into worlds that can be entered. From then on
// it sends inputs: a receipt for the updates that have arrived, and all of its user's actions that have not been answered,
// so that none gets lost. An input goes out with every action, and otherwise when something is owed. Actions are answered
// in the updates. A client that leaves says so; one that is not heard of for a while has left.
//
// The server carries actions out as they arrive (or all at the next tick), in the order of arrival, and lets the world take
// a step each tick. Between two ticks it serves its clients in slots, a share of them at a time, which spreads the load and
// lets many see an action before the next tick. A client is sent the objects in its user's sight (package sight) that have
// changed since it was last sent them, as differences to what it has acknowledged (package update). Where a budget does not
// allow for all of it, what is near, what moves and what has waited goes first, and everything gets its turn.
//
// Users' own objects are sent exactly, for clients to build on. A client carries its user's actions out at once on them, in
// a view that is ahead of the server by as much as actions take to arrive there, and starts again from what the server says
// where that turns out to have been wrong (package predict). Everything else is shown as the server said it was some time
// ago, moving from update to update, or as the rules guess it is by now (package motion).
//
// # Trust
//
// The server believes a client nothing but what its user wants. A message is checked as a whole before any of it counts:
// its form, that its node is the user's, that the world knows the verb and its arguments, that it acknowledges nothing that
// was not sent. What a user may do per tick is bounded, as is the memory for each client. A client believes the server.
package central
