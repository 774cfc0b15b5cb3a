// Package world is what throng shares: objects in space, the state they form together, the actions users take, and the
// contract of the rules that bring both together.
//
// Everything here is deterministic and pure. There is no clock, no input or output, no randomness that is not derived
// from an argument, and no floating point: a browser, a server and a simulator that start from the same state and carry
// out the same actions hold the same bits, whatever processor they run on.
//
// A [State] is built so that keeping many of them is cheap. Objects lie in small pages; states that descend from one
// another share the pages in which they agree ([State.CopyFrom] costs a few bytes per page, the first change to a page
// afterwards costs copying that page). Comparing two such states ([Diff]) skips what they share, hashing one
// ([State.Hash]) hashes only the pages that changed since they were last hashed.
//
// [Rules] are the game. They see the world only through a [Window], which says what they may change and what they may
// merely see; so the same rules run on a whole world, on one area of it, or on what a single action touches. A [World]
// adds how everything starts and the artificial players that live in it. What a world may say about itself beyond that
// is a matter of small optional interfaces; see capabilities.go. Package worldtest checks that a world keeps its side of all
// this.
package world
