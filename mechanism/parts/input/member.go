package input

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/update"
	"throng/world"
)

// Member is a client that has joined, as the server knows it.
type Member struct {
	membership.Member
	Sender *update.Sender

	Executed   uint32 // the actions up to this one have been dealt with
	ExecutedAt world.Tick

	level    int        // how far the server has slowed down
	turn     pace.Turn  // when it is told something while it has
	greeted  bool       // it was sent something since it last asked to join
	spoke    world.Time // when it was last sent something
	answered uint32     // the action of which it was last told that it was dealt with
	accepted uint32     // the last of its user's actions that was taken
	opened   uint32     // the last of them that may be dealt with out of turn
	open     []uint32   // those of them that have not been, in order
}

// NewMember returns a client that joins now.
func NewMember(m membership.Member, s *update.Sender, p *pace.Pace) Member {
	return Member{Member: m, Sender: s, spoke: m.Heard, level: p.Level()}
}

// Slow has the client be told from now on how far the server has slowed down, and that as often as it is told anything: before, there
// was another time between its updates, of which one is due in an interval.
func (m *Member) Slow(p *pace.Pace, now, before, interval world.Time) {
	m.level = p.Level()
	p.Retime(&m.turn, now, before, interval)
}

// Next reports whether the client is to be served in the present interval.
func (m *Member) Next(p *pace.Pace, now, interval world.Time) bool {
	return p.Comes(&m.turn, now, interval, uint32(m.Node))
}

// Allow reports whether one more action may be carried out, of so many per tick. As many may be saved up as a client repeats,
// so that nobody's are dropped for having been held up.
func (m *Member) Allow(now world.Tick, perTick int) bool {
	return m.Allowance.Allow(now, perTick, ActionsMax)
}

// Take takes an input of the client. All of it is checked before any of it counts; what makes no sense is not sound. It
// returns the actions that are new.
func (m *Member) Take(now world.Time, in *Packet, s *world.Schema) (fresh []world.Action, sound bool) {
	if in.Tag != m.Identity.Tag() {
		return nil, true // from before it last joined
	}
	for i := range in.Actions {
		a := &in.Actions[i]
		if a.User != m.User || a.Verb == world.Enter || a.Verb == world.Leave || s.CheckAction(a) != nil {
			return nil, false
		}
	}
	if !m.Sender.Plausible(in.Receipt) {
		return nil, false
	}
	if !m.Sender.Confirm(in.Receipt) {
		return nil, true // overtaken or repeated
	}
	m.Heard = now
	fresh = in.Actions
	for len(fresh) > 0 && fresh[0].Seq <= m.accepted {
		fresh = fresh[1:]
	}
	if n := len(fresh); n > 0 {
		m.accepted = fresh[n-1].Seq
	}
	return fresh, true
}

// Open notes that an action which was taken is to be dealt with, sooner or later than others: on another server, say.
func (m *Member) Open(seq uint32) {
	m.opened = seq
	m.open = append(m.open, seq)
}

// Settle notes that an action that was opened has been dealt with. The client is told of as many as have all been.
func (m *Member) Settle(seq uint32, at world.Tick) {
	i, found := slices.BinarySearch(m.open, seq)
	if !found {
		return // of an earlier life
	}
	m.open = slices.Delete(m.open, i, i+1)
	m.Executed, m.ExecutedAt = m.opened, at
	if len(m.open) > 0 {
		m.Executed = m.open[0] - 1
	}
}

// Again notes that the client asks once more to be let in: it has not heard that it was.
func (m *Member) Again() { m.greeted = false }

// Owes reports whether the client must hear from the server though nothing it sees has changed: that its action was dealt
// with, or that the server is still there.
func (m *Member) Owes(now world.Time, t Times) bool {
	switch silent := now - m.spoke; {
	case !m.greeted:
		return true
	case m.Executed != m.answered:
		return true
	case m.Executed != m.Sender.Noted():
		return silent >= t.Resend
	default:
		return silent >= t.Timeout/4
	}
}

// Append appends one datagram of an update, which describes a tick, and says how many objects are in it and whether there is
// more to be said. An empty one is to be sent only if something is owed; one that is sent must be noted (Sent).
func (m *Member) Append(dst []byte, room int, tick world.Tick, first bool) (out []byte, items int, more bool) {
	start := len(dst)
	dst, flags := appendPreface(dst, m.Identity, m.Sender, tick, m.Executed, m.ExecutedAt)
	dst, items, full := m.Sender.Append(dst, room-(len(dst)-start))
	dst[flags] = byte(m.level << levelShift)
	if first {
		dst[flags] |= flagFirst
	}
	if !full {
		dst[flags] |= flagWhole
	}
	return dst, items, full && items > 0
}

// Say sends the client one datagram of an update, if there is anything to say, and reports how many objects and bytes are in it
// and whether there is more to be said. What it writes to is scratch.
func (m *Member) Say(now world.Time, t Times, room int, tick world.Tick, first bool, scratch *[]byte, out *mechanism.Outbox) (items, size int, more bool) {
	*scratch, items, more = m.Append((*scratch)[:0], room, tick, first)
	if items == 0 && !(first && m.Owes(now, t)) {
		return 0, 0, false
	}
	out.Send(m.Node, mechanism.Update, *scratch)
	out.Count(mechanism.Update, items)
	m.Sent(now)
	return items, len(*scratch), more
}

// Sent notes that what was appended has left.
func (m *Member) Sent(now world.Time) {
	m.Sender.Sent(now, m.Executed)
	m.spoke, m.answered, m.greeted = now, m.Executed, true
}
