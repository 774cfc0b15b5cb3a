// Package lockstep shares a world by carrying out the same actions in the same order everywhere, one turn after the other, with
// everybody waiting for everybody.
//
// Every node has the whole world and computes it alike; only actions travel. One server puts them into an order. Time falls
// into turns of some ticks. What a user does in a turn goes to the server when the turn is over; when the server has heard
// from everybody, it tells everybody what is to be carried out before the first tick of a later turn. Who has not heard of
// that yet when the turn comes stands still, and since the server then does not hear from them, so do all others soon.
//
//	guarantees  all replicas are equal at equal ticks, to the bit; every action takes effect once, everywhere at the same tick
//	delay       everybody's actions: from the end of their turn, the way to the server and back, rounded up to whole turns
//	bytes       per turn and client 13 up and 8 down, some 8 to 20 per action up, and as much down for each client
//	cpu         everybody computes everything; the server 2 µs per client and turn, clients 2 µs and 0.15 per action
//	fails when  anybody is slow, in which case all are; all wait while the server is gone
//	client dies all wait for a quarter of the patience, then go on without it; its user leaves
//	server dies all stand still until another takes its place, tell it of the world, and go on within three seconds of its return
//
// # Who sends what when
//
//	client                                          server
//	  │ turn k is over: what my user did in it,        │
//	  │ how my world is now ─────────────────────────▶ │ compares that with its own replica
//	  │                                                │ has heard that from everybody:
//	  │ ◀───── this is carried out in turn k + delay ─ │ turn k + delay is closed
//
// All of this is sent by ordered links (package link). The server is somebody to be waited for, too, so that nobody gets ahead
// of the time. It may close several turns ahead: as many as the delay has. The delay is fixed, or follows the round trips
// that clients measure, for each its own within the bound of fairness (package turn).
//
// # Time
//
// Replicas take their ticks by the server's clock, when they are due. A client asks for the server's time now and then; as
// long as the answers leave room for its own clock to be right, it believes its own. A replica that had to wait takes its
// ticks a third faster until it has made up for it. What the world has been late by more than a second it stays late: the
// server says so with the turns, and all put their ticks off alike.
//
// # Replicas that differ
//
// A turn-advance has a fingerprint of the client's replica. If that is not the server's, rules or machines are not what they
// should be. The server sends its own fingerprints of the turn's ticks, by which the client finds the first tick in which the
// two differ (both keep the states of the latest ticks, until all are known to agree). It fetches the server's state at that
// tick: that tells which objects and numbers were wrong, and from there it goes on, as somebody who
// joins. Nobody waits for it meanwhile.
//
// # Joining a run under way
//
// A newcomer fetches a snapshot (package latejoin), names the first turn that it does not know, is told all turns from there
// on, and carries them out as fast as it can. The server waits for it from its first turn-advance on, which it sends when it
// is in step. So joining stops nobody. Somebody whom the server has waited for in vain for longer than its patience, or a quarter of it
// without hearing anything at all, is not waited for any more, and comes back the same way; in worlds that users can leave, the user has left meanwhile, and who joins
// enters: the server has both done by actions like any other. A client that says goodbye is gone at once.
//
// # A server that returns
//
// Every client has all of the world. Who takes the server's place asks those who speak to it how far theirs has come, takes
// the one that most know, fetches it from one of them, and lets all join again; what some had been told and most had not is lost
// (package latejoin). Users whose clients do not come back leave. The world begins again only if nobody is left who knows it.
//
// # Trust
//
// The server believes a client nothing but what its user does, how long messages take and that it is done, and how the world is
// only if most say so; all messages are checked as a whole before any of it counts. A client believes the server. Anybody can make all wait, until the
// patience with them is used up (package stall): a little each time for good, or for long once.
//
// # The source, and where this departs from it
//
// The mechanism is the event-based lockstep simulation that the authors of Area of Simulation compare with (sections 2.1 and
// 6.1; dynamic delays in appendix C). There, a run ends where replicas differ, nobody joins, and nobody is given up.
//
// There, a client's dynamic delay is its round trip in turns. That is too short in two ways. An action can only be ordered
// when its turn is over, so that one turn more passes. And it must be not only back at its client in time but with all others
// too: what counts is the way to the server and from there to the farthest client.
package lockstep
