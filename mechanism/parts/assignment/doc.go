// Package assignment decides which server a client is to be served by: one that already serves those around it, unless that has too
// much to do.
//
// The world is cut into P³ blocks. A [Map] counts, for every block and server, the views of that server's clients which reach into
// the block. To put a client on a server costs
//
//	−w0·g + w1·load − w2·free
//
// and the cheapest server gets it. The grouping factor g is the share of the blocks of the client's view that the server covers
// already. For a server that covers none of them it is minus the distance to what it covers, in blocks along the axes, over P. For
// one that has no clients it is −((∛ideal − ∛average)/2)/P, with ideal = g0·P³/servers + g1·used/servers: how far a server with
// as many blocks as it should have reaches beyond one with as many as servers have now.
//
// Where views are large, soon every server covers everything, and g says nothing. So there may be a fourth term, −w3·k, where k is the part
// that the server has of all views in the blocks of the client's: like goes to like, and those who move are grouped ever better.
//
// An assignment takes time independent of the number of clients: some nanoseconds for each server and each block of the view.
//
// An assignment is leased: the client counts where it was sent, until its server confirms that it has come, or the lease is over.
// Servers' monitors ([Monitor]) follow the views of their clients and report what has changed, netted, now and then.
//
// Source: QuP, chapter 6.
package assignment
