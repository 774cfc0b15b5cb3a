// Package interest cuts the world into areas with a server each, and sends each client the states of what its user is
// interested in.
//
//	guarantees  each object is decided by one server; once things rest a client has just what its user sees of them
//	delay       half a round trip up, the wait for the tick, half a round trip down; own doings too unless predicted
//	bytes       down some 8 for each object in sight that changed, every tick; up 20 per action; between servers the bands
//	cpu         a server steps the objects of its area; 0.1 µs per object sent, 0.3 µs per object moved for who sees it
//	fails when  an area's server does; what crosses a border stands still for as long as it takes to be handed over
//	client dies gone after the time-out (10 s), or at once if it says goodbye; its user leaves; its return is let in at once
//	server dies its area is lost; clients ask it in vain, and one that would take its place is refused
//
// # Who sends what when
//
// A client joins every server (packages membership and input), one of which is home to its user: there the user enters the world and leaves it.
// An action goes to the server that told the client of the object it is done to. If that has crossed into another area
// meanwhile, the server passes the action on, and answers for it when it has been carried out.
//
// A server carries out in each tick what has come for it since the last, in the order of users, and lets its area take a
// step. It runs the world's rules in a window in which only its own objects may change. What is within reach of other areas
// it tells their servers, every tick, over links that lose nothing; they see it and so do their rules. An object that has
// left the area is handed over (package area).
//
// # What users are interested in
//
// With interest "multiple" (MAoI), in what is within sight of any of their objects. A server knows which objects of users
// beyond its border see into its area, since the bands are as wide as sight. Who sees what is worked out from the side of
// what moves (sight.Gaze), and what has changed is encoded once and copied to all who see it (package update). With
// "single" (SAoI), users are interested in the whole map: every server tells all clients the same, in one stream of what has
// changed, over links that lose nothing (see stream.go). In a world that veils anything each is told what it may know.
//
// With proxy, servers tell each other all they have, not just the bands, so that any of them could tell a client
// everything, as servers do that stand in for one another. The rules see no more of it than without.
//
// # Departures
//
// An action that changes objects of several servers changes those of one of them (see area.Target). Users who have had nothing
// in the world from its beginning see all of it, except where the world can be entered: there they see what has no place
// until they have something.
package interest
