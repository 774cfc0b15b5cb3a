package optimistic

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/world"
)

// A node answers for its user's actions, those of its predecessors included: it sees to it that everybody has them. When two
// nodes meet of which one is new, each tells the other which actions of their two users it has, and sends what the other one
// lacks. So the newcomer gets what its snapshot was too old for, and what was on its way to its predecessor; and what its
// predecessor had not yet told everybody comes together again, from all who have heard of it, at the newcomer, who passes it
// on.

const (
	// compareEvery is how often a newcomer asks those who have not answered.
	compareEvery = 500 * world.Millisecond

	// comparePause is how long a node does not answer the same one again.
	comparePause = 100 * world.Millisecond
)

// introduce asks all who have not answered to compare.
func (n *node) introduce(now world.Time, out *mechanism.Outbox) {
	if now < n.compareAt {
		return
	}
	n.compareAt = now + compareEvery
	runs := n.history.runs(n.session.World.Users())
	for _, id := range n.strangers {
		n.sendComparison(now, id, false, runs, out)
	}
}

func (n *node) sendComparison(now world.Time, to mechanism.NodeID, answer bool, runs [][]run, out *mechanism.Outbox) {
	u := n.userOf(to)
	c := comparison{
		answer: answer,
		epoch:  n.session.Epoch,
		yours:  n.seen[u].epoch,
		first:  n.history.first,
		mine:   runs[n.place.User],
		theirs: runs[u],
	}
	n.buf = c.append(n.buf[:0])
	n.link.Send(now, to, mechanism.Control, n.buf, link.Unreliable, out)
}

// compare takes a comparison.
func (n *node) compare(now world.Time, from mechanism.NodeID, c *comparison, out *mechanism.Outbox) {
	u := n.userOf(from)
	if n.newcomer != nil || c.epoch < n.seen[u].epoch {
		return
	}
	if c.answer {
		at := slices.Index(n.strangers, from)
		if at < 0 || c.yours != n.session.Epoch {
			return // it was for a predecessor, or it is a copy
		}
		n.strangers = slices.Delete(n.strangers, at, at+1)
	} else {
		if now < n.compared[u]+comparePause {
			return
		}
		n.compared[u] = now
	}
	if c.epoch > n.seen[u].epoch {
		n.meet(from, c.epoch)
	}
	n.supply(now, from, c, out)
	if !c.answer {
		n.sendComparison(now, from, true, n.history.runs(n.session.World.Users()), out)
	}
}

// meet notes that a node's place has a new holder. What is still on its way from the one before is not taken any more: who has
// heard of it so far tells the new one.
func (n *node) meet(id mechanism.NodeID, epoch uint32) {
	n.link.Meet(id, epoch)
	u := n.userOf(id)
	n.seen[u] = seen{epoch: epoch}
	for _, x := range n.history.all() {
		if x.action.User == u {
			n.seen[u].add(x.epoch, x.action.Seq)
		}
	}
}

// supply sends a node what it lacks of the two users' actions.
func (n *node) supply(now world.Time, to mechanism.NodeID, c *comparison, out *mechanism.Outbox) {
	u := n.userOf(to)
	for t, x := range n.history.all() {
		var has []run
		switch {
		case t < c.first:
			continue
		case x.action.User == n.place.User:
			has = c.theirs
		case x.action.User == u && x.epoch < c.epoch:
			has = c.mine
		default:
			continue
		}
		if !covers(has, x.epoch, x.action.Seq) {
			n.buf = n.newsOf(t, x).append(n.buf[:0])
			n.link.Send(now, to, mechanism.Command, n.buf, link.Reliable, out)
			out.Count(mechanism.Command, 1)
		}
	}
}

// newsOf is what others are told of an input.
func (n *node) newsOf(t world.Tick, x *input) *news {
	own := x.action.User == n.place.User && x.epoch == n.session.Epoch
	return &news{tick: t, action: x.action, epoch: x.epoch, old: !own}
}

// runs lists by user which actions are held, those of the latest ticks where there are too many runs.
func (h *history) runs(users world.User) [][]run {
	all := make([][]run, users+1)
	for _, x := range h.all() {
		runs, seq := &all[x.action.User], x.action.Seq
		if last := len(*runs) - 1; last >= 0 && (*runs)[last].epoch == x.epoch && (*runs)[last].to+1 == seq {
			(*runs)[last].to = seq
			continue
		}
		if len(*runs) == runsMax {
			*runs = slices.Delete(*runs, 0, 1)
		}
		*runs = append(*runs, run{x.epoch, seq, seq})
	}
	return all
}

// covers reports whether an action is in one of the runs.
func covers(runs []run, epoch, seq uint32) bool {
	return slices.ContainsFunc(runs, func(r run) bool { return r.epoch == epoch && r.from <= seq && seq <= r.to })
}
