package zonal

import (
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// Whoever relays can drop, delay or alter what it passes on. A peer that audits its parent asks the hybrid node now and then, directly, for
// receipts of what others have written of late and of what has come from itself, and compares: a letter that reads otherwise convicts the
// parent at once, letters that are missing half a second later do if it happens twice in a row. The parent is then left, and not
// turned to again.
//
// What remains: it may have been somebody above the parent, who is left as soon as its own children audit it; a writer may tell different
// things to different neighbours; and what a relay makes up about things of which nobody asks for a receipt is found out by chance only.

// mark is a letter that has come: its number, and a sum of what it says.
type mark struct {
	number uint64
	sum    uint32
}

const (
	marksMax   = 16                      // letters of each writer that are remembered
	receiptMax = 8                       // of how many writers a hybrid node gives receipts at a time
	grace      = 500 * world.Millisecond // after which a letter of which there is a receipt must have come
	strikes    = 2                       // audits that must fail in a row
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
	checked, missing := 0, 0
	for _, x := range a.receipts {
		p, known := n.mail.posts.get(x.origin)
		if !known || x.origin == n.id || p.last > x.number+marksMax/2 {
			continue // it has just come into sight, or too much has come since
		}
		checked++
		if all, ok := n.mail.marks.get(x.origin); !ok || all[x.number%marksMax].number != x.number {
			missing++
		} else if all[x.number%marksMax].sum != x.sum {
			n.distrust(now, out)
			return
		}
	}
	mute := a.heard+5 < a.said // half a second's letters
	if mute || checked >= 2 && 2*missing > checked {
		a.failed++
	} else {
		a.failed = 0
	}
	if a.failed >= strikes {
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
	n.say(bad, kindBye, n.seat.number, out)
	n.orphaned(now, out)
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
