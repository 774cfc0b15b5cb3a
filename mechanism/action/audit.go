package action

import (
	"slices"

	"throng/mechanism"
	"throng/world"
)

// Lied is the event of a client that has said of an action what it cannot have done; User is the client's, Value the position.
const Lied = "lied"

// auditor has the server carry out some entries itself, to compare what clients say came of them. It can do so when an entry is
// about to be installed: then the authoritative state is what the entry saw. What the server finds is what counts, since all
// others who have carried the entry out have found the same.
//
// Which entries those are nobody can tell in advance: it depends on when the messages of all clients came. An entry on which
// clients do not agree is always one of them.
type auditor struct {
	scene   *scene
	share   uint64 // of 1<<32
	chance  uint64
	results []world.Object
	liars   []liar
	banned  []mechanism.NodeID // with the epochs of who was there, those who were cut longest ago first
	epochs  []uint32
}

// liar is a client that was found out.
type liar struct {
	member   *member
	position uint64
}

// bannedMax is how many liars are remembered.
const bannedMax = 1024

// stir makes it harder to say which entries are audited.
func (a *auditor) stir(now world.Time, from mechanism.NodeID) {
	a.chance = (a.chance^uint64(now)^uint64(from)<<40)*0x9e3779b97f4a7c15 + 1
}

// picks reports whether an entry is one to be audited.
func (a *auditor) picks(e *entry) bool {
	if a.share == 0 && !e.disputed {
		return false
	}
	a.chance = a.chance*0x9e3779b97f4a7c15 + 1
	return e.disputed || a.chance>>32 < a.share
}

// doubts reports whether what has been said of an entry should be heard from somebody else as well, where everybody says it: for
// as long as that takes if they are honest.
func (n *server) doubts(now world.Time, e *entry) bool {
	return n.config.Completion == All && n.config.Audit > 0 && !e.agreed && !e.disputed && e.sent.several() && now-e.at < 2*n.config.RTT
}

// audit carries out the entry that is to be installed next, if it is one of those to be audited, and corrects what was said
// of it.
func (n *server) audit(e *entry, position uint64) {
	a := &n.auditor
	if !a.picks(e) {
		return
	}
	a.results = a.scene.perform(&e.Entry, n.state.Get, a.results[:0])
	if !slices.Equal(a.results, e.results) {
		n.accuse(e.by, position)
		e.results = append(e.results[:0], a.results...)
		return
	}
	if e.disputed {
		n.accuse(e.rival, position)
	}
}

// accuse notes that the member in a slot has lied, unless it is gone.
func (n *server) accuse(slot int, position uint64) {
	if slot == none || n.members.slots[slot] == nil {
		return
	}
	n.auditor.liars = append(n.auditor.liars, liar{n.members.slots[slot], position})
}

// cutLiars goes on without those who were found out. Whoever takes their places is somebody else.
func (n *server) cutLiars(now world.Time, out *mechanism.Outbox) {
	a := &n.auditor
	for len(a.liars) > 0 {
		x := a.liars[0]
		a.liars = slices.Delete(a.liars, 0, 1)
		if x.member.gone {
			continue
		}
		out.Report(mechanism.Event{Name: Lied, User: x.member.User, Value: int64(x.position)})
		if len(a.banned) == bannedMax {
			a.banned, a.epochs = slices.Delete(a.banned, 0, 1), slices.Delete(a.epochs, 0, 1)
		}
		a.banned, a.epochs = append(a.banned, x.member.Node), append(a.epochs, x.member.Identity.Epoch)
		n.refuse(now, x.member.Node, x.member.Identity, out)
		n.part(x.member.User)
		n.fail(now, x.member, out)
	}
}

// bans reports whether the holder of a place was cut.
func (a *auditor) bans(id mechanism.NodeID, epoch uint32) bool {
	for i := range a.banned {
		if a.banned[i] == id && epoch <= a.epochs[i] {
			return true
		}
	}
	return false
}
