// Package viewer is a user's node that does not run the world: a server tells it what its user sees. What is the user's own it
// keeps ahead of what it is told, so that actions show at once (package prediction); everything else moves between what has arrived
// (package interpolation).
//
// A client begins anew when its server falls silent, or does not know it: with the same server, or with another that its
// configuration names. Actions that have not been answered by then are repeated to that one.
package viewer
