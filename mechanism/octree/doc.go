// Package octree shares a world among any number of servers without cutting it into zones: where an object is, where its state is
// stored and who runs it are three separate things. Storage nodes hold the world and publish it; servers watch volumes of it, run
// the rules for what they answer for, and serve clients, any of them anywhere.
//
//	guarantees  what clients are told has been stored by as many storage nodes as must acknowledge; every object has one server; no
//	            order of all actions: what one changes of several servers' objects, each server changes when it hears of it
//	delay       own doings none, if the server agrees; others' two pulses and two ways between servers and storage besides
//	            central's
//	bytes       clients as under central; a server hears of each change in what it watches once, however many of its clients see it
//	cpu         a server steps and serves its own; a storage node pays for each change and for each server that watches it
//	fails when  more storage nodes are lost at a time than copies less acks; servers are far from storage nodes
//	client dies its user leaves after the absence (8 s), or at once if it says goodbye; its return is let in at once, by any server
//	server dies its users go on with other servers after the time-out (0.8 s); what it answered for, others do after the lease
//	            (0.5 s); nothing that users were told is done is lost; another that takes its place is used at once
//
// # Who sends what when
//
// A server carries its users' actions out as they come and lets what it answers for take a step each tick (server.go, orders.go). At
// every pulse it writes what has changed to the storage nodes that hold it (writes.go, package area), and tells its clients of it
// when enough of these have acknowledged that. An action is answered when its effects are stored.
//
// A server watches the surroundings of all that it answers for: they are fitted to nodes of the octree, and storage nodes are told
// what has come to be watched and what no longer is, additions first (watch.go, parts/octree). A storage node keeps the objects
// that it holds in an octree, and the servers by what they watch in another; at every pulse it tells each server what has
// changed for it (publish.go). What a server watches of an object it hears from one of those that hold it; from another if that
// fails.
//
// # Who answers for what
//
// Each object has a holder, a server, and an epoch that grows with every other holder; storage nodes refuse what anybody else
// writes of it. A server comes to hold an object when so many storage nodes grant it for one epoch that no other can have as many: because
// the holder hands it over, since the user's client has come to another server or the world says that another user answers for
// it; or because the holder has failed. It has when more storage nodes are out of touch with it than may be for its writes
// to count. By then it has noticed the same, and answers for nothing.
//
// Whoever takes an object over also learns which actions were done to it lately: clients repeat what was not answered, and nothing
// is done twice.
//
// # Changing what others answer for
//
// A server that wants something of another's to be changed makes a request (change.go, requests.go): set a number if it is unchanged, add to a
// set or take from it, increment. The server that answers for the object takes requests as they come; of those that contradict each other
// the first wins. What came of it is stored with the object, and told to who asked once enough storage nodes have it; so a request that is repeated, to
// another server if need be, is carried out once. An action that changes objects of several servers is carried out by one of them,
// which makes requests for the others' objects.
//
// # Storage
//
// An object's ID picks one of the chunks of a ring; chunks are assigned to storage nodes in turn, and an object is held by the
// node of its chunk and by those that follow (ring.go). A storage node that takes the place of one that has failed is told
// everything by the others and by the servers (refill.go); until then it answers no questions.
//
// # Who serves whom
//
// With balancers, a client asks one which server is to let it in. That asks storage nodes where the user is, and picks a server that
// serves those around, unless it has too much to do (balancer.go, parts/assignment). Servers tell all balancers where their clients look, and
// ask one of them about some clients now and then (placing.go). One that had better be elsewhere is handed over: its next server watches what it sees before
// the client is told to go (guests.go), and the client shows what the old one told until the new one has told everything
// (parts/viewer). So are all of a server that is to go. Nothing of this decides who answers for an object: balancers may be wrong, fail, and disagree.
//
// # Budgets
//
// A client with a budget is told of what is near one by one, as far as that goes, and of the rest by clouds (budget.go, parts/aggregate).
//
// # Trust
//
// Servers and storage nodes believe each other. A server believes a client nothing but what its user wants, as under central.
//
// # The source
//
// Behnke, Scalability and Performance of Large Distributed Virtual Environments (QuP), chapters 3 to 6. We depart from it in this:
// nodes of the octree are not stored by themselves; each storage node has the part of the tree that its own objects are
// in, so that a change needs no second lookup and the nodes near the root are nobody's bottleneck. An object's box is a point.
// Change requests go to the server that answers for the object, not to storage nodes: it puts them in order, and storage nodes refuse what
// anybody else writes. The ring is fixed while a run lasts.
package octree
