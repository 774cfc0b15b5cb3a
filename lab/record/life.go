package record

import (
	"throng/lab/churn"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// Happening is something that happened in the run at a moment: somebody came, went, crashed or returned, or the network changed.
// It is for showing: what it did is in the frames.
type Happening struct {
	At    world.Time       `json:"at"`   // in nanoseconds
	Kind  string           `json:"kind"` // as churn.Kind writes it
	Node  mechanism.NodeID `json:"node,omitempty"`
	User  world.User       `json:"user,omitempty"`
	Cause int              `json:"cause"` // an index into Header.Causes
}

// maxHappenings is how many are kept: more than anybody can look at.
const maxHappenings = 20_000

// happenings lists what is to happen in a run. It is known from the beginning.
func happenings(r *sim.Run) (list []Happening, causes []string) {
	timeline := &r.Setup().Timeline
	users := map[mechanism.NodeID]world.User{}
	for _, h := range r.Hosts() {
		users[h.Place.ID] = h.Place.User
	}
	for _, p := range timeline.Admitted {
		users[p.ID] = p.User
	}
	for i := range timeline.Events {
		e := &timeline.Events[i]
		if e.Kind == churn.Gather && i > 0 && same(e, &timeline.Events[i-1]) {
			continue // a crowd that is called is one thing
		}
		if len(list) == maxHappenings {
			break
		}
		list = append(list, Happening{e.At, e.Kind.String(), e.Node, users[e.Node], e.Cause})
	}
	return list, timeline.Statements
}

// same reports whether two events are the same thing that happens to two nodes.
func same(a, b *churn.Event) bool { return a.At == b.At && a.Kind == b.Kind && a.Cause == b.Cause }
