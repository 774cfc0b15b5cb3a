// Package area cuts a world into areas with a server each, and carries between those servers what they have to know of one
// another: it is what mechanisms share whose servers are partitioned by place.
//
// A [Grid] says which area a place belongs to and which areas are within a distance of it. A [Map] adds what a world says
// about itself: how far its effects reach, and which of its objects have no place.
//
// # What is told
//
// What a server has within reach of another's area, the band along their border, it tells that other one: an [Encoder] turns
// what has changed since the last time into a message, a [Decoder] at the other end keeps a copy. Messages must arrive once
// and in order (package link); then the two agree on what was said before, and only differences need saying. A message is
// bounded in size, so that much news takes several of them.
//
// # Who has what
//
// Every object has one authoritative server, which alone may change it. One that has left its server's area is handed
// over, in its exact state, together with what is told of the band: a [Border] is all that goes between two servers. The
// giver lets go when it sends, the taker has it when it receives; in between nobody does, and the giver shows it as it was,
// until the taker has said that it has landed. So nothing is lost or doubled as long as messages arrive, however late.
//
// A user's action is carried out by whoever has what it is done to ([Target]). If that has gone on, the server that had it
// knows where to ([Trail]) and passes the action on.
//
// Users come and go, and their objects with them, while some of these may be between two servers. A [Roster] numbers every
// user's stays, and objects that are handed over say of which stay they are.
package area
