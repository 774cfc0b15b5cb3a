// Package central is the plain authoritative server: clients send what their users do, the server carries it out in the one
// world that counts, and each client is sent what its user may see of it.
//
//	guarantees  one order of actions, the server's; once things rest a client has just what its user may see of them
//	delay       own doings none, if the server agrees; others' half a round trip, the wait for an update, the render delay
//	bytes       up 20 per action or update; down 8 to 10 per update for each object in sight that changed, within the budget
//	cpu         server 3 to 5 µs per client and update with ten in sight, 1 µs per action; where all see all 5 to 9 µs
//	fails when  the server does, or has more to do than one machine can; predictions err where others decide (a collision)
//	client dies gone after the time-out (10 s), or at once if it says goodbye; its user leaves; its return is let in at once
//	server dies the world begins again; clients come back by themselves, within a third of the time-out
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
// lets many see an action before the next tick; where there are many, each soon after it is usually heard from. A client is sent the objects in its user's sight (package sight) that have
// changed since it was last sent them, as differences to what it has acknowledged (package update). Where a budget does not
// allow for all of it, what is near, what moves and what has waited goes first, and everything gets its turn. Where everybody
// sees everybody under a budget, clients get everybody in crowds, as often as the budget allows, and previews of the few that
// are nearest with every update.
//
// Users' own objects are sent exactly, for clients to build on. A client carries its user's actions out at once on them, in
// a view that is ahead of the server by as much as actions take to arrive there, and starts again from what the server says
// where that turns out to have been wrong (package prediction). Everything else is shown as the server said it was some time
// ago, moving from update to update, or as the rules guess it is by now (package interpolation).
//
// # What may be seen
//
// A client is sent nothing that the world veils from its user. How far a user sees is kept to with the slack of the margin,
// and to the update while up to 16 objects are in sight. With n of them sight is looked at anew every n/16 updates (by the
// default of the parameter look), so that for as long something may be sent of what has just gone too far.
//
// # Trust
//
// The server believes a client nothing but what its user wants. A message is checked as a whole before any of it counts:
// its form, that its node is the user's, that the world knows the verb and its arguments, that it acknowledges nothing that
// was not sent. What a user may do per tick is bounded, as is the memory for each client. A client believes the server.
package central
