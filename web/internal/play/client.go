// Package play is a person's client without the browser: everything between a socket and a screen.
//
// A [Client] says hello, builds the session that the welcome describes, keeps the server's time, and runs the mechanism's
// node as any driver does. It has no goroutine, clock or socket: whoever owns it hands in frames and the time, takes frames
// out, and comes back when something is due. The page's WebAssembly is a thin layer over it; tests drive it by hand.
package play

import (
	"fmt"

	"throng/catalog"
	"throng/internal/json"
	"throng/live/direct"
	"throng/live/protocol"
	"throng/live/session"
	"throng/mechanism"
	"throng/web/internal/display"
	"throng/web/internal/trouble"
	"throng/world"
	"throng/world/random"
)

// Phase is how far a client has come.
type Phase uint8

// The phases.
const (
	Idle    Phase = iota // nothing was said yet
	Asking               // hello was said
	Timing               // welcome; the server's time is being learnt
	Joining              // the node runs but knows too little of the world to take part
	Playing              // the user is in the world
	Ended                // the server said goodbye
	Broken               // the session cannot be built, or the server cannot be understood
	Stale                // the client was away for too long and must say hello again, without a node
)

const (
	// timingPongs and timingMax are how long the server's time is measured before the node begins: from then on it can only
	// be corrected slowly.
	timingPongs = 4
	timingMax   = 600 * world.Millisecond

	pingFirst = 40 * world.Millisecond // between pings at first,
	pingLater = world.Second           // and from then on

	// absenceMax is after how long without being called, as when the machine slept, a node is given up: catching up would
	// take long and be of no use. errorMax is the same for a clock that was wrong.
	absenceMax = 8 * world.Second
	errorMax   = 2 * world.Second
)

// Client is a person's part in a live world.
type Client struct {
	catalog catalog.Catalog

	phase  Phase
	reason string // why it ended or broke
	notice string // what operators have said last, until somebody has read it
	asked  world.Time
	clock  protocol.Offset
	pinged world.Time
	called world.Time // when the owner last called, by its clock

	welcome     protocol.Welcome
	description session.Description
	session     *mechanism.Session
	mechanism   mechanism.Mechanism
	machine     *mechanism.Machine
	out         mechanism.Outbox
	action      world.Action // what the user does; here, since a pointer to it is handed on
	screen      *display.Screen
	ghosts      []display.Record
	truth       *world.State // what is really so, as of some moment; nil where nobody has said
	moved       *world.State // the same, moved on to the present
	hearsay     bool         // what it says of this user's own is
	truths      []display.Record
	parcel      []byte // one that is being delivered
	areas       []Area
	clouds      []Cloud
	parts       []mechanism.Area
	scenery     []Segment
	segments    []world.Segment
	pilot       pilot

	wire outgoing
	line trouble.Emulator

	zones        []mechanism.Zone
	ties         []mechanism.Tie
	shunned      mechanism.NodeID // nothing goes to it nor comes from it, until:
	shunnedUntil world.Time

	meets, local bool // it may connect to others directly; they may be on this machine
	owner        owner
	direct       *direct.Switch // nil if all goes by the server

	count Counts
	acted acted
}

// New returns a client that has not said anything.
func New(c catalog.Catalog) *Client {
	k := &Client{catalog: c}
	k.wire.max = frameMax
	k.owner.conns = map[uint32]*pageConn{}
	return k
}

// Hello begins to speak to a server over a connection that has just opened. A client that has a node goes on with it, unless
// fresh is set. Data frames have at most datagramMax bytes; zero leaves it to the client.
func (c *Client) Hello(now world.Time, token []byte, fresh bool, datagramMax int) {
	c.call(now)
	if fresh {
		c.machine, c.session, c.screen = nil, nil, nil
		c.part()
	}
	c.wire.open(datagramMax)
	c.line.Clear()
	c.phase, c.reason, c.asked = Asking, "", now
	c.wire.control(protocol.AppendHello(nil, protocol.Hello{Version: protocol.Version, Fresh: c.machine == nil, Token: token}))
}

// Lost says that the connection is gone. The node goes on without it.
func (c *Client) Lost() { c.wire.close() }

// Bye leaves the world for good.
func (c *Client) Bye() {
	if c.machine != nil {
		c.machine.Leave(c.worldTime(c.called), &c.out)
		c.finish()
		c.wire.flush()
	}
	c.part()
	c.wire.control(protocol.AppendBye(nil))
	c.phase = Ended
}

// Receive takes a frame from the server.
func (c *Client) Receive(now world.Time, frame []byte) {
	c.call(now)
	c.count.BytesIn += int64(len(frame))
	switch protocol.KindOf(frame) {
	case protocol.KindWelcome:
		c.enter(now, frame)
	case protocol.KindData:
		c.receiveData(now, frame)
	case protocol.KindPong:
		if !c.line.Send(now, trouble.In, trouble.Tag{What: parcelPong}, frame) {
			c.pong(now, frame)
		}
	case protocol.KindGoodbye:
		reason, err := protocol.ReadGoodbye(frame)
		if err != nil {
			reason = []byte("the server said goodbye")
		}
		c.phase, c.reason = Ended, string(reason)
	case protocol.KindNotice:
		if text, err := protocol.ReadNotice(frame); err == nil {
			c.notice = string(text)
		} else {
			c.count.Malformed++
		}
	default:
		c.count.Malformed++
	}
	c.wire.flushDue(now)
}

// enter takes the welcome. Where the client has a node already and the seat is still the node's, it goes on.
func (c *Client) enter(now world.Time, frame []byte) {
	w, err := protocol.ReadWelcome(frame)
	if err != nil {
		c.fail("the server's welcome cannot be read; it may be of another version")
		return
	}
	same := c.machine != nil && w.Node == c.welcome.Node && w.User == c.welcome.User && w.Epoch == c.welcome.Epoch
	if !same {
		if err := c.build(&w); err != nil {
			c.fail(err.Error())
			return
		}
		c.clock = protocol.Offset{}
	}
	c.welcome = w
	c.welcome.Role, c.welcome.Description = nil, nil // they point into the frame
	c.clock.Pong(c.asked, w.Time, now)
	c.pinged = now - pingLater
	c.phase = Timing
	if same {
		c.phase = Joining
	}
	c.Advance(now)
}

func (c *Client) fail(reason string) { c.phase, c.reason = Broken, reason }

// build makes the session and its node.
func (c *Client) build(w *protocol.Welcome) error {
	var d session.Description
	if err := json.Unmarshal(w.Description, &d); err != nil {
		return fmt.Errorf("the session's description cannot be read: %w", err)
	}
	s, m, err := d.Build(c.catalog)
	if err != nil {
		return err
	}
	place := w.Place()
	config, err := mechanism.Build(m, s.Join(place, w.Epoch), place)
	if err != nil {
		return err
	}
	c.description, c.session, c.mechanism = d, s, m
	c.pilot.player = s.World.Player(place.User, random.New(d.Seed, "page", uint64(place.User), uint64(w.Epoch)))
	config.Player, config.Enter = &c.pilot, true
	c.machine = mechanism.NewMachine(config)
	c.meet(place.ID)
	raw := c.screen != nil && c.screen.Raw
	c.screen = display.NewScreen(s.World)
	c.screen.Raw = raw
	c.truth, c.moved = nil, nil
	return nil
}

// Advance does what is due and returns when it is to be called next, by the owner's clock.
func (c *Client) Advance(now world.Time) (due world.Time) {
	c.call(now)
	c.arrivals(now)
	if c.phase >= Timing && c.phase <= Playing {
		c.ping(now)
	}
	if c.phase == Timing && (c.clock.Samples() > timingPongs || now-c.asked > timingMax) {
		c.phase = Joining
	}
	if c.running() {
		c.advance(c.worldTime(now))
		if c.phase == Joining && c.machine.Ready() {
			c.phase = Playing
		}
	}
	c.wire.flushDue(now)
	return c.due(now)
}

// advance drives the node, and the computer if it plays for the user.
func (c *Client) advance(now world.Time) {
	actions := c.machine.Advance(now, &c.out)
	for i := range actions {
		c.act(now, &actions[i])
	}
	c.finish()
}

// act carries out an action that was issued.
func (c *Client) act(now world.Time, a *world.Action) {
	c.note(a)
	c.machine.Act(now, *a, &c.out)
}

// finish does what the node left in the outbox.
func (c *Client) finish() {
	for i := range c.out.Sends() {
		c.route(c.out.Message(i, c.welcome.Node))
	}
	for _, e := range c.out.Events() {
		c.event(e)
	}
	c.out.Reset()
}

// strayed reports whether the clock is too wrong to wait for it to be corrected.
func (c *Client) strayed() bool {
	off := c.clock.Error()
	return off > errorMax || off < -errorMax
}

// running reports whether the node has begun. It goes on while the connection is lost.
func (c *Client) running() bool {
	return c.machine != nil && (c.phase == Joining || c.phase == Playing || c.phase == Asking && c.machine.Ready())
}

func (c *Client) due(now world.Time) world.Time {
	due := min(c.line.Due(), c.wire.due())
	if c.phase >= Timing && c.phase <= Playing {
		due = min(due, c.pinged+c.pingEvery())
	}
	if c.running() {
		if at := c.machine.Due(); at != world.Never {
			due = min(due, now+max(0, at-c.worldTime(now)))
		}
	}
	return due
}

// ping asks for the server's time.
func (c *Client) ping(now world.Time) {
	if now-c.pinged < c.pingEvery() {
		return
	}
	c.pinged = now
	c.count.Pings++
	frame := protocol.AppendPing(c.wire.scratch(), now)
	if !c.line.Send(now, trouble.Out, trouble.Tag{What: parcelPing}, frame) {
		c.wire.control(frame)
	}
}

func (c *Client) pingEvery() world.Time {
	if c.clock.Samples() <= timingPongs {
		return pingFirst
	}
	return pingLater
}

func (c *Client) pong(now world.Time, frame []byte) {
	sent, server, err := protocol.ReadPong(frame)
	if err != nil || sent > now {
		c.count.Malformed++
		return
	}
	c.clock.Pong(sent, server, now)
}

// worldTime is the world's time when it is now by the owner's clock.
func (c *Client) worldTime(now world.Time) world.Time { return c.clock.At(now) }

// call notes that the owner called. One that was away for too long, or whose clock was, has lost touch.
func (c *Client) call(now world.Time) {
	if c.machine != nil && (c.phase == Joining || c.phase == Playing) && (now-c.called > absenceMax || c.strayed()) {
		c.phase = Stale
	}
	c.called = max(c.called, now)
}
