// Package loose shares a world as the military simulations of the nineties did (DIS): each host decides about its own
// things and tells others how they are; others overwrite and, in between, guess.
//
// Every host runs the rules for the whole world, tick by tick. For each object one user answers (world.Answers, judged by
// the host's own view, so that it can change over time). What a user does is applied at once to the own view and is never
// sent. What is sent are states: of all objects that the host answers for, at regular intervals; and in between of any
// object that has moved farther than a threshold from its ghost, which is where others must believe it to be by dead
// reckoning from what they were told last. The receiver moves the object on from the time of sending to now and overwrites
// its own copy. Nothing is acknowledged or repeated; the next update makes up for a lost one.
//
//	guarantees  none at any moment; views agree up to rounding once all is quiet and one full update has come through
//	delay       none for own actions on what one answers for; for others the network's, plus up to a tick or an interval
//	bytes       one datagram per peer and interval, plus one per tick in which something strays; 10 to 20 bytes an object
//	cpu         one step of the world per tick, one comparison per object answered for, one unit per object sent or read
//	fails when  things interact faster than updates travel; who answers for a thing is in dispute; a peer lies
//	client dies its things go on as the rules have it; after the patience (10 s) its user leaves, where users can; its return learns
//	            the world from another host
//	server dies there is none; where all hosts die the world begins again
//
// # Who may send what
//
// Replication is passive and trusting. A host refuses updates for what it answers for itself and believes all others,
// whoever in the session sent them: when an object changes hands, the new hands know it before everybody else, and a
// receiver that insisted on its own opinion of who answers would refuse exactly the update that would change it. Of several
// claims the one sent latest counts. While two hosts both think that they answer for a thing, each keeps its own version.
//
// An action on something that somebody else answers for is applied in the actor's view only and lasts until the next
// update overwrites it. Worlds in which users act on what is not theirs want another mechanism.
//
// # Appearing and vanishing
//
// An object that nobody has been told of is sent at once. One that disappears from the view of the host that answers for it
// is listed as removed in that host's next three full updates; receivers drop it and for ten seconds ignore updates for it
// that were sent before. An object that a host's own rules have made up, that somebody else would answer for and that no
// update names within three intervals, is dropped as an error of prediction. Limits: if all three full updates are lost, or
// the host that removed it leaves, the object stays in other views until their own rules remove it.
//
// # Joining a run under way
//
// A newcomer asks another host for its view as it is, exact, with the times at which each thing was last heard of (package
// arrival), lets the time pass that this took, and takes part. Until then its user's actions are refused. Nobody else need
// know: the newcomer's updates are those of its place, and whatever its predecessor has still under way is out of date by
// then, or will be within a second. What happens while the snapshot travels is learnt from the next updates; a removal is
// missed if that takes longer than three intervals.
//
// # The source, and where this departs from it
//
// Adam, chapter IV.1. As there: the distance between object and ghost alone decides, not velocity or attributes, so that
// things without a place (a score) go out regularly only; regular updates leave during a tick; late updates are dropped,
// object by object. The source's netload (8 hosts, 0.35 s, 20 packets a second) shows that a full update is one packet per
// peer; ours is too, up to 1,200 bytes, beyond which it continues in another.
//
//   - The source does not say how hosts' intervals lie to one another. Here they are spread evenly, which avoids bursts; the
//     parameter phase can put them together.
//   - An interval that is no multiple of the tick is kept to on average, not rounded up.
//   - Numbers are rounded to their quanta on the wire. Dead reckoning goes by whole ticks, since a view between two ticks
//     shows the state at the last of them.
//   - Hosts' clocks agree in the source. Here they may differ: up to a second as they please, beyond that the fastest update of a
//     host is taken to have come at once, and the age of the others goes by that.
//   - The source does not say where its rules' chance comes from. Here every host has dice of its own: where the rules leave something
//     to chance, the draw of the host that answers counts, and others guess by their own until they are told. With dice in common each
//     host would foresee what the owner will draw, which no real one could.
//   - Creation and removal, see above, have no counterpart in the source.
package loose
