// Package relay is what mechanisms have in common whose server carries nothing out: it puts users' actions into one order
// and passes them on, and every client carries out, in that order, what it is sent.
//
// Who is sent what is up to a [Filter]; without one, everybody is sent everything. Packages broadcast and ring are the two
// mechanisms made of this.
//
// # Who sends what when
//
// A client sends its user's actions to the server as they are taken. The server gives each the next place in the order and
// the tick of its own clock, and passes it on at once; the user's own client gets it back like everybody else, and only
// then does it show there. Time passes in the order, too: a client lets the ticks up to an action's pass before it carries
// it out. Where the world moves by itself and not just by actions, the server says at every tick that it has come.
//
// With a filter, clients also tell how their users' own objects are, before each action and every now and then while these
// move. That is how the server, which has no world of its own, knows who can see whom; and how somebody who comes into
// sight is known to those who have not heard of them for a while.
//
// # Joining a run under way
//
// A newcomer says so to the server, which enters its user into the order and sends it everything from there on. Meanwhile
// it asks another client how the world is (package latejoin), through the server: clients never speak to one another
// (guides.go). A snapshot that was taken at that place in the order or
// later, and what has come since, is all it needs. A client that misses something of the order begins again in this way.
//
// # Going
//
// A client that has nothing to say says now and then that it is there. Who says goodbye, or nothing for longer than the
// server's patience, is told nothing more, and its user leaves the world, where users can: that is put into the order like
// anything else. If it is heard of again it is told so, and joins once more. While all are silent nobody is given up, since
// nobody would be left who knows the world.
//
// A server that takes another's place knows nobody. Who was there is told so and joins again, and the first of them begins the
// world again: the order that it followed from is lost.
//
// # Trust
//
// The server checks the form of what it is sent, that users act for nobody else, and not too often. What a client tells of its user's
// objects it believes. Clients believe the server.
package relay
