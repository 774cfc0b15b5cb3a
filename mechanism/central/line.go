package central

import (
	"throng/mechanism"
	"throng/mechanism/predict"
	"throng/mechanism/update"
	"throng/world"
)

// line is a client's side of the talk with the server: how far it has come, what is owed, what waits for an answer.
type line struct {
	config   *Config
	schema   *world.Schema
	user     world.User
	presence presence
	epoch    epoch
	from     *update.Receiver
	pending  pending
	heard    world.Time // when the server was last heard of
	spoke    world.Time // when it was last told something
	acted    world.Time // when the user last acted
	owed     world.Time // since when a receipt is owed, or never
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

func newLine(c *Config, s *mechanism.Session, p mechanism.Place) line {
	return line{config: c, schema: s.World.Schema(), user: p.User, epoch: epoch{holder: s.Epoch}, acted: -world.Minute}
}

// Ready reports whether the server has let the client in.
func (l *line) Ready() bool { return l.presence == joined }

// join begins a life: nothing is known and the server is asked to let the client in.
func (l *line) join(now world.Time, out *mechanism.Outbox) {
	l.presence = joining
	l.epoch.life++
	l.from = update.NewReceiver(l.schema, l.user)
	l.heard, l.owed = now, world.Never
	l.sayJoin(now, out)
}

// lost reports whether the server has been silent for so long that it has forgotten this client, or begun anew itself.
func (l *line) lost(now world.Time) bool {
	return l.presence == joined && now-l.heard > l.config.Timeout
}

// hear takes note of a datagram that was taken.
func (l *line) hear(now world.Time) {
	l.presence, l.heard = joined, now
	l.owed = min(l.owed, now)
}

// speak tells the server what it is due to hear.
func (l *line) speak(now world.Time, out *mechanism.Outbox) {
	switch {
	case l.due() > now:
	case l.presence == joining:
		l.sayJoin(now, out)
	case l.presence == joined:
		l.sayInput(now, out)
	}
}

// due is when the server is to hear something, if the user does not act before.
func (l *line) due() world.Time {
	again := l.spoke + l.config.Resend
	switch l.presence {
	case joining:
		return again
	case joined:
	default:
		return world.Never
	}
	// The server is silent for no more than a quarter of the time, and its datagrams are answered; this is for when they
	// get lost.
	due := l.spoke + l.config.Timeout/3
	if len(l.pending.actions) > 0 {
		due = min(due, again)
	}
	return min(due, l.receipt())
}

// receipt is when a receipt is to go, if nothing else does: at once, or, where the user has just acted and is likely to act
// again, a little later, to go with that.
func (l *line) receipt() world.Time {
	if l.owed == world.Never || l.owed-l.acted >= 2*l.schema.Tick {
		return l.owed
	}
	return l.owed + l.schema.Tick
}

func (l *line) sayJoin(now world.Time, out *mechanism.Outbox) {
	l.say(now, mechanism.Control, appendJoin(l.buf[:0], l.epoch, l.user), out)
}

// sayInput tells what has arrived, and repeats what was not answered.
func (l *line) sayInput(now world.Time, out *mechanism.Outbox) {
	actions := l.pending.actions[:min(len(l.pending.actions), actionsMax)]
	class := mechanism.Receipt
	if len(actions) > 0 {
		class = mechanism.Command
	}
	buf := appendInput(l.buf[:0], l.epoch, l.from.Receipt(), len(actions))
	for i := range actions {
		buf = world.AppendAction(buf, &actions[i].Action)
	}
	l.owed = world.Never
	l.say(now, class, buf, out)
}

func (l *line) say(now world.Time, class mechanism.Class, msg []byte, out *mechanism.Outbox) {
	l.buf = msg
	l.spoke = now
	out.Send(server, class, msg)
}

// Leave says goodbye.
func (l *line) Leave(now world.Time, out *mechanism.Outbox) {
	if l.presence == joining || l.presence == joined {
		l.say(now, mechanism.Control, appendLeave(l.buf[:0], l.epoch), out)
		l.presence = left
	}
}

// pending are the user's actions that the server has not answered, the oldest first.
type pending struct {
	actions []predict.Pending
	shown   []bool // whether the view has shown what they do
}

// pendingMax is how many there may be. What the user does beyond that is dropped.
const pendingMax = 64

func (p *pending) full() bool { return len(p.actions) == pendingMax }

func (p *pending) add(a *world.Action, issued world.Tick, shown bool) {
	p.actions = append(p.actions, predict.Pending{Action: *a, Issued: issued})
	p.shown = append(p.shown, shown)
}

// renew has actions that could not be sent before be taken now.
func (p *pending) renew(now world.Tick) {
	for i := range p.actions {
		p.actions[i].Issued = now
	}
}

// answered reports whether the first is up to an answer.
func (p *pending) answered(seq uint32) bool { return len(p.actions) > 0 && p.actions[0].Seq <= seq }

// take takes the first off.
func (p *pending) take() (a world.Action, shown bool) {
	a, shown = p.actions[0].Action, p.shown[0]
	p.actions = p.actions[:copy(p.actions, p.actions[1:])]
	p.shown = p.shown[:copy(p.shown, p.shown[1:])]
	return a, shown
}

func (p *pending) bytes() int { return cap(p.actions)*96 + cap(p.shown) }
