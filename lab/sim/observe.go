package sim

import (
	"throng/mechanism"
	"throng/world"
)

// Observers implement any of the following interfaces. States, messages and events that they are handed hold during the
// call and are for reading.

// TickObserver looks at the run once a tick, when all that happens at that instant has happened.
type TickObserver interface {
	Tick(now world.Time)
}

// ViewObserver is shown every user's view once a tick, just before TickObservers are called. Hosts come one after the other
// in the order of their nodes, each to all observers in turn: hundreds of views do not fit into a processor's cache, but one
// does. A view that is the same memory as another of that moment is the same view.
type ViewObserver interface {
	Look(now world.Time, h *Host, view *world.State)
}

// PacketObserver is told of every datagram, with its size on the wire.
type PacketObserver interface {
	Sent(h *Host, m mechanism.Message, size int)
	Received(h *Host, m mechanism.Message, size int)
}

// ItemObserver is told how many commands or states of objects are in what a host has sent.
type ItemObserver interface {
	Told(h *Host, c mechanism.Class, items int)
}

// EventObserver is told of what nodes report.
type EventObserver interface {
	Event(h *Host, now world.Time, e mechanism.Event)
}

// ActionObserver is told of what users do, when they do it.
type ActionObserver interface {
	Acted(h *Host, now world.Time, a *world.Action)
}

// WorkObserver is told of the work that hosts do.
type WorkObserver interface {
	Worked(h *Host, w world.Work)
}

// ReplicaObserver is told of what replicas of a node do among themselves.
type ReplicaObserver interface {
	Replicated(h *Host, size int)      // one sent another a message, with its size on the wire
	Decided(h *Host, after world.Time) // what came so long ago is safe, and the node is handed it
	Elected(h *Host)                   // another replica leads
}

// Beginner is told when the warm-up is over: what was seen until then does not count.
type Beginner interface {
	Begin(now world.Time)
}

// Ender is told when the measured time is over, before things settle.
type Ender interface {
	End(now world.Time)
}

// observers are sorted by what they want to know, so that a run without measures costs nothing for them.
type observers struct {
	tick   []TickObserver
	view   []ViewObserver
	packet []PacketObserver
	item   []ItemObserver
	event  []EventObserver
	action []ActionObserver
	work   []WorkObserver
	begin  []Beginner
	end    []Ender

	replica  []ReplicaObserver
	life     []LifeObserver
	timeline []TimelineObserver
}

func (o *observers) add(observer any) {
	collect(&o.tick, observer)
	collect(&o.view, observer)
	collect(&o.packet, observer)
	collect(&o.item, observer)
	collect(&o.event, observer)
	collect(&o.action, observer)
	collect(&o.work, observer)
	collect(&o.begin, observer)
	collect(&o.end, observer)
	collect(&o.replica, observer)
	collect(&o.life, observer)
	collect(&o.timeline, observer)
}

// collect adds an observer to those of a kind, if it is of that kind.
func collect[K any](kind *[]K, observer any) {
	if v, ok := observer.(K); ok {
		*kind = append(*kind, v)
	}
}
