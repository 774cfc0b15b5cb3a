// Package philosophers is a ring of people who each need the things to their left and to their right: the shortest way to a
// chain of actions that goes once around the world.
//
// Everybody reaches for both forks at the same moment. An action conflicts with those of the two neighbours and no others;
// but these conflict with those of their neighbours, and so on. Whether the last philosopher eats depends on whether the
// first one did, however large the ring is. Mechanisms that send along whatever an action depends on have nowhere to stop,
// unless they refuse an action now and then (SEVE, section III-E: a ring along the equator).
//
// Who has both forks eats, and puts them down after a while. Nobody gets one fork only, so nobody starves holding one.
package philosophers
