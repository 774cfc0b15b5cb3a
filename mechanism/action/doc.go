// Package action keeps a world consistent by what is done in it: clients carry actions out, the server only says in which
// order. It is the family of protocols of SEVE.
//
//	guarantees  all that is certain anywhere follows from one order of all entries; own doings show at once and are certain
//	            after one round trip (basic, incomplete) or 1+ω (the bounds)
//	delay       own doings none, and redone if what was certain turns out otherwise; others' one way to the server, up to ω
//	            round trips there, one way from it
//	bytes       per entry 20 up, what it did 15 up, where it stands 5 down; to each other client that it matters to 15 down
//	cpu         server 1 to 2 µs per entry and client that it matters to; a client twice its own entries, once those of others
//	            near it
//	fails when  the server does; chains of entries that depend on one another grow faster than they are completed (the
//	            information bound cuts them); a client lies, as far as it is not audited
//	client dies gone after the patience (10 s): others complete what they know of its entries, the rest was never done; its
//	            user leaves; where users cannot, what it moved stands still; its return is let in at once
//	server dies the world begins again when another takes its place, and all come back to it within seconds
//
// # Entries
//
// What is put into the order is an entry: a user's action, or the passing of time for objects that move by themselves. An entry
// declares its footprint: the objects that it sees, and those of them that it writes. It is carried out on a scene where
// nothing else exists (scene.go), so that whoever knows these objects as they are at its position gets the same result,
// whatever else they know. The footprint is found by the client whose user acts, in its view at that moment (declare.go):
// what the rules say that the action may touch, and what it creates. If things have changed by the time the entry has its
// place, it still sees and writes no more than that.
//
// Objects that move by themselves are moved by whoever answers for them: at each tick, or after a stride of some, their
// client lets the rules take a step on them, with what is within reach in sight, and if that changes anything it is an entry.
// Worlds in which nothing moves by itself ([world.Still]) do without.
//
// # Time
//
// Every entry carries the tick at which its client took it, and is carried out as of that tick wherever it is. The order is
// the server's; ticks need not grow along it. So time is part of what is done, not of the state: a step lets a tick pass
// for the objects it writes and for no others, an object has come as far as its entries have brought it, and two clients
// whose clocks differ disagree about the time but not about the world. The view bears its client's tick, for players to go
// by, and the stable state the latest tick of any entry in it.
//
// # What is certain
//
// A client holds a view, in which what its user does shows at once (the optimistic state), and what is certain (the stable
// state). When an entry comes back with its position it is carried out again, for certain. If that gives another result than
// in the view, the view starts again from what is certain, with what has not come back yet done once more. What others do
// goes into both, but not over what the user has done meanwhile.
//
// What is certain has several versions of the same object, since entries need not come in the order of their positions
// (versions.go says why that matters). The source has one version, and is wrong in such cases.
//
// # Who sends what when
//
//	client                                    server
//	  │ act: shown at once                      │
//	  ├── entry, footprint, place ─────────────▶│ gives it a position, or drops it
//	  │                                         │ finds what it depends on that this client lacks
//	  │◀── values, others' entries, your place ─┤ (at once, or with the next push)
//	  │ carries all of it out, for certain      │
//	  ├── what it did (completion) ────────────▶│ installs it when all before it is installed
//	  │◀── with all news: installed so far ─────┤ and the client forgets older versions
//
// The server's part in the four protocols, each of which is the one before with one idea more:
//
//   - basic.go: who submits is sent all that has been submitted since they last did.
//   - incomplete.go: only what the entry depends on, directly or through others, and as blind writes the values of objects
//     that nothing under way has written. What depends on what is known from an index of who wrote each object last; there
//     is no search through the queue (order.go).
//   - firstbound.go: every ω round trips what was done near enough to matter to the user's next entries, before it is asked for.
//     Whom an entry concerns is found on a grid (ground.go).
//   - informationbound.go: an entry that depends on one farther away than a threshold is dropped, or delayed until it no
//     longer does.
//
// Once a second a client also looks: it asks about what its user sees, is sent what of it has been installed unnoticed, and shows
// that it is there.
//
// # Who fails and who joins
//
// A client that is not heard of for its patience has failed. What it was to complete is asked of another that knows of it, or
// in the mode "all" everybody completes what they carry out and nobody needs to be asked. Entries that nobody is left to know
// of count as never done, as do the failed client's entries that depend on these. A client gives itself up before the server
// does, so that it never holds for certain what was given up: its patience counts from the last thing it said that it knows
// was heard, and is a quarter shorter.
//
// In worlds that users can leave, the failed client's user does, and so does that of one that says goodbye: by an entry that
// the server places in the name of a client that is there (parting.go). Everybody is told of it, however far away. A client
// that comes back after that has its user enter again.
//
// A newcomer fetches the authoritative state (package latejoin), says which one it has, and is told what has changed since;
// so does a client that was taken for failed, or that misses a message. A server that begins again begins the world again.
//
// # Trust
//
// The server checks that a message can be read, that users act for nobody else and by verbs and numbers that the world
// knows, that only those complete an entry who were sent it, and that what they say it did is within the kinds' ranges. What a
// client declares is bounded by what exists (permit.go).
//
// With audits (audit.go) it also knows the rules. An entry may then write only what its user has, what the rules say that the
// action may touch, and what it creates; nobody lets a tick pass twice. A share of the entries it carries out itself when they
// are about to be installed, at random; in the mode "all" it waits for two to say what came of an entry, and carries out every
// one on which they disagree ([mechanism.Differed]). What it finds is what counts, since it is what all who carried the entry
// out have found; who said otherwise is cut ([Lied]) and may not come back.
//
// What remains: a lie that is not audited stands, in objects that the liar may touch. A client can ask how any object is,
// wherever that is, and is told. Places that entries declare only decide who hears of them early. A client believes the server.
//
// # The source, and where this departs from it
//
// SEVE, the Scalable Engine for Virtual Environments: algorithms 1 to 7, equations 1 and 2, the optimisations of section IV.
//
//   - Completions are sent under the basic protocol as well: else the server could never forget an entry, nor let anybody in.
//   - One version of each object goes wrong (see above): clients keep one for each position.
//   - The first two protocols tell a client something only when it submits. Here it also looks, so that who does nothing
//     sees something, and nobody runs into what has long gone.
//   - The information bound is applied when an entry arrives and not at the next tick; the order in which entries are judged, and
//     so the outcome, is the same.
//   - The bound is on the ball around what an entry writes, since a user may have many objects. Positions are what clients
//     declare, rounded to a sixteenth of the effect range.
package action
