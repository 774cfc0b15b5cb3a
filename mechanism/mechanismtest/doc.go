// Package mechanismtest tests mechanisms: by conformance, by transcript, and by hand.
//
// [Conform] holds a mechanism to what drivers rely on: that a node depends on nothing but its calls, survives whatever
// the network hands it, keeps no memory that is not its own, and is quiet when nothing happens.
//
// [Hostile] attacks it: histories of messages that nobody honest sends, from nodes known and unknown, must neither break a node
// nor cost more than they may.
//
// [Script] runs transcripts: text files of commands and of everything that came of them, which read as a protocol trace
// and are compared to the letter. Run the test with -update to write the outcome anew, and review the difference.
//
// [Rig] is what both stand on: the nodes of a run and the messages between them, in the hands of the test. Nothing moves
// unless told; messages wait in flight until they are delivered, lost or given a delay.
//
// [Marbles] is a world just large enough for all that: things that move, meet, are made and pass away, a thing that
// changes hands, and a sum in which the order of additions shows.
package mechanismtest
