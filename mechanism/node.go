package mechanism

import (
	"cmp"
	"errors"
	"slices"

	"throng/mechanism/parts/memo"
	"throng/world"
)

// NodeID names one participant of a run: a user's machine or a server.
type NodeID uint32

// Node is one participant. What it is promised is kept by the [Machine] that drives it.
type Node interface {
	// Wake is called at the node's start, before anything else, and from then on when the time that it last asked for has
	// come.
	Wake(now world.Time, out *Outbox)
	// Receive takes one datagram. The payload is valid during the call only.
	Receive(now world.Time, m Message, out *Outbox)
}

// Client is a node with a user.
type Client interface {
	Node
	// Act carries out what the user does, now or as soon as the mechanism allows.
	Act(now world.Time, a world.Action, out *Outbox)
	// View is what the user sees now: for reading, until the next call.
	View() *world.State
}

// Message is one datagram.
type Message struct {
	From, To NodeID
	Class    Class
	Payload  []byte
}

// Class says what a message is for. Drivers carry it along, measures count by it.
type Class uint8

// The classes of messages.
const (
	Control  Class = iota // joining, leaving, agreeing
	Command               // users' actions, ordered or not
	Update                // states of objects
	Border                // states and commands of zones that two servers share
	Snapshot              // whole states, or long differences between them
	Receipt               // acknowledgements that travel alone
	Bundle                // several messages in one datagram
	Classes               // how many classes there are
)

// Signal is for drivers, which set up direct connections by it. Nodes neither send nor see it.
const Signal = Classes

var classNames = [Signal + 1]string{"control", "command", "update", "border", "snapshot", "receipt", "bundle", "signal"}

func (c Class) String() string {
	if c <= Signal {
		return classNames[c]
	}
	return "unknown"
}

// Place is one node's part in a run.
type Place struct {
	ID   NodeID
	Role string     // what it is to the mechanism, such as "peer", "client" or "server"
	User world.User // whose machine it is, or zero
}

// Session is what all nodes of a run know from the start.
type Session struct {
	World  world.World
	Start  *world.State // the world at tick zero: for reading, each node takes its own copy
	Places []Place      // everybody, in the order of their IDs

	// Late says that the run is under way: the node must learn from others how the world is before it takes part. Its
	// place may have been somebody else's before, whose messages may still be about; Epoch tells them apart. It grows with
	// every new holder of a place and is zero for the first.
	Late  bool
	Epoch uint32

	// Record is what the last holder of the place wrote down that must not be lost (see Recorded), empty where there is none.
	Record []byte

	// Shared lets replicas of the run that are in the same state share their work. It changes no result; nil shares nothing.
	Shared *memo.Pool
}

// Mechanism is a way of sharing a world: its configuration, which can lay out a run and build each node of it.
type Mechanism interface {
	// Places lays out a run: which nodes there are for the world's users. IDs count from one.
	Places(w world.World) []Place
	// NewNode builds the node for one of the session's places.
	NewNode(s *Session, p Place) (Node, error)
}

// ErrClientsOnly is returned for a server's node by programs that have none; see ClientsOnly.
var ErrClientsOnly = errors.New("this program runs no servers")

// Peers is the layout of mechanisms without servers: one node for each of the world's users.
func Peers(w world.World) []Place {
	places := make([]Place, w.Users())
	for i := range places {
		places[i] = Place{ID: NodeID(i + 1), Role: "peer", User: world.User(i + 1)}
	}
	return places
}

// Join returns the session as it is for a node that takes a place while the run is under way, which need not be among those
// that it began with. Epoch counts the holders of the place.
func (s *Session) Join(p Place, epoch uint32) *Session {
	late := *s
	late.Late, late.Epoch = true, epoch
	at, found := slices.BinarySearchFunc(s.Places, p.ID, func(q Place, id NodeID) int { return cmp.Compare(q.ID, id) })
	if !found {
		late.Places = slices.Insert(slices.Clone(s.Places), at, p)
	}
	return &late
}

// Others are the IDs of all nodes in the session but one.
func (s *Session) Others(self NodeID) []NodeID {
	var ids []NodeID
	for _, p := range s.Places {
		if p.ID != self {
			ids = append(ids, p.ID)
		}
	}
	return ids
}
