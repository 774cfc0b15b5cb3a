// Package ring shares a world by passing an action on to those who can see its actor, and to nobody else.
//
//	guarantees  none: what reaches further than sight is missed, and who misses something computes on without it
//	delay       own actions a round trip, others' the way to the server and from there
//	bytes       up 10 to 50 per action, the user's object included; down 6 to 20 for each action of somebody in sight
//	cpu         server 1 per object looked at to find who sees whom; a client carries out the actions of those in sight
//	fails when  effects outreach sight (A sees B; C, unseen by A, shoots B before B shoots A), and nobody notices
//	client dies gone after the patience (10 s), or at once if it says goodbye; its user leaves; its return learns
//	            the world from another
//	server dies the world begins again when another takes its place, and all come back to it within seconds;
//	            what clients held is given up
//
// The idea is that of RING, as the authors of SEVE describe it (sections II and III-B): a server that knows where everybody is
// and culls by line of sight. It has no more to go by than what clients tell of their users' objects, and carries nothing out.
// Who comes into sight is shown first as their own client last said they were, so that actions are not carried out on what
// was there long ago. How far users see is [world.Limits] Sight; what stands in between is [world.Veiled]'s to say. Who has no
// place is heard of by everybody.
//
// In RING clients own objects and send their states, which nobody contests. Here they send actions, as under SEVE, so that
// the two differ in nothing but who hears of what: that makes the flaw visible and the costs comparable. What makes it work
// otherwise is package relay.
package ring
