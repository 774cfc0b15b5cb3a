// Package churn says who comes, goes and fails in a run, and when: users who join, leave, crash and come back; servers that
// crash, come back with an empty memory, are replaced on another host or drained; processes that take several nodes with
// them; partitions; links that become narrow, slow or lossy for a while.
//
// It has three parts. A [Plan] is what a person writes, a list of statements such as
//
//	at 30s: crash server 2, back after 5s
//	at 10s: 100 users arrive within 2s
//	from 20s to 60s: users arrive 5/s, leave 5/s
//	at 40s: half of the users leave
//	every 30s on average: crash a client, back after 3s without memory
//	from 10s to 20s: partition servers 1-2 | rest
//	at 50s: limit up of clients to 128kbit/s, for 10s
//
// [Parse] reads it; docs/churn.md describes the language. [Plan.Expand] turns it, with a seed and the places of a run, into a
// [Timeline]: concrete events, each about one node at one moment, sorted. Whoever runs nodes carries the timeline out; the
// network's part of it ([Timeline.Changes]) is known in advance and belongs to the network.
//
// # What is random
//
// Each statement draws from streams of its own, named by its text. Adding a statement therefore shifts no other's moments. Who
// is struck is the candidate with the least hash of statement, occurrence and node, so that one candidate more or fewer changes
// the choice only if it is that one's turn.
package churn
