// Package latejoin lets a node that joins a run under way learn from another one how the world is.
//
// The [Newcomer] asks, a [Guide] answers: with a snapshot, which is whatever text the mechanism writes and reads, in chunks
// that fit into datagrams. How these travel is the mechanism's business; nothing is expected of the way but that some of
// them arrive.
//
// # Who answers
//
// The newcomer asks one node at a time, beginning with the one whose ID follows its own. One that is itself new passes, and
// the next one is asked at once; one that says nothing has some time before the next one is asked, too. Whoever answers
// first is asked for the rest, until all is there, nothing more comes, or a minute has passed; then the newcomer begins again
// with the next node. It never gives up: while nobody answers, somebody is asked twice a second.
//
// Where all others answer that they are new themselves, eight times in a row, nobody is left who knows the world: as when two
// people who play against each other close their browsers within a moment. Then the node with the lowest ID begins the world
// again ([Newcomer.Lost]), and guides the others.
//
// Only the newcomer remembers how far it is: every ask names the chunks that it wants, which are those missing among the 32 from
// the first missing one on, and is repeated when they do not all come. A guide only keeps the snapshot for those who are at it.
//
// # Servers that have lost their memory
//
// Where clients have all of the world, a server that takes another's place can fetch it from them ([Recovery]).
//
// # What is not believed
//
// Chunks count only from nodes that were asked, for the epoch of the one who asks, so that nothing of a predecessor's in the
// same place is taken, and if all are of the same snapshot, whose sum must be right in the end. [ReadState] refuses states
// in which the world's rules might not find their way. Otherwise a guide is believed: whoever tells a newcomer of the world
// can lie about it. What a newcomer can make a guide do is bounded: a few can be served at a time, a snapshot is made at
// most four times a second, each of its chunks is sent four times to the same newcomer, or a few more, and all is forgotten
// five seconds after the last ask.
//
// # Format
//
// An ask is the newcomer's epoch, the sum of the snapshot or zero for any, the number of a chunk, and a bit for each of the
// chunks from there on that is wanted. A chunk is the newcomer's epoch, the snapshot's length, its sum, the chunk's number
// and its bytes. Where there is nothing to be had, the length is zero, and a one says that this is because the node is new
// itself, a zero that it will not do now.
package latejoin
