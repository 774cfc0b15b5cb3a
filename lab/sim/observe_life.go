package sim

import (
	"throng/lab/churn"
	"throng/world"
)

// LifeObserver is told of nodes that begin and end while the run is under way; of those that are there from the beginning to
// the end it hears nothing.
type LifeObserver interface {
	// Started says that a node has begun on a host, or goes on after it was frozen: before it is first called.
	Started(h *Host, now world.Time, e *churn.Event)
	// Stopped says that a node ends or freezes: after its last call, while it can still be looked at. One that is drained
	// stops when its grace is over.
	Stopped(h *Host, now world.Time, e *churn.Event)
}

// TimelineObserver is told of every event of the timeline when it happens, be it about nodes, links or the network.
type TimelineObserver interface {
	Happened(now world.Time, e *churn.Event)
}
