// Package update carries the states of objects from a node that knows them to nodes that are to see some of them, over
// datagrams that may be lost, repeated or overtaken.
//
// The [Table] is shared by all that one node sends: it knows every object in its present version and keeps some earlier
// versions. Whatever is said of an object, the difference to an earlier version or the whole of it, is encoded once and
// copied for everybody who needs the same. A [Sender] serves one receiver: it knows which objects the receiver is to see,
// which version of each it is known to have, and what is under way. A [Receiver] is the other end.
//
// # What is promised
//
// Once an object rests and datagrams arrive again, the receiver has its last version. Nothing is sent of an object that
// has not changed since it was last sent, unless that was lost. A receiver is told when an object is no longer for it to
// see. An object is rounded to what its schema says the wire preserves, except for the receiver's own, which are exact.
//
// # Deltas
//
// An update of an object is the difference to the newest version that the receiver is known to have. It does not say which
// one that is; both ends work it out from receipts. The receiver numbers its receipts and reports in each the datagrams
// that it has; every datagram names the last receipt that its sender has seen. The base of a difference is then what
// arrived in the latest datagram among those reported up to that receipt.
//
// This needs the two ends to agree on what was reported, although receipts are lost and datagrams arrive late. A receipt
// covers the last 64 datagrams. The sender goes no further than 32 datagrams beyond the highest it knows to have arrived,
// and the receiver takes no datagram that is 32 or more behind the highest it has. So, when the receiver takes datagram s,
// the highest it has is below s+32, and every receipt from then on reports s until the highest reaches s+64. For the sender
// to send s+64 it must have seen a receipt in which the highest was at least s+32: one of those that report s.
//
// # Priority
//
// Where not everything fits, what goes first is what has waited longest, weighted by how much it matters: an object's
// lane. Whoever has been sent goes to the end of its lane, so that the first of each lane is the one that has waited
// longest in it, and the next to go is at the head of one of the lanes. Waiting counts without limit; nothing starves.
//
// # Crowds
//
// Where a receiver is to see very many objects, sending them one by one costs more in deciding than in copying. A crowd is a
// stretch of the table, with objects of one kind, that is sent as one decision. Its update says who is there and which of their
// numbers have changed since a moment as of which the receiver is known to have the crowd, or since a little before: those numbers
// are not differences, so that where everybody moves one encoding serves nearly all receivers. Crowds are sent in turn, so that
// neighbours travel together: of those in a datagram a sender notes no more than where they begin and how many they are. A
// receiver may have an object from a crowd and by itself, as it has its own; then what it hears of it by itself counts.
//
// A crowd's turn may be long in coming. Of members that matter more to a receiver, because they are near, say, it gets a preview
// with every update ([Sender.Watch]): what a member's crowd would say of it. That takes no part in what is noted, reported and
// repeated, since the crowd follows anyway.
//
// # Format
//
// A receipt is three numbers: its own, the highest datagram that has arrived, and a bit for each of the 63 before that which
// has not. A datagram begins with its number and that of the last receipt seen. Items follow up to its end. Each begins
// with a number that holds what it is in its lowest two bits and above them the object's handle, as a distance from the
// handle of the item before. A handle is a small number that stands for an object between this sender and this receiver;
// a whole object comes with its ID and binds the handle to it. A difference is a mask of what differs and the
// differences; the first bit stands for the number of the owner's last action, the others for the variables of the
// object's kind. The receiver's own objects are followed by what rounding has taken away. Crowds have numbers of their own in
// place of handles. A crowd begins with a bit for each of its places that has a member, above two that say whether some are new. If
// so it says which, their kind, and each one's ID and user. Then comes a mask of columns, one for each of an object's numbers, and
// the columns: the least of its numbers, and how much each is above that, in as many bits as the largest needs. A column that is not
// for all members says for whom. A crowd that the receiver is no longer to see comes as one without members. A preview has the
// member's place above the two bits, a mask of columns, and the member's number in each.
package update
