// Package zonal shares a world among its users' own machines: they pass on what others tell, along a tree for each zone of the map, and
// servers only keep the trees and stand at their roots.
//
// The map is divided into hexagons (package hexagon), each with a hybrid node: a server, not a player. Who is in a zone hangs in its
// hybrid node's tree (package tree). A peer decides about what its user answers for and tells of it in letters, which everybody in
// the tree gets: each passes on what comes from one neighbour to the others. Who sees beyond the zone is told by the other
// zones' hybrid nodes what it sees there.
//
//	guarantees  none at any moment; who sees something has heard of it; views agree up to rounding once all is quiet
//	delay       none for own actions on what one answers for; for others a network delay and the gathering for each level, plus the interval
//	bytes       up a letter of 30 to 60 bytes per interval for each child and each writer in the zone; a server twice its zone's letters
//	cpu         a peer moves what it answers for; one unit for each object heard of, one for each datagram sent
//	fails when  a zone has more users than its levels have room for; things interact faster than letters travel; a peer lies
//	client dies the hybrid node feeds its children until they turn to their backup parents; its things are gone after three refreshes, or stay with the hybrid node where users cannot leave
//	server dies its zone's trees below it go on; its children turn to each other, and another learns the tree and the zone from them
//
// # Who sends what when
//
// Joining: a peer asks the hybrid node of the zone that its user is in, which knows the whole tree, who could be its parent; it pings
// those that are proposed, all at once, and attaches to the nearest. The second nearest is its backup. Parents tell the hybrid node
// who their children are, again until it has heard and now and then. The same happens at every change of zones; a peer leaves one
// tree only when it is in the other. While it has no parent it looks into its own zone as it does into others, and the hybrid node
// passes its letters on: so nobody is ever blind or mute for want of a place in a tree.
//
// Leaving: who leaves tells parent and children. Who vanishes is missed: parent and child hear of each other at least at every
// keep-alive; after two that were missed a parent gives its child up, after three a child its parent. Orphans attach to their
// backup with a single message, and what hangs on them stays as it is. Long before that, when a parent is silent for longer than it
// ever is, the hybrid node stands in for it: see doubt.go. A peer knows its way from the root, so that nobody attaches to what
// hangs on itself; where two do so at the same moment the way shows it, and one lets go.
//
// Letters are not acknowledged: the next one makes up for what is lost. Key messages are, and repeated until then: asking, attaching,
// reports of children, goodbyes, and actions on what others answer for. Those are sent to whoever does, and each carries out
// the share that changes what it answers for.
//
// # Who answers for what
//
// Whom the world names, else the user whom it belongs to, else the hybrid node of the zone that it is in. What is nowhere is the first
// one's, and is told everywhere. A thing that changes so that another answers for it, or goes over into another zone if it is nobody's, is
// handed over: told as it was when that happened. A user's things in other zones are told of there, by their hybrid nodes.
//
// # Seeing across borders
//
// A peer looks into every zone of which its user sees something, by telling its hybrid node where the user is and how far that one
// sees. It is not part of that tree, and gets only what it sees. Who counts as in a zone may be half a band outside of it, so
// it looks as soon as sight crosses the check-in line, half a band before the border: the hidden node. Sight counts as larger
// by what the fastest thing moves in a second, since places are known late.
//
// A peer is believed only about what it answers for, or did until now; whether relays pass letters on as they are can be audited: see
// audit.go.
//
// Parents of leaves pass on to them only what they see; others need all for those below them.
//
// # Zones that are too full
//
// A hybrid node whose tree has more nodes than its levels have room for shares with its neighbours, by package balance: those in the
// outer parts of the zone join the trees of the zones next to them. A [plan] says who has which part; whoever sees anything of a zone
// knows its plan, and looks into the zones that have the parts in sight.
//
// # The source, and where this departs from it
//
// Zonal, chapters 3 and 4. As there: the tree's protocol, numbers of missed keep-alives, bands, foreign leaves, filtering, what a
// letter says of its writer, load balancing, which it leaves unbuilt. Otherwise:
//
//   - A peer that changes zones first joins the new tree and then leaves the old one.
//   - Who has no parent is fed by the hybrid node as if it were in another zone.
//   - Letters gather for some milliseconds and share datagrams.
//   - At most eight parents are proposed, those nearest to the root; peers look for another backup now and then.
//   - A parent takes half as many children again as it has room for where it was their backup.
//   - Capacity is not enforced: where sharing does not help, trees grow deeper. Its formula is exact for two children each; with four, three
//     levels have room for 84 and not for the 254 that it says. Config.Capacity chooses.
//   - A parent that is silent is doubted, and stood in for, before it is given up.
//   - Users see as far as the world says, all around; what it veils is not kept from anybody.
package zonal
