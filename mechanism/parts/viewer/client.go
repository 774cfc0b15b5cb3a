package viewer

import (
	"fmt"
	"slices"
	"unsafe"

	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/interpolation"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/prediction"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/fixed"
)

// Config says how a client shows things.
type Config struct {
	Times    input.Times
	Interval world.Time // between two updates
	Others   string     // how it shows what is not its user's: one of package interpolation's words
	Delay    fixed.F    // how far behind the last update interpolated objects are shown, in intervals
	Predict  bool       // what its user does shows at once
	Smooth   bool       // what was predicted wrongly moves to its place instead of jumping there

	// Server is whom the client asks to let it in, in each of its lives, if no balancer knows better.
	Server func(life uint32) mechanism.NodeID
	Moves  *Moves // nil where none does, and clients stay with their servers
}

// Client is a user's node: it shows what its server tells, and what its user does.
type Client struct {
	input.Client
	config Config
	world  world.World
	user   world.User
	length world.Time // of a tick
	tick   world.Tick
	view   *world.State
	ghost  *world.State // scratch for Ghost
	action world.Action // what the user does; here, since rules are handed a pointer to it

	// What is forgotten when a life ends.
	others   interpolation.Scene
	self     *prediction.Self  // nil where nothing is predicted
	answer   prediction.Answer // the server's last
	observer input.Observer
	far      clouds

	removal
}

var (
	_ mechanism.Arriving  = (*Client)(nil)
	_ mechanism.Clouded   = (*Client)(nil)
	_ mechanism.Departing = (*Client)(nil)
	_ mechanism.Holder    = (*Client)(nil)
	_ mechanism.Lingering = (*Client)(nil)
	_ mechanism.Served    = (*Client)(nil)
	_ mechanism.Shadowed  = (*Client)(nil)
	_ mechanism.Sized     = (*Client)(nil)
)

// New returns a client for a place.
func New(c Config, s *mechanism.Session, p mechanism.Place) *Client {
	return &Client{
		Client: input.NewClient(c.Times, s, p.User, c.Server(1), true),
		config: c,
		world:  s.World,
		user:   p.User,
		length: s.World.Schema().Tick,
		view:   world.NewState(s.World.Schema(), s.Start.Seed()),

		removal: removal{heirless: world.Never},
	}
}

// life is the one that begins next.
func (n *Client) life() membership.Identity {
	return membership.Identity{Epoch: n.Identity.Epoch, Life: max(n.Identity.Life, n.lives) + 1}
}

// begin starts a life with a server, in which nothing is known yet.
func (n *Client) begin(now world.Time, server mechanism.NodeID, out *mechanism.Outbox) {
	n.seeking.under, n.next, n.heirless = false, nil, world.Never
	n.Identity.Life = n.life().Life - 1
	n.Turn(server)
	n.Join(now, out)
	n.view.Release()
	n.others = interpolation.NewScene(n.world, n.view, n.config.Others, n.delay())
	n.answer = prediction.Answer{Tick: -1}
	n.observer = input.Observer{}
	n.far.forget()
	if n.config.Predict {
		n.self = prediction.NewSelf(n.world, n.user, n.view, n.From, n.config.Smooth)
	}
}

// String says how far the client has come.
func (n *Client) String() string {
	text := fmt.Sprintf("waits for answers to %d actions", len(n.Pending.Actions))
	if n.self == nil {
		return text
	}
	return text + fmt.Sprintf("; the server has come to action %d at tick %d", n.answer.Seq, n.answer.Tick)
}

// User is whose client it is.
func (n *Client) User() world.User { return n.user }

// delay is how far behind the last update others are shown.
func (n *Client) delay() world.Time {
	return world.Time(n.config.Delay.MulInt(int64(n.config.Interval)).Round())
}

// Ready reports whether a server has let the client in. One that moves to another is in all the while.
func (n *Client) Ready() bool { return n.Client.Ready() || n.next != nil }

// View is what the user sees.
func (n *Client) View() *world.State { return n.view }

// Holds reports whether the view has an object.
func (n *Client) Holds(id world.ID) bool { return n.view.Get(id) != nil }

// Ghost is what the server last said of what the user sees, with nothing added: for showing how the two differ.
func (n *Client) Ghost() *world.State {
	if !n.Ready() {
		return nil
	}
	if n.ghost == nil {
		n.ghost = world.NewState(n.view.Schema(), n.view.Seed())
	}
	n.From.Latest(n.ghost)
	n.ghost.SetTick(max(n.answer.Tick, 0))
	return n.ghost
}

// Wake brings the next tick.
func (n *Client) Wake(now world.Time, out *mechanism.Outbox) {
	if n.Idle() || n.Lost(now) && n.next == nil {
		n.seek(now, out)
	}
	n.catchUp(now, out)
	n.Speak(now, out)
	n.transfer(now, out)
	n.charge(out)
	out.WakeAt(mechanism.TimeOf(mechanism.TickAt(now, n.length)+1, n.length))
}

// catchUp shows everything as it is at a time, if a tick has passed.
func (n *Client) catchUp(now world.Time, out *mechanism.Outbox) {
	tick := mechanism.TickAt(now, n.length)
	if tick == n.tick {
		return
	}
	n.tick = tick
	if n.Ready() {
		n.others.Show(now)
		n.observer.Show(0, n.others.Moment(now), out)
		if n.self != nil {
			n.self.Advance(tick)
		}
	}
	n.view.SetTick(tick)
}

// Act shows what the user does and tells the server.
func (n *Client) Act(now world.Time, action world.Action, out *mechanism.Outbox) {
	n.catchUp(now, out)
	n.action = action
	switch a := &n.action; {
	case a.Verb == world.Leave:
		n.Leave(now, out)
		n.view.Release()
		n.report(mechanism.Applied, a, out)
	case a.Verb == world.Enter:
		if n.Left() {
			n.begin(now, n.config.Server(n.life().Life), out) // who joins enters
		}
		n.report(mechanism.Applied, a, out)
	case n.Left() || n.Pending.Full() || n.world.Schema().CheckAction(a) != nil:
		n.report(mechanism.Dropped, a, out)
	default:
		n.act(now, a, out)
	}
	n.charge(out)
}

func (n *Client) act(now world.Time, a *world.Action, out *mechanism.Outbox) {
	predicted := n.self != nil && n.Ready()
	shown := predicted && n.self.Shows(a)
	if predicted {
		n.self.Act(a, n.tick)
	}
	if shown {
		n.report(mechanism.Applied, a, out)
	}
	n.Client.Act(now, a, n.tick, shown, out)
}

// Receive takes an update.
func (n *Client) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	kind := byte(0)
	if len(m.Payload) > 0 {
		kind = m.Payload[0]
	}
	switch {
	case kind == input.KindMove && m.From == n.Server() || kind == input.KindPlace && slices.Contains(n.config.balancers(), m.From):
		n.receivePlace(now, m, out)
		return
	case n.next != nil && m.From == n.next.Server():
		n.receiveNext(now, m, out)
		return
	case m.From != n.Server():
		return
	case kind == input.KindClouds:
		n.receiveClouds(m.Payload, out)
		return
	}
	p, verdict := n.Read(m.Payload)
	switch verdict {
	case update.Impossible:
		out.Report(mechanism.Event{Name: mechanism.Malformed, Value: int64(len(m.Payload))})
	case update.Good:
		n.catchUp(now, out)
		n.take(now, &p, out)
		n.charge(out)
	}
}

// take takes over what an update says.
func (n *Client) take(now world.Time, p *input.Preface, out *mechanism.Outbox) {
	if n.Hear(now, p) {
		n.Pending.Renew(n.tick)
	}
	n.others.Behind(pace.Stretch(n.delay(), p.Level))
	moment := mechanism.TimeOf(p.Tick, n.length)
	changes := n.From.Accept(p.Header)
	n.others.Begin(now, moment, p.Header, p.First, p.Whole, n.From)
	for i := range changes {
		n.change(now, moment, &changes[i], out)
	}
	n.confirm(p, out)
	if n.others.AtOnce() {
		n.observer.Show(0, world.Never, out)
	}
	n.disinherit(now)
	n.view.SetTick(n.tick)
}

// change takes over what happened to one object.
func (n *Client) change(now, moment world.Time, c *update.Change, out *mechanism.Outbox) {
	id := c.Object.ID
	own := c.Object.User == n.user
	switch {
	case c.What == update.Left:
		n.others.Leave(c.Place)
		n.view.Remove(id)
		if n.self != nil {
			n.self.Untell(id)
		}
	case own && n.self != nil:
		n.others.Leave(c.Place)
		n.self.Tell(&c.Object)
	default:
		if n.self != nil {
			n.self.Untell(id)
		}
		n.others.Hear(now, moment, c)
	}
	n.observer.Hear(c, 0, moment, n.user, out)
}

// confirm takes the server's answer to what the user did.
func (n *Client) confirm(p *input.Preface, out *mechanism.Outbox) {
	a := prediction.Answer{Tick: p.Tick, Seq: p.Seq, Done: p.Done}
	if a.Tick < n.answer.Tick || a.Tick == n.answer.Tick && a.Seq < n.answer.Seq {
		return // a late one
	}
	n.answer = a
	if n.self != nil {
		if ticks := n.self.Confirm(a, n.Pending.Actions, n.tick); ticks > 0 {
			out.Report(mechanism.Event{Name: mechanism.Rollback, Value: int64(ticks)})
		}
	}
	for n.Pending.Answered(a.Seq) {
		x, shown := n.Pending.Take()
		if !shown {
			n.observer.Own(&x, 0, mechanism.TimeOf(p.Tick, n.length), out)
		}
		n.report(mechanism.Confirmed, &x, out)
	}
}

func (n *Client) report(name string, a *world.Action, out *mechanism.Outbox) {
	out.Report(mechanism.Event{Name: name, User: a.User, Seq: a.Seq})
}

func (n *Client) charge(out *mechanism.Outbox) {
	out.Charge(n.others.TakeWork())
	if n.self != nil {
		out.Charge(n.self.TakeWork())
	}
}

// Bytes is the memory that the node's structures hold.
func (n *Client) Bytes() int {
	sum := int(unsafe.Sizeof(*n)-unsafe.Sizeof(n.far)-unsafe.Sizeof(n.removal)-unsafe.Sizeof(n.config.Moves)) + n.view.Bytes() + n.Client.Bytes() + n.others.Bytes() + n.observer.Bytes() + n.far.bytes() + n.removal.bytes()
	if n.self != nil {
		sum += n.self.Bytes()
	}
	return sum
}
