package churn

import (
	"throng/lab/network"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// Kind is what an event does.
type Kind uint8

// What can happen to a node.
const (
	// Arrive starts the node of a user who was not there: a Late session, under the event's epoch, on the event's host. The
	// place is one of the session's that has become vacant, or one of Timeline.Admitted.
	Arrive Kind = iota
	// Leave has the node say goodbye, if it can, and ends it when Grace is over, or when it is started anew before that.
	Leave
	// Crash ends the node without a word. Its memory is gone, and so is all that waits in its host for it: datagrams for its
	// processor, wake-ups, the user's actions. What it has handed to its link still goes out.
	Crash
	// Return starts a node that has crashed or left again: a Late session, under the event's epoch, with nothing remembered,
	// on the event's host, which is another one if it was replaced.
	Return
	// Freeze stops the node and keeps its memory, as a suspended laptop does. Datagrams that come meanwhile are lost.
	Freeze
	// Thaw lets a frozen node go on as if no time had passed for it: no new epoch; wake-ups that fell due come at once.
	Thaw
	// Gather calls the artificial user of a client to Spot, until Until; see world.Gatherer.
	Gather
	// Limit sets the most that a host's links carry; zero takes the limit away. Node is zero.
	Limit
	// Move has a node go on, with its memory, on the event's host. It stands still while what it holds is on its way there. Where
	// that takes longer than Grace, it begins anew there, as by Return.
	Move
)

// What happens to the network as a whole. The network carries these out by itself (Timeline.Changes); they are events so that
// observers hear of them.
const (
	Cut     Kind = iota + 32 // a partition begins
	Heal                     // it ends
	Disturb                  // packets get lost or delayed more than usual
	Calm                     // they no longer are
)

var kindNames = map[Kind]string{
	Arrive: "arrive", Leave: "leave", Crash: "crash", Return: "return", Freeze: "freeze", Thaw: "thaw", Gather: "gather",
	Move: "move", Limit: "limit", Cut: "cut", Heal: "heal", Disturb: "disturb", Calm: "calm",
}

func (k Kind) String() string { return kindNames[k] }

// Starts reports whether a node is built and begins by such an event, under the event's epoch.
func (k Kind) Starts() bool { return k == Arrive || k == Return }

// Keeps reports whether a node that such an event stops or starts keeps its memory.
func (k Kind) Keeps() bool { return k == Freeze || k == Thaw || k == Move }

// OfNetwork reports whether such events are the network's own business.
func (k Kind) OfNetwork() bool { return k >= Cut }

// Event is one thing that happens at a moment, to one node or to the network. At one instant events happen before anything else
// does, in the order of the timeline. So the nodes of a process, which crash at one instant, crash as one.
type Event struct {
	At    world.Time
	Kind  Kind
	Node  mechanism.NodeID // zero where it is about a host or the network as a whole
	Cause int              // the statement that it comes from, as an index into Timeline.Statements

	Epoch uint32     // Arrive, Return, Move: of the node that begins
	Host  int        // Arrive, Return, Move: where it begins, from 1; Limit: whose links
	Grace world.Time // Leave: how long the node goes on after its goodbye; Move: how long it may stand still

	Spot  fixed.Vec  // Gather
	Until world.Time // Gather: when the user may go where they like again

	Up, Down int64 // Limit: bit/s at most; 0 sets no limit
}

// Timeline is all that happens in a run.
type Timeline struct {
	Events     []Event  // in the order in which they happen
	Statements []string // what they come from, as written

	Admitted []mechanism.Place // of users beyond those that the run begins with, in the order of their IDs
	Changes  []network.Change  // what the network does by itself

	// Hosts says of every host, from the first on, what role it has: that of the first node on it. All are there from the
	// beginning; nodes come to them and go.
	Hosts []string
	// Standbys are the hosts, beside its own, that hold replicas of a node.
	Standbys map[mechanism.NodeID][]int

	homes map[mechanism.NodeID]int // where nodes begin that share a process with others
}

// replicate has so many further hosts stand by for a node.
func (t *Timeline) replicate(p mechanism.Place, further int) {
	for range further {
		t.Hosts = append(t.Hosts, p.Role)
		if t.Standbys == nil {
			t.Standbys = map[mechanism.NodeID][]int{}
		}
		t.Standbys[p.ID] = append(t.Standbys[p.ID], len(t.Hosts))
	}
}

// LastUser is the highest user of a run that begins with so many.
func (t *Timeline) LastUser(users world.User) world.User {
	for _, p := range t.Admitted {
		users = max(users, p.User)
	}
	return users
}

// Home is the host that a node first begins on: that of its number, or of the first node in its process.
func (t *Timeline) Home(id mechanism.NodeID) int {
	if home, ok := t.homes[id]; ok {
		return home
	}
	return int(id)
}
