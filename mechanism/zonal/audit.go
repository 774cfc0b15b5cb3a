package zonal

import (
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// Whoever relays can drop, delay or alter what it passes on. A peer that audits its parent asks the hybrid node now and then, directly, for
// receipts of what others have written of late and of what has come from itself, and compares: letters that read otherwise, or are missing
// half a second later, convict the parent if it happens often enough in a row. That is the less often the nearer to the root the peer
// is: if it was somebody above the parent, that one's own children find out first, and all is well again for those below. The
// parent is then left and not turned to again, and the hybrid node told, who proposes nobody whom two others have left.
//
// What remains: a writer may tell different things to different neighbours; what a relay makes up about things of which nobody asks for a
// receipt is found out by chance only; two who conspire can keep an honest one from being a parent; and who has told the hybrid
// node what it should may still be left for what a network loses.

// mark is a letter that has come: its number, and a sum of what it says.
type mark struct {
	number uint64
	sum    uint32
}

const (
	marksMax   = 16                      // letters of each writer that are remembered
	receiptMax = 8                       // of how many writers a hybrid node gives receipts at a time
	grace      = 500 * world.Millisecond // after which a letter of which there is a receipt must have come
	shunnedMax = 64
)

// sumOf is a sum of a letter, whoever passed it on.
func sumOf(raw []byte) uint32 {
	sum := uint32(2166136261) // FNV-1a
	for _, b := range raw[1:] {
		sum = (sum ^ uint32(b)) * 16777619
	}
	return sum
}

// marks are somebody's last letters, by their numbers.
type marks [marksMax]mark

// keep remembers a letter that has come.
func (m *mail) keep(l *letter) {
	all, known := m.marks.get(l.origin)
	if !known {
		all = new(marks)
	}
	all[l.number%marksMax] = mark{l.number, sumOf(l.raw)}
	m.marks.set(l.origin, all)
}

// receipt is a hybrid node's word for what somebody has written.
type receipt struct {
	origin mechanism.NodeID
	mark
}

// audit is how far a peer has come with finding out whether its parent passes on what it should.
type audit struct {
	due      world.Time // when the next one begins
	number   uint64     // of the present one
	receipts []receipt
	judgeAt  world.Time // when it is judged; never without receipts
	said     uint64     // the number of the peer's own last letter when it asked
	heard    uint64     // the last that the hybrid node has heard
	failed   int        // in a row
	shunned  []mechanism.NodeID
}

// shuns reports whether somebody has been left for what it did.
func (a *audit) shuns(id mechanism.NodeID) bool { return slices.Contains(a.shunned, id) }

// oversee goes on with auditing the parent, once a tick.
func (n *peer) oversee(now world.Time, out *mechanism.Outbox) {
	a := &n.audit
	if n.config.Audit == 0 || !n.seat.attached() || n.isHybrid(n.seat.parent.to) || n.seat.zone != n.zone {
		a.judgeAt, a.failed = world.Never, 0
		return
	}
	if now >= a.judgeAt {
		a.judgeAt = world.Never
		n.judge(now, out)
	}
	if now >= a.due {
		a.due = now + n.config.Audit
		n.number++
		a.number, a.said, a.judgeAt = n.number, n.write.next-1, world.Never
		n.buf = n.gaze.append(appendKind(n.buf[:0], kindAudit, a.number))
		n.tell(hybridOf(n.zone), out)
	}
}

// receiveReceipts takes the hybrid node's receipts.
func (n *peer) receiveReceipts(now world.Time, from mechanism.NodeID, r *wire.Reader) (sound bool) {
	bond, heard := r.UintMax(number), r.UintMax(number)
	a := &n.audit
	all := a.receipts[:0]
	for left := r.UintMax(receiptMax); left > 0 && !r.Failed(); left-- {
		all = append(all, receipt{mechanism.NodeID(r.UintMax(1<<32 - 1)), mark{r.UintMax(number), uint32(r.UintMax(1<<32 - 1))}})
	}
	if r.Done() != nil {
		return false
	}
	if from == hybridOf(n.zone) && bond == a.number && a.judgeAt == world.Never {
		a.receipts, a.heard, a.judgeAt = all, heard, now+grace
	}
	return true
}

// judge compares what has come with the receipts.
func (n *peer) judge(now world.Time, out *mechanism.Outbox) {
	a := &n.audit
	checked, missing, altered := 0, 0, false
	for _, x := range a.receipts {
		p, known := n.mail.posts.get(x.origin)
		if !known || x.origin == n.id || p.last > x.number+marksMax/2 {
			continue // it has just come into sight, or too much has come since
		}
		checked++
		if all, ok := n.mail.marks.get(x.origin); !ok || all[x.number%marksMax].number != x.number {
			missing++
		} else if all[x.number%marksMax].sum != x.sum {
			altered = true
		}
	}
	mute := a.heard+5 < a.said // half a second's letters
	if altered || mute || checked >= 2 && 2*missing > checked {
		a.failed++
	} else {
		a.failed = 0
	}
	level := len(n.path) - 1 // two below a child of the root
	if a.failed >= level || altered && a.failed >= level-1 {
		n.distrust(now, out)
	}
}

// distrust leaves the parent for good.
func (n *peer) distrust(now world.Time, out *mechanism.Outbox) {
	a := &n.audit
	bad := n.seat.parent.to
	a.failed, a.judgeAt = 0, world.Never
	if len(a.shunned) == shunnedMax {
		a.shunned = slices.Delete(a.shunned, 0, 1)
	}
	a.shunned = append(a.shunned, bad)
	out.Report(mechanism.Event{Name: mechanism.Distrusted, Value: int64(bad)})
	n.say(hybridOf(n.seat.zone), kindAccuse, uint64(bad), out)
	n.say(bad, kindBye, n.seat.number, out)
	n.orphaned(now, out)
}

// accusation is who has left somebody for what it did.
type accusation struct {
	by   mechanism.NodeID // the first
	more bool             // and others
}

// receiveAccuse takes that somebody has left its parent for what that one did.
func (n *hybrid) receiveAccuse(from, bad mechanism.NodeID) {
	if n.config.Audit == 0 || !n.tree.Has(from) {
		return
	}
	a, known := n.accused.get(bad)
	switch {
	case !known:
		a.by = from
	case a.by != from:
		a.more = true
	}
	n.accused.set(bad, a)
}

// receiveAudit gives receipts of what was written of late within somebody's sight, of different writers each time.
func (n *hybrid) receiveAudit(now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	bond := r.UintMax(number)
	n.gaze.read(r)
	if r.Done() != nil {
		return false
	}
	if n.config.Audit == 0 || !n.tree.Has(from) {
		return true
	}
	n.receipts = n.receipts[:0]
	n.tree.Each(func(id mechanism.NodeID) {
		p, _ := n.mail.posts.get(id)
		all, marked := n.mail.marks.get(id)
		at, placed := n.where.get(id)
		if !marked || id == from || now-p.heard > grace || !n.gaze.all && !(placed && n.gaze.sees(at, 0)) {
			return
		}
		n.receipts = append(n.receipts, receipt{id, all[p.last%marksMax]})
	})
	var heard uint64
	if p, known := n.mail.posts.get(from); known {
		heard = p.last
	}
	count := min(len(n.receipts), receiptMax)
	n.turn++
	n.buf = wire.AppendUint(wire.AppendUint(appendKind(n.buf[:0], kindReceipts, bond), heard), uint64(count))
	for i := range count {
		x := &n.receipts[(i+n.turn*receiptMax)%len(n.receipts)]
		n.buf = wire.AppendUint(wire.AppendUint(wire.AppendUint(n.buf, uint64(x.origin)), x.number), uint64(x.sum))
	}
	n.tell(from, out)
	return true
}
