// Package link carries messages between nodes: reliably or not, in order or not, one by one or in batches.
//
// A [Layer] is the part of a node that stands between its mechanism and the datagrams. Like the node it is a state
// machine: it is handed messages, datagrams and wake-ups with the time as an argument and leaves what it wants sent in
// the node's outbox. The node passes every datagram to [Layer.Receive] and every wake-up to [Layer.Wake], takes the
// messages in them back through a [Handler], and asks to be woken no later than [Layer.Next].
//
// # What is promised
//
// Every message is sent in one of three modes. [Unreliable] ones arrive at most as often as the network delivers them.
// [Reliable] ones arrive exactly once, as soon as the first copy does. [Ordered] ones arrive exactly once, and not before
// any reliable or ordered message that was sent earlier to the same peer.
//
// Reliability is by acknowledgement with selective repeat: every message has a number, the receiver says which numbers it
// has, and whatever stays unacknowledged for the time-out is sent again, alone, until it is acknowledged or the peer is
// forgotten. The time-out follows the round trips that are measured and doubles while none is, in the manner of RFC 6298: a fixed
// one that is shorter than a queue on the way fills that queue with copies. The link never gives up on a message under way. What it cannot accept is more
// than 1,024 messages under way to one peer; further ones wait their turn, and where those that wait exceed one megabyte,
// the oldest of them is given up and reported as dropped.
//
// A message that its handler cannot read counts as not received: its datagram is not acknowledged, so that a damaged copy
// does not stand in the way of the true one. (A message that had to wait before it was handed over is acknowledged on
// arrival.)
//
// # Batching and reception delay
//
// With a batching delay, the first message to a peer waits that long for others, acknowledgements among them, and all go
// in one datagram, or sooner when it is full. Since the peer's acknowledgement may wait as long, the time-out is
// lengthened by as much. Without it, every message goes at once and every datagram is answered at once, by a datagram of
// its own unless the handler has sent something that the acknowledgement can ride on. Messages that time out together
// still share a datagram. Receipts alone may be held back, too: where answers are due anyway, most datagrams that hold nothing
// else can be saved.
//
// With a reception delay, every message carries the time at which it was sent, and one that arrives younger than the
// delay waits until it has that age: a jitter buffer. Both sides must be configured alike, and the age is only as good as
// their clocks; whatever they say, no message waits longer than the delay.
//
// # Peers that come and go
//
// Between nodes that expect each other ([Layer.Expect]) links need no set-up: the first messages on one say with which number
// it began. [Layer.Forget] ends a link on this side; the peer has to do the same, and what it sends until then is dropped and
// reported ([Stranger]). A later link
// between the two uses numbers that the earlier one did not, so that what is left of the earlier one in the network is
// recognised. A link at rest costs little: a peer that will be back need not be forgotten.
//
// A node that has lost its memory, or that takes another one's place, must return in a later epoch (see [New]). Every epoch
// has numbers of its own, so that messages say of which one they are: 2^30 of them, which are as many messages as one link
// can carry. Peers have to be told ([Layer.Meet], or [Layer.ExpectSuccessors]); until then they take the newcomer's numbered messages for a stranger's,
// and from then on those of its predecessor. Unreliable messages say nothing of the kind. Numbers of the first epoch take
// one to five bytes, those of the next ones five.
//
// # Hostile peers
//
// A datagram is judged as a whole before any of it is used. It must be possible: numbers within the window, receipts for
// nothing but what was sent, one receipt at most, and only a single message where it is longer than 1,200 bytes.
//
// Whoever is neither expected nor met is a stranger. Its unreliable messages reach the handler, so that it can ask to be let
// in, and can be answered by such; its numbered ones do not. Nothing is remembered of it. So a layer has no more links than
// its node has asked for, by expecting, meeting or sending.
//
// All memory is bounded, whatever a peer sends: one megabyte for messages that came before their turn, 64 of all peers
// together, and one for messages to it that wait. None is allocated in a steady flow. A call costs in proportion to what it
// sends, delivers or acknowledges; peers with nothing under way cost nothing.
//
// # Format
//
// A datagram is a sequence of frames. A frame begins with a byte that holds the mode (or that it is a receipt), the
// message's class, and whether the message extends to the end of the datagram; then come the number, if any, the sending
// time modulo about a minute, if there is a reception delay, the length unless the message is the datagram's last, and
// the message. A receipt is the lowest number not received, followed, where something beyond it has been, by stretches of
// numbers received. One message, or one receipt, alone in a datagram costs a byte more than its number does.
package link
