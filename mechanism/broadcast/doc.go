// Package broadcast shares a world by passing every action on to everybody: a server puts them into one order, and every
// client carries all of them out.
//
//	guarantees  one order of actions, the server's; all clients that have come equally far in it hold the same world to the bit
//	delay       own actions a round trip, others' the way to the server and from there; and however long a client is behind
//	bytes       up 6 to 20 per action; down as much for each action of anybody, to everybody: the square of the users
//	cpu         server 1 per client and action; every client carries out every action there is
//	fails when  the actions of all users are more than one client can carry out, or one link can take; the server fails
//	client dies gone after the patience (10 s), or at once if it says goodbye; its user leaves; its return learns
//	            the world from another
//	server dies the world begins again when another takes its place, and all come back to it within seconds;
//	            what clients held is given up
//
// It is the way of the military simulators SIMNET and NPSNET, as the authors of SEVE describe and measure it (sections II and
// V): strictly consistent, and exactly as scalable as its slowest client, since nobody is spared anything. They have no
// server in the middle; with one, the order is the same everywhere, which theirs is not.
//
// What makes it work is package relay, without a filter.
package broadcast
