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
// and dropped. A node writes to its outbox and never reads it: some drivers carry datagrams away as they are sent.
//
// Mechanisms know nothing of the world they share but its [world.World]; a branch for one world inside a mechanism is a
// defect. What several mechanisms need lives below parts, a package each: link (reliable and batched messages), latejoin
// (fetching a snapshot of a run under way), memo (replicas that share a step), hexagon, tree and balance (zones of a map, who feeds
// whom in one, and what becomes of those that are too full), and for those with servers membership (who takes part), input (users' actions and their answers), pace (doing
// less where all cannot be done), sight (who sees what), update (states over datagrams that get lost), prediction and interpolation (what clients show), viewer (a client of
// all these), octree, aggregate and assignment (where things are, what crowds are from afar, and who serves whom, without zones). Package mechanismtest holds the tests
// that every mechanism must pass.
//
// # Driving a node
//
// A [Mechanism] lays a run out in places and builds a node for each. A [Machine] is one node, its alarm and its user; it
// keeps what nodes are promised, so that drivers cannot differ in it. A driver brings the time, the datagrams and the people,
// and does what is in the outbox. This is all of one:
//
//	config, err := mechanism.Build(how, session, place)     // or session.Join(place, epoch), for one who comes later
//	config.Player = theWorld.Player(place.User, randomness) // if nobody else plays
//	machine := mechanism.NewMachine(config)
//	var out mechanism.Outbox
//	for {
//		select {
//		case m := <-arrived:
//			machine.Receive(now(), m, &out)
//		case <-at(machine.Due()):
//			for _, a := range machine.Advance(now(), &out) {
//				machine.Act(now(), a, &out)
//			}
//		case a := <-person:
//			if machine.Issue(&a) { // numbered, unless the node does not take part yet
//				machine.Act(now(), a, &out)
//			}
//		case <-quit:
//			machine.Leave(now(), &out)
//		}
//		for i := range out.Sends() {
//			send(out.Message(i, place.ID))
//		}
//		out.Reset()
//	}
//
// What happens at one instant happens in one order, whatever the driver: nodes start, datagrams arrive, nodes wake, users
// act. The first is the machine's to keep, the rest is the driver's: of a datagram and a wake-up that fall due together it
// hands over the datagram first.
//
// The drivers are lab/sim (events, hosts with processors, links and clocks of their own), live/driver (a goroutine, a timer
// and a mailbox for each node), live/bots (thousands of clients on a few goroutines), web/internal/play (the page's event
// loop) and mechanismtest (a test's own hands).
//
// # Capabilities
//
// The contract grows by optional interfaces, never by widening Node. Drivers and measures ask for them by type assertion; a
// node or mechanism that lacks one needs no change when it is added. docs/capabilities.md says who has what.
//
// Coming and going: [Arriving] nodes join a run under way, [Departing] ones say goodbye; [Admitting] mechanisms take in users
// beyond those of the beginning.
//
// What a node has: [Holder] (part of the world), [Authority] (it decides), [Simulating] (it runs the rules), [Relaying] (it passes
// on what others say), [Cheating] (for experiments, wrongly), [Placing] (it decides who serves whom), [Sized] (memory), [Ordered] (it follows one order of all actions, and can tell a [Witness]), [Differing] (in
// what its replica differed), [Recorded] (what must survive it), [Slowing] (it does less while it has too much to do).
//
// What a user has: [Lagging] (actions take effect later), [Watching] (it wants to know what is on screen), [Mapped] (areas treated
// differently), [Zoned] (zones, and who feeds whom), [Shadowed] (what is known for certain, beside the view), [Clouded] (crowds from afar, beside the view), [Served]
// (one server of several serves it).
//
// What a mechanism promises: [Converging] (equal views after some rest), [Serial] (everything follows from one order), [Idealised]
// (a bound, on perfect networks only), [Enduring] (it goes on without some servers), [Paced] (an interval of updates), [Lightening] (a light client for load tests), [Mingling] (clients
// speak to each other beside servers), [Described] (it says what is in its datagrams).
package mechanism
