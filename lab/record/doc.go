// Package record keeps what every host of a run saw, tick by tick, so that it can be played back later.
//
// [Create] (or [Attach], to write elsewhere than to a file) has a run recorded: the view of each host and, if wanted, the
// truth, as tracks; curves, such as the divergence at each moment; the actions that users took, with their times, so
// that they can be taken again under another mechanism; and notes of every datagram and of what nodes report. [New] records
// anything else, such as a live world. [OpenFile] and [Open] read a recording. A [Reader] moves to any
// frame quickly and needs no code of the recorded world: the header describes its objects.
//
// # The format
//
// Version 2. All fixed-size numbers are little-endian; u32, u64 and i64 are their sizes. A uint is an unsigned number in
// base 128, least significant group first, the top bit of each byte saying that another follows; an int is a signed
// number n written as the uint 2n, or -2n-1 if it is negative. A file is a sequence of
//
//	preamble   the 8 bytes 89 74 68 72 6f 6e 67 0a ("\x89throng\n"), then the version as u32
//	section    "head", once
//	section    "grup", any number of times
//	section    "indx", once
//	footer
//
// and every section is
//
//	kind   4 letters
//	size   u32, the length of the body
//	sum    u32, the CRC-32C (Castagnoli) of kind, size and body
//	body
//
// The body of "head" is a JSON object of at most 16 MiB, such as
//
//	{"world": {"name": "pond", "tick": 50000000,
//	    "bounds": {"min": {"x": "0", "y": "0", "z": "0"}, "max": {"x": "1677721600", "y": "1677721600", "z": "0"}},
//	    "kinds": [{"name": "frog", "radius": "16777216", "threshold": "0", "variables": [{"name": "x", "slot": 0,
//	        "type": "fixed", "min": "0", "max": "1677721600", "weight": 1, "quantum": "262144", "unit": "m"}]}],
//	    "verbs": [{"name": "leap", "args": [{"name": "to", "slot": 0, "type": "angle", ...}]}]},
//	 "mechanism": "loose", "network": "constant", "params": ["mechanism.interval=350ms", "network.delay=100ms"],
//	 "seed": "1", "duration": 60000000000, "warmup": 10000000000, "every": 1,
//	 "tracks": [{"node": 1, "role": "peer", "user": 1}, {"node": 0, "role": "truth", "user": 0}],
//	 "curves": [{"name": "divergence", "unit": ""}],
//	 "events": [{"at": 30000000000, "kind": "crash", "node": 3, "user": 2, "cause": 0}],
//	 "causes": ["at 30s: crash client 2"]}
//
// Times are in nanoseconds. What needs all of 64 bits is a string of decimal digits. A kind's number is its place in the
// list, counted from zero, and so are those of verbs, tracks and curves. An action's arguments are found by their slots.
// There is at least one track or curve. Events are what happened to nodes, links and the network, in order of their times, for
// readers to show; a node of 0 is the network or a link, and recordings in which nothing happens have neither events nor
// causes. The kinds are those of package churn: arrive, leave, crash, return, freeze, thaw, gather, limit, move, cut, heal, disturb,
// calm; readers show others by their names. A recording of a live world has "start", the world's time at frame 0, and "began", the
// moment by everybody's clock as RFC 3339 has it: "2026-03-01T12:00:00Z". Fields that are not known are ignored.
//
// # Frames
//
// Frame n shows the run after n×every ticks, that is at n×every×tick nanoseconds, when all that happens at that instant has
// happened. Frames come in groups, each of which can be read without the others. The body of "grup" is
//
//	first     i64, the tick of the group's first frame
//	frames    u32, how many frames there are, at least one
//	shown     u32, the length of these frames before compression
//	acted     u32, the length of the list of actions before compression
//	noted     u32, the length of the list of notes before compression
//	packed    the rest: frames, actions and then notes, together at most 64 MiB, as one Zstandard frame (RFC 8878)
//
// One frame is, for each track in the order of the header, a uint with the length of a difference and the difference; and
// then for each curve its value as the 8 bytes of an IEEE 754 double, NaN (7ff8000000000001) where it has none. In the first
// frame of a group the difference is to a state without objects, in the others to the same track's state one frame before:
//
//	seed      u64, the seed of the state's randomness
//	tick      int, how many steps the shown state has taken: not always the frame's own tick, since views may lag
//	changes   in ascending order of the objects' IDs
//	end       one byte, 0
//
// where a change is
//
//	gap       uint, the object's ID less that of the change before it, or less zero for the first; never 0
//	what      one byte: 0 the object changed, 1 it is new (or of another kind than before), 2 it is gone
//	          what follows is left out of objects that are gone:
//	kind      uint, an index into the header's kinds
//	user      uint, whom the object belongs to, or 0
//	mask      uint, bit i for the i-th variable in the kind's list
//	deltas    for each bit set, from the lowest: an int to be added, modulo 2^64, to the variable's value before
//
// The value before is 0 for new objects. A variable's slot says where in an object it belongs: slots 0 to 2 are the place
// along x, y and z, 3 to 5 the velocity, 6 to 13 the attributes. Slots that a kind does not list are 0. Variables of the
// type "fixed", and the world's bounds, radius and threshold, count units of 2^-24; those of the type "angle" count
// 2^-32 turns.
//
// The actions of a group are those taken after the last frame of the group before (or from the start), up to its own last
// frame; the last group has also those taken after its last frame. Each is
//
//	time      uint, nanoseconds since the action before it in the group, or since the start of the run for the first
//	node      uint, the node whose user acted
//	user      uint
//	seq       uint, counts the user's actions
//	verb      one byte, an index into the header's verbs
//	target    uint, an object's ID, or 0
//	args      one byte with their number, then so many ints, the last of them not 0; arguments left out are 0
//
// # Notes
//
// The notes of a group are of what happened while it was being filled. The list is empty, or begins with a uint that says how many
// datagrams were noted as sent in the groups before; then, in the order of their times,
//
//	time      uint, nanoseconds since the note before it in the group, or since the start of the run for the first
//	kind      one byte: 0 a datagram was sent, 1 one arrived, 2 a node reported an event, 3 somebody came or went
//
// and for a datagram that was sent
//
//	from, to  uints, nodes
//	class     one byte: 0 control, 1 command, 2 update, 3 border, 4 snapshot, 5 receipt, 6 bundle
//	size      uint, bytes on the wire
//	text      uint with its length and so many bytes of UTF-8, what is in it
//
// for one that arrived a uint, how many have been sent after it, and for the others
//
//	node, user, seq   uints: where it happened, and the action concerned, or 0
//	value     int
//	text      as above, the event's name or what happened
//
// A datagram that never arrives was lost, or was under way at the end. A recording has some 24 MiB of notes at most, those that come
// first.
//
// # Index and footer
//
// The body of "indx" has an entry of 28 bytes for each group:
//
//	first     i64, as in the group
//	offset    u64, where the group's section starts in the file
//	length    u32, of the whole section
//	frames    u32, as in the group
//	sum       u32, as in the section
//
// and the footer, the last 24 bytes of the file, is
//
//	offset    u64, where the section "indx" starts
//	length    u32, of that whole section
//	sum       u32, the CRC-32C of the 12 bytes before
//	end       the 8 bytes 0a 67 6e 6f 72 68 74 89
//
// A file without a sound footer and index, such as a run leaves that was killed, is read by going from section to section
// until one is incomplete. While a recording is being written its name ends in ".part".
package record
