package mechanism

import "throng/world"

// Outbox collects what a node wants done. The driver empties it after every call.
//
// Effects that must happen (sending, waking) and information that may be ignored (work, items, events) are kept apart: a driver
// that measures nothing drops the latter and nothing changes.
type Outbox struct {
	sends  []send
	buf    []byte
	wake   world.Time
	asked  bool
	work   world.Work
	items  [Classes]int
	events []Event

	from  NodeID
	carry func(m Message) // nil where datagrams are collected
}

type send struct {
	to         NodeID
	class      Class
	start, end int // the payload's place in buf
}

// Carry has a node's datagrams carried away as they are sent, instead of collected: for drivers of nodes that have much to say.
// Their payloads hold during the call.
func (o *Outbox) Carry(from NodeID, carry func(m Message)) { o.from, o.carry = from, carry }

// Send asks for one datagram to be sent. The payload is copied.
func (o *Outbox) Send(to NodeID, class Class, payload []byte) {
	if o.carry != nil {
		o.carry(Message{From: o.from, To: to, Class: class, Payload: payload})
		return
	}
	start := o.put(payload)
	o.sends = append(o.sends, send{to, class, start, len(o.buf)})
}

// SendAll asks for the same datagram to be sent to several nodes. The payload is copied once.
func (o *Outbox) SendAll(to []NodeID, class Class, payload []byte) {
	if o.carry != nil {
		for _, id := range to {
			o.Send(id, class, payload)
		}
		return
	}
	start := o.put(payload)
	for _, id := range to {
		o.sends = append(o.sends, send{id, class, start, len(o.buf)})
	}
}

func (o *Outbox) put(payload []byte) int {
	start := len(o.buf)
	o.buf = append(o.buf, payload...)
	return start
}

// WakeAt asks for Wake to be called at t, or as soon as possible if that has passed. It replaces what was asked before, in
// this call or an earlier one; world.Never takes it back.
func (o *Outbox) WakeAt(t world.Time) {
	o.wake, o.asked = t, true
}

// Charge says what the call has cost to compute.
func (o *Outbox) Charge(w world.Work) { o.work += w }

// Count says that what the call sends has so many more commands or states of objects in it, one for every receiver. It is how
// much is told, however it is packed: messages and their lengths do not say, since one may hold any number of either.
func (o *Outbox) Count(c Class, items int) { o.items[c] += items }

// Report tells of something that happened inside the node.
func (o *Outbox) Report(e Event) { o.events = append(o.events, e) }

// Sends is how many datagrams are to be sent, of those that were collected.
func (o *Outbox) Sends() int { return len(o.sends) }

// Message returns the i-th datagram to be sent, as from the given node. The payload holds until Reset.
func (o *Outbox) Message(i int, from NodeID) Message {
	s := &o.sends[i]
	return Message{From: from, To: s.to, Class: s.class, Payload: o.buf[s.start:s.end:s.end]}
}

// Wake returns the time that the node asked to be woken at, if it asked.
func (o *Outbox) Wake() (t world.Time, asked bool) { return o.wake, o.asked }

// Work is the sum of what was charged.
func (o *Outbox) Work() world.Work { return o.work }

// Items is what was counted, by class.
func (o *Outbox) Items() *[Classes]int { return &o.items }

// Events is what was reported. It holds until Reset.
func (o *Outbox) Events() []Event { return o.events }

// Reset empties the outbox and keeps its memory.
func (o *Outbox) Reset() {
	*o = Outbox{sends: o.sends[:0], buf: o.buf[:0], events: o.events[:0], from: o.from, carry: o.carry}
}

// Event is something that happened inside a node and that a measure may want to know. Events have no effect.
type Event struct {
	Name  string     // one of the names below, or a mechanism's own; constant strings, so that reporting costs nothing
	User  world.User // with Seq, the action concerned, if any
	Seq   uint32
	Value int64 // how much, in the unit that goes with the name

	Object world.ID     // the object concerned, if any
	Verb   world.VerbID // of Executed: what was done
}

// Names of events that several mechanisms report.
const (
	Malformed = "malformed" // a message could not be read; Value is its length
	Applied   = "applied"   // an action first took effect in this node's view; Value is the view's tick, for nodes that report Shown
	Shown     = "shown"     // the view shows an object as it was at a later tick than before, Value; User is whose it is
	Confirmed = "confirmed" // an action's effect became final at this node
	Dropped   = "dropped"   // an action was given up
	Restarted = "restarted" // the node begins the world again, since nobody is left who knows it: what was final is lost
	Rollback  = "rollback"  // the view was recomputed from the past; Value is the number of ticks
	Repeated  = "repeated"  // a message was sent again; Value is how often before
	Late      = "late"      // a message came too late to be used; Value is by how many nanoseconds

	Slowed     = "slowed"     // a server tells its clients less often, or again more often; Value is the interval in hundredths of the usual
	Executed   = "executed"   // the authority carried an action out; Value is the tick before whose step it did
	Stalled    = "stalled"    // the node stood still for want of something from others; Value is for how many nanoseconds
	Differed   = "differed"   // a replica that must be equal was not; Value is the first tick known
	Repaired   = "repaired"   // a replica that differed was made right; Value is how many objects were wrong
	Promoted   = "promoted"   // a client began to simulate an area; Value is how many nanoseconds that took
	Demoted    = "demoted"    // a client ceased to simulate an area; Value is one if it was forced to
	Paused     = "paused"     // a promotion made the node wait; Value is for how many nanoseconds
	Handed     = "handed"     // an object went over to another server
	Reconciled = "reconciled" // an optimistic result was wrong; Value is how many actions were carried out again

	Delivered  = "delivered"  // news came that was passed on along a tree, Seq times; Value is its age in nanoseconds
	Joined     = "joined"     // the node has found a parent in a tree, and is on level Seq; Value is how many nanoseconds that took
	Activated  = "activated"  // its backup parent has become its parent; likewise
	Orphaned   = "orphaned"   // it has lost its parent
	Moved      = "moved"      // its user has gone over into another zone, Value
	Overloaded = "overloaded" // a tree has more nodes than its levels have room for, Value
	Distrusted = "distrusted" // the node has left its parent, Value, which did not pass on what it should
	Shared     = "shared"     // neighbours have Seq parts of a zone from now on, whose tree has Value nodes

	Closure = "closure" // the server gathered what an action depends on; Value is how many actions that is
)
