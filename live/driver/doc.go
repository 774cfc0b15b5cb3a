// Package driver runs a mechanism's nodes in real time.
//
// A [Runner] is a [mechanism.Machine] with a goroutine, a clock, a timer and a mailbox: a node that lives by itself. Its
// mailbox is bounded, and when it is full the newest datagram is dropped and counted, as a network would; nothing that sends
// ever waits. What arrives before the node's start waits there too, since the processes of a run do not start at one instant.
//
// At one instant it does what the lab does: datagrams that have arrived are received, then the node wakes, then the player
// acts. A test runs every mechanism through lab and driver and compares the states.
package driver
