package mechanism

import (
	"fmt"

	"throng/world"
	"throng/world/fixed"
)

// What follows are capabilities that some nodes or mechanisms have. Drivers ask for them by type assertion; nodes that lack
// them need no change when another one is added. Each is asserted where it is implemented, so that a renamed method does not
// silently switch it off; docs/capabilities.md says who has what.

// Lagging is a client whose user's actions take effect only after a known time, so that users can plan ahead.
type Lagging interface {
	Lag() world.Time
}

// Arriving is a node that can join a run under way (Session.Late). Until it is ready its view shows nothing of use and its
// user's actions are refused.
type Arriving interface {
	Ready() bool
}

// Admitting is a mechanism that can take in users beyond those that a run began with.
type Admitting interface {
	// Admit returns the place of a user who joins.
	Admit(u world.User) Place
}

// Departing is a node that has something to say before it goes for good.
type Departing interface {
	// Leave says goodbye. It may be the node's last call, or the node may be given time to hand over what it holds.
	Leave(now world.Time, out *Outbox)
}

// Lingering is a departing node that says goodbye until it has been heard. After Leave its user does nothing any more, but the
// node is driven on until it is gone.
type Lingering interface {
	Departing
	// Gone reports whether nothing is left to be said.
	Gone() bool
}

// Sized is a node that knows how much memory its structures hold, in bytes.
type Sized interface {
	Bytes() int
}

// Holder is a node that holds only part of the world. Measures that compare replicas leave out what a node does not hold;
// a node that is no Holder holds all of it.
type Holder interface {
	Holds(id world.ID) bool
}

// Cloud is a crowd from afar, as one thing: how many objects of a kind there are in a box, and how they move on the whole.
type Cloud struct {
	Box    fixed.Box
	Kind   world.KindID
	Count  int
	Motion fixed.Vec // of one of them, on average, in a second
}

// Clouded is a client that may be told of what is far away by clouds, because there is too much of it.
type Clouded interface {
	// Clouds are what the view does not show one by one. They hold until the next call of the node.
	Clouds() []Cloud
}

// Enduring is a mechanism whose servers stand in for one another: a world goes on when some of them are lost for good.
type Enduring interface {
	// Endures reports whether the world is still whole without some nodes.
	Endures(lost []NodeID) bool
}

// Converging is a mechanism that promises equal views everywhere once nobody has acted for a while and the network has
// delivered, or repeated, what was under way.
type Converging interface {
	// Converges returns after how much rest views agree on a network with the given greatest delay.
	Converges(delayMax world.Time) world.Time
}

// Idealised is a mechanism that only makes sense on a network without delay, loss or limits: a bound for the others.
type Idealised interface {
	Idealised()
}

// Served is a client that one of several servers serves, at a time.
type Served interface {
	// Server is the node of that server.
	Server() NodeID
}

// Placing is a node that decides which server serves whom, by where clients are.
type Placing interface {
	// Heat appends the parts of the world that clients look into, always in the same order.
	Heat(dst []Heat) []Heat
}

// Heat is how many look into a part of the world, and who serves them.
type Heat struct {
	Box     fixed.Box
	Views   int    // clients that look into it
	Server  NodeID // the one that serves most of them
	Most    int    // how many these are
	Servers int    // how many servers there are with any of them
}

// Simulating is a node that runs the rules on part of the world.
type Simulating interface {
	// Simulates is how many objects the node moves in each tick.
	Simulates() int
}

// Relaying is a node that passes on what others say, along a tree of nodes.
type Relaying interface {
	// Fed is the node's place in the tree: its parent and its level, both zero for a root and for one that has none, and how many it
	// feeds.
	Fed() (parent NodeID, level, children int)
}

// Cheating is a node that an experiment may have made to cheat.
type Cheating interface {
	// Cheats reports whether it does.
	Cheats() bool
}

// Zoned is a client in a world that falls into zones, each with a tree of nodes along which news is passed on. It can tell how it
// is placed among them. Drivers that want to show what happens when a neighbour vanishes carry no more datagrams to and from it.
type Zoned interface {
	// Zones appends the zones to dst, always in the same order.
	Zones(dst []Zone) []Zone
	// Ties appends those whom the node deals with: its parent first, then its backup, its children, and the servers of zones that it looks into.
	Ties(dst []Tie) []Tie
}

// Zone is a part of the world with a tree of its own.
type Zone struct {
	Outline []fixed.Vec // its corners, in order; for reading
	Band    fixed.F     // how wide the strip along its borders is in which one stays in the zone that one comes from
	Server  NodeID      // at the root of its tree
	Role    ZoneRole
	Given   int // how many of its parts neighbours are in charge of, as far as the client knows
}

// ZoneRole is how a client stands to a zone.
type ZoneRole uint8

// The roles of zones.
const (
	ZoneApart ZoneRole = iota // the client hears nothing of it
	ZoneSeen                  // it looks in, and is told by the zone's server what its user sees
	ZoneHome                  // it is in the zone's tree
)

// Tie is what a client has to do with another node. Bytes are those of payloads since the tie began.
type Tie struct {
	Node     NodeID
	User     world.User // zero for a server
	Role     TieRole
	Zone     int        // an index of Zones
	Level    int        // how far from the root the other is, if it is the parent or a child
	Trip     world.Time // there and back, as measured when a parent was looked for; zero where it was not
	Silent   world.Time // since when nothing was heard of it
	Sent     int64
	Relayed  int64 // of what was sent, what others had written
	Received int64
}

// TieRole is what a node is to a client.
type TieRole uint8

// The roles of nodes.
const (
	TieParent TieRole = iota // feeds the client
	TieBackup                // would, if the parent were lost
	TieChild                 // is fed by it
	TieWindow                // is the server of a zone that it looks into
)

// Authority is a node that decides about part of the world, or about all of it: measures compare what it holds with a world
// that nobody has divided. Such a node also reports Executed for the actions that it carries out, once for each action among
// all nodes.
type Authority interface {
	// Held is the state that the node works on, its tick included: for reading, until the next call.
	Held() *world.State
	// Owns reports whether it is this node that decides about an object of Held now.
	Owns(id world.ID) bool
}

// Recorded is a node with something that must not be lost with its memory. Its driver keeps the record where a crash does not reach
// it, as of the last call and before anything leaves that this call wanted sent; whoever takes the node's place finds it in the
// session.
type Recorded interface {
	// Record appends the record.
	Record(dst []byte) []byte
}

// Watching is a client that wants to know what its user looks at, since what is on screen deserves more.
type Watching interface {
	// Watch says which part of the world is on the user's screen from now on.
	Watch(now world.Time, screen fixed.Box, out *Outbox)
}

// Mapped is a client for which the world falls into areas that it treats differently.
type Mapped interface {
	// Areas appends the areas to dst, always in the same order.
	Areas(dst []Area) []Area
}

// Area is how a client treats one part of the world, and what that has cost it so far.
type Area struct {
	Box    fixed.Box
	Server NodeID // who runs it
	Role   AreaRole
	Bytes  int64      // payloads received for it
	Work   world.Work // spent on it
}

// AreaRole is how a client treats an area.
type AreaRole uint8

// The roles of areas.
const (
	Ignored   AreaRole = iota // the client knows nothing of it
	Updated                   // it gets the states of what its user sees there
	Simulated                 // it runs the area itself
)

// Shadowed is a client that can show beside its view how things stand for certain, or as the server last said.
type Shadowed interface {
	// Ghost is what is known for certain, for reading until the next call; nil while there is nothing of the kind.
	Ghost() *world.State
}

// Ordered is a node of a mechanism in which all actions have one order. It can tell a witness what it makes of that order, so
// that somebody outside can check that nobody ever holds for certain what does not follow from it.
type Ordered interface {
	// Testify has the node tell a witness everything from now on. It is called before the node's first Wake, if at all.
	Testify(w Witness)
}

// Serial is a mechanism whose nodes are Ordered and which promises that what they hold for certain always follows from the
// order.
type Serial interface {
	Serial()
}

// Witness is told what stands in an order and what nodes hold for certain. What it is handed holds during the call. Positions
// count from one; what is so after position zero is the start.
type Witness interface {
	// Placed says what stands at a position, the one after the last.
	Placed(position uint64, d *Entry)
	// Voided says that what stood at a position was lost with those who knew of it: it counts as never done.
	Voided(position uint64)
	// Settled says that nothing up to a position will be voided any more.
	Settled(position uint64)
	// Renounced says that the node gives up all that it held, as if it had crashed and another had taken its place.
	Renounced()
	// Held says that the node takes an object to be so after a position; nil if it does not exist then.
	Held(position uint64, id world.ID, o *world.Object)
}

// Entry is what stands at a position of an order: a user's action, or the passing of time for some objects.
type Entry struct {
	Action world.Action
	Tick   world.Tick // at which it is carried out
	Steps  int        // if not zero, no action but this many ticks

	// Footprint is all that the entry sees, and what of it it changes: it is carried out as if nothing else existed. Where
	// Whole is set it sees and may change everything, and before it all ticks up to its own pass for everything.
	Footprint world.Footprint
	Whole     bool
}

// Differing is a node that can tell in what its replica differed, when it did (the events Differed and Repaired).
type Differing interface {
	// Differences is what was found last, in the order of the objects' IDs.
	Differences() []Difference
}

// Difference is one number in which a replica differs from what it must be equal to.
type Difference struct {
	Tick      world.Tick
	Object    world.ID
	Attribute string // its name, or "presence", "kind" or "user" where it is that
	Got, Want int64
}

func (d Difference) String() string {
	return fmt.Sprintf("tick %d: %s of object %d is %d instead of %d", d.Tick, d.Attribute, d.Object, d.Got, d.Want)
}

// Described is a mechanism that can say in words what is in its datagrams, for transcripts and recordings.
type Described interface {
	// Describer returns what says it. It is shown every datagram of a run in the order in which they are sent: what some say is only
	// understood by who has heard what was said before.
	Describer(s *Session) func(m Message) string
}

// Slowing is a server's node that does less, evenly, while it has more to do than it can.
type Slowing interface {
	// Slowed is how long it lets pass between two updates to a client, in hundredths of what it would.
	Slowed() int
	// Full reports whether it lets nobody else in.
	Full() bool
}

// Mingling is a mechanism whose clients speak to each other although there are servers. Under others a gateway lets clients speak to servers
// only.
type Mingling interface {
	// Partners is how many others a client speaks to at a time, at most.
	Partners() int
}

// Lightening is a mechanism that has a light client beside its whole one. A load test runs thousands of them for what a few
// whole ones cost.
type Lightening interface {
	// NewLight builds a light client for a place.
	NewLight(s *Session, p Place) LightClient
}

// LightClient is a client's node reduced to what its server sees of it: it joins, sends its user's actions, and acknowledges
// what comes. It keeps no view and understands no more than it must.
type LightClient interface {
	Node
	Arriving
	Act(now world.Time, a world.Action, out *Outbox)
}

// Playable is a mechanism that has other defaults where people play, over whatever connections they have, than where it is measured.
type Playable interface {
	// Play sets what is usual for play.
	Play()
}

// Paced is a mechanism that brings clients something new at an interval of its own while everything moves. Others do so in every
// tick.
type Paced interface {
	// Interval is zero where it is every tick after all.
	Interval() world.Time
}

// Interval is how often a mechanism should bring each client something new, while everything moves.
func Interval(m Mechanism, w world.World) world.Time {
	if p, ok := m.(Paced); ok && p.Interval() > 0 {
		return p.Interval()
	}
	return w.Schema().Tick
}

// Lag is how long a client's actions take to take effect in its own view.
func Lag(c Client) world.Time {
	if l, ok := c.(Lagging); ok {
		return l.Lag()
	}
	return 0
}
