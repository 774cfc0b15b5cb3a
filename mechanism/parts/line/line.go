package line

import (
	"throng/mechanism"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// Times say how patient the two ends are.
type Times struct {
	Resend  world.Time // what is not acknowledged after this time is sent again
	Timeout world.Time // who is not heard of for this long has left; a quarter of it is the longest silence
	Receipt world.Time // a receipt waits this long for company, unless many datagrams have come
}

// Line is a client's side of the talk with a server: how far it has come, what is owed, what waits for an answer.
type Line struct {
	From    *update.Receiver // what the server tells of
	Pending Pending
	Epoch   Epoch

	times    Times
	schema   *world.Schema
	user     world.User
	server   mechanism.NodeID
	presence presence
	exact    bool       // the user's own objects come exactly
	heard    world.Time // when the server was last heard of
	spoke    world.Time // when it was last told something
	acted    world.Time // when the user last acted
	owed     world.Time // since when a receipt is owed, or never
	unsaid   int        // datagrams since the last receipt
	buf      []byte
}

// presence is how far a client has come.
type presence uint8

const (
	asleep presence = iota
	joining
	joined
	left
)

// unsaidMax is after how many datagrams a receipt no longer waits: a sender goes no further than 32 beyond the last that it
// knows to have arrived.
const unsaidMax = 12

// New returns a line from a user's node to a server. With exact, the server tells of the user's own objects exactly.
func New(t Times, s *mechanism.Session, u world.User, server mechanism.NodeID, exact bool) Line {
	return Line{
		times: t, schema: s.World.Schema(), user: u, server: server, exact: exact,
		Epoch: Epoch{Holder: s.Epoch}, acted: -world.Minute,
	}
}

// Ready reports whether the server has let the client in.
func (l *Line) Ready() bool { return l.presence == joined }

// Joining reports whether the client waits for the server to let it in.
func (l *Line) Joining() bool { return l.presence == joining }

// Left reports whether the client has taken its leave.
func (l *Line) Left() bool { return l.presence == left }

// Asleep reports whether the client has yet to begin.
func (l *Line) Asleep() bool { return l.presence == asleep }

// Join begins a life: nothing is known and the server is asked to let the client in.
func (l *Line) Join(now world.Time, out *mechanism.Outbox) {
	l.presence = joining
	l.Epoch.Life++
	exact := update.Nobody
	if l.exact {
		exact = l.user
	}
	l.From = update.NewReceiver(l.schema, exact)
	l.heard, l.owed, l.unsaid = now, world.Never, 0
	l.sayJoin(now, out)
}

// Lost reports whether the server has been silent for so long that it has forgotten this client, or begun anew itself.
func (l *Line) Lost(now world.Time) bool {
	return l.presence == joined && now-l.heard > l.times.Timeout
}

// Silent is when the server will have been silent for that long.
func (l *Line) Silent() world.Time { return l.heard + l.times.Timeout + 1 }

// Read reads an update up to its objects and, if it is for the client's present life, the objects. What was read counts only
// once it is accepted (From.Accept). Stale also stands for an update of another life.
func (l *Line) Read(msg []byte) (p Preface, v update.Verdict) {
	r := wire.NewReader(msg)
	p, v = l.readPreface(&r)
	if v == update.Good {
		v = l.From.Read(&r, p.Header)
	}
	return p, v
}

// ReadPreface does the same without the objects: for a client that shows nothing.
func (l *Line) ReadPreface(msg []byte) (p Preface, v update.Verdict) {
	r := wire.NewReader(msg)
	return l.readPreface(&r)
}

func (l *Line) readPreface(r *wire.Reader) (p Preface, v update.Verdict) {
	if l.presence == asleep || l.presence == left {
		return p, update.Stale
	}
	if r.Byte() != KindUpdate {
		r.Fail()
	}
	p = ReadPreface(r)
	switch {
	case r.Failed():
		return p, update.Impossible
	case p.Tag != l.Epoch.Tag():
		return p, update.Stale
	}
	return p, l.From.Judge(p.Header)
}

// Hear takes note of a datagram that was taken. It reports whether it is the first of a life.
func (l *Line) Hear(now world.Time) (first bool) {
	first = l.presence == joining
	l.presence, l.heard = joined, now
	l.owed = min(l.owed, now)
	l.unsaid++
	return first
}

// Speak tells the server what it is due to hear.
func (l *Line) Speak(now world.Time, out *mechanism.Outbox) {
	switch {
	case l.Due() > now:
	case l.presence == joining:
		l.sayJoin(now, out)
	case l.presence == joined:
		l.sayInput(now, out)
	}
}

// Due is when the server is to hear something, if the user does not act before.
func (l *Line) Due() world.Time {
	again := l.spoke + l.times.Resend
	switch l.presence {
	case joining:
		return again
	case joined:
	default:
		return world.Never
	}
	// The server is silent for no more than a quarter of the time, and its datagrams are answered; this is for when they
	// get lost.
	due := l.spoke + l.times.Timeout/3
	if len(l.Pending.Actions) > 0 {
		due = min(due, again)
	}
	return min(due, l.receipt())
}

// receipt is when a receipt is to go, if nothing else does: soon, or, where the user has just acted and is likely to act
// again, a little later, to go with that.
func (l *Line) receipt() world.Time {
	switch {
	case l.owed == world.Never || l.unsaid >= unsaidMax:
		return l.owed
	case l.owed-l.acted >= 2*l.schema.Tick:
		return l.owed + l.times.Receipt
	}
	return l.owed + max(l.schema.Tick, l.times.Receipt)
}

func (l *Line) sayJoin(now world.Time, out *mechanism.Outbox) {
	l.say(now, mechanism.Control, AppendJoin(l.buf[:0], l.Epoch, l.user), out)
}

// Act adds an action that was issued at a tick of the user's clock, and tells the server unless that has to wait until the
// client is let in.
func (l *Line) Act(now world.Time, a *world.Action, issued world.Tick, shown bool, out *mechanism.Outbox) {
	l.acted = now
	l.Pending.Add(a, issued, shown)
	if l.Ready() {
		l.sayInput(now, out)
	}
}

// sayInput tells what has arrived, and repeats what was not answered.
func (l *Line) sayInput(now world.Time, out *mechanism.Outbox) {
	actions := l.Pending.Actions[:min(len(l.Pending.Actions), ActionsMax)]
	class := mechanism.Receipt
	if len(actions) > 0 {
		class = mechanism.Command
	}
	buf := AppendInput(l.buf[:0], l.Epoch, l.From.Receipt(), len(actions))
	for i := range actions {
		buf = world.AppendAction(buf, &actions[i].Action)
	}
	l.owed, l.unsaid = world.Never, 0
	l.say(now, class, buf, out)
	out.Count(mechanism.Command, len(actions))
}

func (l *Line) say(now world.Time, class mechanism.Class, msg []byte, out *mechanism.Outbox) {
	l.buf = msg
	l.spoke = now
	out.Send(l.server, class, msg)
}

// Leave says goodbye.
func (l *Line) Leave(now world.Time, out *mechanism.Outbox) {
	if l.presence == joining || l.presence == joined {
		l.say(now, mechanism.Control, AppendLeave(l.buf[:0], l.Epoch), out)
		l.presence = left
	}
}

// Bytes is the memory that the line holds.
func (l *Line) Bytes() int {
	sum := l.Pending.Bytes() + cap(l.buf)
	if l.From != nil {
		sum += l.From.Bytes()
	}
	return sum
}
