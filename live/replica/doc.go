// Package replica keeps a deterministic state machine alive on several processes, so that any of them may die.
//
// A [Core] is one replica. What is proposed to the one that leads goes through a Raft log; once a majority has it, every
// replica applies it, in the same order, and what comes of it may leave the leader. So nobody outside ever learns of anything
// that can still be lost. The consensus is go.etcd.io/raft's. What is ours is what surrounds it: a log on disk or in memory,
// snapshots, who belongs to the group, when to call an election, and that nothing leaves before it is safe.
//
// A core has no goroutine, clock or socket, as nodes of mechanisms have none: it is handed ticks, messages of its peers and
// proposals, and does all that follows from them in [Core.Pump]. Elections are called by a timer of ours whose patience is drawn
// from a seed, since the engine draws its own from a global source. A test can therefore put a whole group through any history of
// crashes, pauses, partitions and failing disks and repeat it from the seed.
//
// # Who is who
//
// Members have numbers that are never used again. A process that has lost its memory, and without a disk that is every one that
// was restarted, comes back under another number, is added, and its former number is removed: a member that forgot what it
// has voted for or acknowledged could undo what was decided. A number is therefore the number of a process and how often
// that has begun ([Member]).
//
// # When a disk fails
//
// A replica whose disk does not take an entry must not go on as if it had: Pump returns the error and the core is of no further
// use. The others go on without it.
//
// # Cost
//
// A proposal costs one message to each follower and one back, and with a disk one sync at the leader and each follower, beside
// each other. Many proposals made between two pumps travel in one message and are synced once.
package replica
