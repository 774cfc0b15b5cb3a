// Package driver runs a mechanism's nodes in real time.
//
// A [Machine] is a node with everything around it that the lab's hosts have too, but for the network: it wakes the node when
// the node asked for it, lets an artificial player act once a tick after that, numbers the user's actions and hands what the
// node sends to a [Router]. It has no goroutine and no clock; whoever owns it says what time it is. A browser calls it from
// its event loop.
//
// A [Runner] is a machine with a goroutine, a clock, a timer and a mailbox: a node that lives by itself. Its mailbox is
// bounded, and when it is full the newest datagram is dropped and counted, as a network would; nothing that sends ever
// waits.
//
// Both do at one instant what the lab does: datagrams that have arrived are received, then the node wakes, then the player
// acts. A test runs every mechanism through lab and driver and compares the states.
package driver
