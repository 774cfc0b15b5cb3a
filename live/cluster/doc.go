// Package cluster keeps a world alive on several processes, any of which may die: none of them is the first.
//
// Every process has a replica of all servers' nodes and of the [directory], which says which processes there are and which of
// them holds the place of which user (package replica). One of them leads: what comes for servers goes there, is agreed on in
// batches, and what servers send leaves it when a majority has it. Users' nodes are not replicated: artificial players begin anew
// elsewhere, under a higher epoch, and people's nodes live with them.
//
// # Between processes
//
// Processes have connections with one another (mesh): each dials every other and sends on the connection that it has dialled. A
// connection that ends, to a process that cannot be reached again at once, is that process's death; silence is one after a while, counted
// in our own pings, so that a process that was paused itself judges nobody. Everybody who has the token may join; between
// machines everything is encrypted with a key made from it.
//
//	raft       messages of the consensus engine
//	datagram   of the mechanism, for a node there: servers' to the leader, users' to who holds their place
//	request    a command for the directory, to the leader; asked again until it is answered, and so harmless to repeat
//	ping       by whose answers everybody knows the leader's time
//
// # Deaths
//
//	a process dies   ─▶ connections end
//	                 ─▶ if it led: an election, called at once by the survivor with the smallest number
//	                 ─▶ gone{process}: others play for its artificial players; people's places are kept
//	its people       ─▶ come back through another process with the same token, as the same users: take{seat, process}
//	                 ─▶ those who do not within the grace period are taken out of the world: expire{seat}
//	the leader       ─▶ has a process be started in its place, where the world was begun by one command
//	                 ─▶ join{process}, which gets a snapshot, becomes a member in the dead one's stead, and takes a share of the players
//
// A process that was only paused finds, when it goes on, that nothing it says as a leader comes to pass, since others have elected
// another; and if it was given up it reads so in the log, and ends.
//
// # Leaving
//
// A process that is asked to end drains: others take over what it plays for, its people are told to go on elsewhere, somebody else
// leads, and it ends when the others can agree without it. If all leave, the world ends.
package cluster
