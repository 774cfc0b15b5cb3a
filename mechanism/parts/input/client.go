package input

import (
	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// Times say how patient the two ends are.
type Times struct {
	Resend  world.Time // what is not acknowledged after this time is sent again
	Timeout world.Time // who is not heard of for this long has left; a quarter of it is the longest silence
	Backoff int        // a client doubles Resend so often while nothing is answered: a server too busy to answer is not to be kept busier
	Receipt world.Time // a receipt waits this long for company, unless many datagrams have come
}

// Client is a client's end of the talk with a server: what has come, what is owed, what waits for an answer.
type Client struct {
	membership.Presence
	From    *update.Receiver // what the server tells of
	Pending Pending

	times  Times
	schema *world.Schema
	user   world.User
	server mechanism.NodeID
	exact  bool       // the user's own objects come exactly
	level  int        // how far the server has slowed down
	held   bool       // an action waits to be said, since the server has
	spoke  world.Time // when the server was last told something
	acted  world.Time // when the user last acted
	owed   world.Time // since when a receipt is owed, or never
	unsaid int        // datagrams since the last receipt
	buf    []byte
}

// unsaidMax is after how many datagrams a receipt no longer waits: a sender goes no further than 32 beyond the last that it
// knows to have arrived.
const unsaidMax = 12

// NewClient returns what a user's node has to do with a server. With exact, that tells of the user's own objects exactly.
func NewClient(t Times, s *mechanism.Session, u world.User, server mechanism.NodeID, exact bool) Client {
	return Client{
		Presence: membership.NewPresence(s.Epoch, membership.Times{Repeat: t.Resend, Patience: t.Timeout}),
		times:    t, schema: s.World.Schema(), user: u, server: server, exact: exact, acted: -world.Minute,
	}
}

// Server is whom the client talks to.
func (c *Client) Server() mechanism.NodeID { return c.server }

// Turn has the client talk to another server from its next life on, which is to begin now.
func (c *Client) Turn(server mechanism.NodeID) { c.server = server }

// Join begins a life: nothing is known and the server is asked to let the client in.
func (c *Client) Join(now world.Time, out *mechanism.Outbox) {
	c.Begin()
	c.Ask(now)
	exact := update.Nobody
	if c.exact {
		exact = c.user
	}
	c.From = update.NewReceiver(c.schema, exact)
	c.owed, c.unsaid = world.Never, 0
	c.level, c.held = 0, false
	c.Speak(now, out)
}

// Transfer has the client ask another server to let it in, while its own still serves it: in a life of its own, which follows. Once
// that has let it in, the client goes on as what is returned; actions that wait for an answer are still with the old one.
func (c *Client) Transfer(now world.Time, server mechanism.NodeID, out *mechanism.Outbox) *Client {
	next := *c
	next.server, next.Pending, next.buf = server, Pending{}, nil
	next.Join(now, out)
	return &next
}

// Succeed has the client go on with the server that it was transferred to, and tell that what is still to be answered.
func (c *Client) Succeed(next *Client) {
	pending := c.Pending
	*c = *next
	c.Pending = pending
}

// Ready reports whether the server has let the client in.
func (c *Client) Ready() bool { return c.Member() }

// Read reads an update up to its objects and, if it is for the client's present life, the objects. What was read counts only
// once it is accepted (From.Accept). Stale also stands for an update of another life.
func (c *Client) Read(msg []byte) (p Preface, v update.Verdict) {
	r := wire.NewReader(msg)
	p, v = c.readPreface(&r)
	if v == update.Good {
		v = c.From.Read(&r, p.Header)
	}
	return p, v
}

// ReadPreface does the same without the objects: for a client that shows nothing.
func (c *Client) ReadPreface(msg []byte) (p Preface, v update.Verdict) {
	r := wire.NewReader(msg)
	return c.readPreface(&r)
}

func (c *Client) readPreface(r *wire.Reader) (p Preface, v update.Verdict) {
	kind := r.Byte()
	if kind == KindUnknown || kind == KindFull {
		return p, c.readRefusal(kind, r)
	}
	if c.Idle() || c.Left() {
		return p, update.Stale
	}
	if kind != KindUpdate {
		r.Fail()
	}
	p = ReadPreface(r)
	switch {
	case r.Failed():
		return p, update.Impossible
	case p.Tag != c.Identity.Tag():
		return p, update.Stale
	}
	return p, c.From.Judge(p.Header)
}

// readRefusal reads that the server does not know the client, or will not.
func (c *Client) readRefusal(kind byte, r *wire.Reader) update.Verdict {
	tag := membership.ReadTag(r)
	switch {
	case r.Done() != nil:
		return update.Impossible
	case tag != c.Identity.Tag():
	case kind == KindFull:
		c.Wait(retryAfter)
	default:
		c.Unknown()
	}
	return update.Stale
}

// retryAfter is how long a client waits that the server has no room for, before it asks again.
const retryAfter = world.Second

// Hear takes note of a datagram that was taken, and of how fast the server is. It reports whether it is the first of a life.
func (c *Client) Hear(now world.Time, p *Preface) (first bool) {
	first = c.Enter(now)
	c.level = p.Level
	c.Presence.Hear(now)
	c.owed = min(c.owed, now)
	c.unsaid++
	return first
}

// Speak tells the server what it is due to hear.
func (c *Client) Speak(now world.Time, out *mechanism.Outbox) {
	switch c.Poll(now) {
	case membership.Join:
		c.say(now, mechanism.Control, AppendJoin(c.buf[:0], c.Identity, c.user), out)
	case membership.Leave:
		c.say(now, mechanism.Control, AppendLeave(c.buf[:0], c.Identity), out)
	default:
		if c.inputDue() <= now {
			if c.repeatDue() <= now {
				c.Pending.repeats++
			}
			c.sayInput(now, out)
		}
	}
}

// Due is when the server is to hear something, if the user does not act before.
func (c *Client) Due() world.Time { return min(c.Presence.Due(), c.inputDue()) }

// inputDue is when it is to hear of receipts and actions, again.
func (c *Client) inputDue() world.Time {
	if !c.Member() {
		return world.Never
	}
	// The server is silent for no more than a quarter of the time, and its datagrams are answered; this is for when they
	// get lost.
	due := min(c.spoke+c.times.Timeout/3, c.repeatDue(), c.receipt())
	if c.held { // it goes with the user's next action, if there is one soon
		due = min(due, c.acted+c.schema.Tick*5/4)
	}
	return due
}

// repeatDue is when actions that were not answered are to be repeated, if nothing else is said before.
func (c *Client) repeatDue() world.Time {
	if len(c.Pending.Actions) == 0 {
		return world.Never
	}
	return c.spoke + c.Pending.patience(pace.Stretch(c.times.Resend, c.level), c.times.Backoff)
}

// spares reports whether a client that has just acted is to keep that to itself for a while, to spare a server that does not keep
// up: what it said last has not been followed by an update, or what the user does in the next tick will still get there before the
// next one, by which both are answered.
func (c *Client) spares(now world.Time) bool {
	if c.level == 0 {
		return false
	}
	every := pace.Stretch(c.schema.Tick, c.level)
	if c.spoke > c.Heard() {
		return now < c.spoke+every
	}
	return now+c.schema.Tick < c.Heard()+every-c.schema.Tick/4
}

// Level is how far the server has slowed down, as far as the client knows.
func (c *Client) Level() int { return c.level }

// receipt is when a receipt is to go, if nothing else does: soon, or, where the user has just acted and is likely to act
// again, a little later, to go with that.
func (c *Client) receipt() world.Time {
	switch {
	case c.owed == world.Never || c.unsaid >= unsaidMax:
		return c.owed
	case c.owed-c.acted >= 2*c.schema.Tick:
		return c.owed + c.times.Receipt
	}
	return c.owed + max(pace.Stretch(c.schema.Tick, c.level), c.times.Receipt)
}

// Act adds an action that was issued at a tick of the user's clock, and tells the server unless that has to wait: until the
// client is let in, or to spare a server that does not keep up.
func (c *Client) Act(now world.Time, a *world.Action, issued world.Tick, shown bool, out *mechanism.Outbox) {
	c.acted = now
	c.Pending.Add(a, issued, shown)
	switch {
	case !c.Ready():
	case c.spares(now):
		c.held = true
	default:
		c.sayInput(now, out)
	}
}

// sayInput tells what has arrived, and repeats what was not answered.
func (c *Client) sayInput(now world.Time, out *mechanism.Outbox) {
	actions := c.Pending.Actions[:min(len(c.Pending.Actions), ActionsMax)]
	class := mechanism.Receipt
	if len(actions) > 0 {
		class = mechanism.Command
	}
	buf := AppendInput(c.buf[:0], c.Identity, c.From.Receipt(), len(actions))
	for i := range actions {
		buf = world.AppendAction(buf, &actions[i].Action)
	}
	c.owed, c.unsaid, c.held = world.Never, 0, false
	c.say(now, class, buf, out)
	out.Count(mechanism.Command, len(actions))
}

func (c *Client) say(now world.Time, class mechanism.Class, msg []byte, out *mechanism.Outbox) {
	c.buf = msg
	c.spoke = now
	out.Send(c.server, class, msg)
}

// Leave says goodbye, and again until the server has heard it (Speak).
func (c *Client) Leave(now world.Time, out *mechanism.Outbox) {
	c.Presence.Leave(now)
	c.Speak(now, out)
}

// Bytes is the memory that it holds.
func (c *Client) Bytes() int {
	sum := c.Pending.Bytes() + cap(c.buf)
	if c.From != nil {
		sum += c.From.Bytes()
	}
	return sum
}
