package input

import (
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/update"
	"throng/world"
)

// Member is a client that has joined, as the server knows it.
type Member struct {
	membership.Member
	Sender *update.Sender

	Executed   uint32 // the actions up to this one have been dealt with
	ExecutedAt world.Tick
	Level      int // how far the server has slowed down (package pace)

	greeted  bool       // it was sent something since it last asked to join
	spoke    world.Time // when it was last sent something
	answered uint32     // the action of which it was last told that it was dealt with
	accepted uint32     // the last of its user's actions that was taken
}

// NewMember returns a client that joins now.
func NewMember(m membership.Member, s *update.Sender) Member {
	return Member{Member: m, Sender: s, spoke: m.Heard}
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
	dst[flags] = byte(m.Level << levelShift)
	if first {
		dst[flags] |= flagFirst
	}
	if !full {
		dst[flags] |= flagWhole
	}
	return dst, items, full && items > 0
}

// Sent notes that what was appended has left.
func (m *Member) Sent(now world.Time) {
	m.Sender.Sent(now, m.Executed)
	m.spoke, m.answered, m.greeted = now, m.Executed, true
}
