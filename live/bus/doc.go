// Package bus joins processes into one world: nodes that live in different processes send each other datagrams over NATS, and
// places of artificial players go from process to process as processes come and go.
//
// The process that a world begins in is its first; it has the servers' nodes, and brings a NATS server along unless it is
// given one. Further processes are members. Each has a hub and a gateway of its own: people who come in through different
// gateways are in the same world.
//
//	throng.<world>.node.<id>      datagrams for a node, heard by the process that holds its place
//	throng.<world>.first          requests to the first process
//	throng.<world>.member.<n>     requests to a member
//
// # Datagrams
//
// What a hub has for nodes elsewhere waits in a queue of bounded size, so that nobody who sends ever waits for the bus; what
// does not fit is dropped and counted, as is everything that cannot be read. While there are no members nothing is sent and
// nothing subscribed to: a world in one process pays for no more than an idle NATS server.
//
// # Coming and going
//
//	member                                 first
//	join{version}                    ──▶
//	                                 ◀──   number, users' numbers, description
//	clock{}, some times              ──▶
//	                                 ◀──   the world's time
//	take{number}                     ──▶                               cede{how many} ──▶ other members
//	                                 ◀──   a fair share of the players               ◀── these players
//	beat{number, what it holds}      ──▶
//	                                 ◀──   the world's time
//	leave{number, what it held}      ──▶   or:  ◀──  end{reason}
//
// Whoever hands a place over ends its node before; whoever takes it starts one that joins the run late, under a higher epoch. The first
// process knows from the beats who holds what. A member that is silent for longer than the patience (DefaultPatience) is
// taken to be dead: artificial players take its places again, in the first process, and users who were admitted there are
// taken out of the world. A member that was given up in error learns so with its next beat, and ends.
//
// Members know the world's time from the answers to their beats, by the same estimator as clients ([protocol.Offset]).
//
// When the first process ends it says so, and members end as well ([ErrEnded]). When it dies members notice after the
// patience and end ([ErrGone]): the servers' nodes were there.
package bus
