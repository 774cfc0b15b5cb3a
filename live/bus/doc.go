// Package bus joins processes into one world: nodes that live in different processes send each other datagrams over NATS, and
// places of artificial players go from process to process as processes come and go.
//
// One of the processes that a world begins with is its first; it brings a NATS server along unless it is given one. Further
// processes are members, and founders if the world begins with them: servers' nodes run in the first process and the founders.
// Each has a hub and a gateway of its own: people who come in through different gateways are in the same world.
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
//	join{version, name}              ──▶
//	                                 ◀──   number, users' numbers, description; founders and beginning, if it has begun
//	clock{}, some times              ──▶
//	                                 ◀──   the first process's time
//	take{number}                     ──▶                               cede{how many} ──▶ other members
//	                                 ◀──   a fair share of the players               ◀── these players
//	beat{number, what it holds}      ──▶
//	                                 ◀──   the first process's time, founders that are gone
//	leave{number, what it held}      ──▶   or:  ◀──  end{reason}
//
// Whoever hands a place over ends its node before; whoever takes it starts one that joins the run late, under a higher epoch. The first
// process knows from the beats who holds what. A member that is silent for longer than the patience (DefaultPatience) is
// taken to be dead: artificial players take its places again, in the first process, and users who were admitted there are
// taken out of the world. A member that was given up in error learns so with its next beat, and ends.
//
// When the first process ends it says so, and members end as well ([ErrEnded]). When it dies members notice after the
// patience and end ([ErrGone]): it had servers' nodes, and nobody else knows who holds what.
//
// # Beginning together
//
//	founder                                first
//	join, clock, beat                ──▶
//	                                 ◀──   found{the founders}, when all have joined: each builds its share of the nodes
//	ready{number}                    ──▶
//	                                 ◀──   begin{when}, when all are ready
//
// Members know the world's time from the answers to their beats, by the same estimator as clients ([protocol.Offset]).
//
// Servers' nodes stay in the process that they begin in. When a founder is gone so is a part of the world, which the first
// process notices as it does for any member, and others learn with their beats.
package bus
