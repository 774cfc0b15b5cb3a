package bots

import (
	"time"

	"throng/live/bots/fleet"
	"throng/live/driver"
	"throng/live/protocol"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

const (
	pingEvery = 5 * time.Second        // how often a client asks for the time
	lookEvery = 500 * time.Millisecond // how often one with a view compares it with the truth
	frameMax  = 8 << 10                // how large frames to the server get; its limit is some way beyond
)

// bot is one artificial user.
type bot struct {
	crew   *crew
	number int  // among all
	whole  bool // has a whole client
	looks  bool // at how others are shown, now and then
	token  string

	conn    *fleet.Conn
	opened  time.Duration
	goodbye string // the reason the server gave
	leaving bool   // we close the connection ourselves

	// Once welcomed:
	machine *driver.Machine
	player  world.Player
	want    func(world.Action)
	entry   *entry
	self    world.ID // the object that is the user, once found
	shown   bool     // the own view has shown the last action at once
	pulse   fleet.Pulse

	phase      world.Time // of a tick, at which the user acts
	play       world.Time // next
	ping, look time.Duration
	turn       time.Duration // when the present call began
	news       news
	newest     []time.Duration // by the others' entries: when the newest action was taken that has arrived
}

// Open introduces the bot.
func (b *bot) Open(c *fleet.Conn, now time.Duration) {
	b.conn, b.opened = c, now
	c.Send(protocol.AppendHello(nil, protocol.Hello{Version: protocol.Version, Fresh: true, Token: []byte(b.token)}))
}

// Frame takes a frame from the server.
func (b *bot) Frame(frame []byte, now time.Duration) {
	switch protocol.KindOf(frame) {
	case protocol.KindWelcome:
		b.welcome(frame, now)
	case protocol.KindData:
		b.data(frame, now)
	case protocol.KindPong:
		if sent, server, err := protocol.ReadPong(frame); err == nil {
			b.crew.offset.Pong(sent, server, world.Time(now))
		}
	case protocol.KindGoodbye:
		if reason, err := protocol.ReadGoodbye(frame); err == nil {
			b.goodbye = string(reason)
		}
	}
}

// welcome builds the user's node and starts it.
func (b *bot) welcome(frame []byte, now time.Duration) {
	w, err := protocol.ReadWelcome(frame)
	if err != nil || b.machine != nil {
		b.giveUp("the welcome could not be read")
		return
	}
	b.crew.offset.Pong(world.Time(b.opened), w.Time, world.Time(now))
	worldNow := b.crew.now(now)
	if err := b.crew.set(w.Description, worldNow); err != nil {
		b.giveUp(err.Error())
		return
	}
	if err := b.build(&w); err != nil {
		b.giveUp(err.Error())
		return
	}
	tick := b.crew.scene.session.World.Schema().Tick
	r := random.New(b.crew.config.Seed, "bot", uint64(b.number))
	b.phase = world.Time(r.Below(uint64(tick)))
	b.play = worldNow
	b.ping = now + time.Duration(r.Below(uint64(pingEvery)))
	b.look = now + time.Duration(r.Below(uint64(lookEvery)))
	b.turnTo(now)
	b.machine.Advance(worldNow)
	b.finish(now)
}

// build makes the node and what drives it.
func (b *bot) build(w *protocol.Welcome) error {
	scene := b.crew.scene
	place := w.Place()
	late := session.Late(scene.session, place, w.Epoch)
	var node mechanism.Node
	if !b.whole {
		if light := newLight(scene.mechanism, late, place); light != nil {
			node = &sketched{light, scene.sketch}
		}
	}
	if b.whole = node == nil; b.whole {
		var err error
		if node, err = scene.mechanism.NewNode(late, place); err != nil {
			return err
		}
	}
	native := driver.InWorld(scene.session.Start, place.User)
	b.entry = b.crew.roster.add(place.User, native || b.whole)
	config := driver.Config{Place: place, Node: node, World: scene.session.World, Router: b, Enter: true, Acted: b.acted}
	if b.whole {
		config.Event = b.event
	}
	b.machine = driver.NewMachine(config)
	if !b.crew.config.Idle {
		b.player = scene.session.World.Player(place.User, random.New(b.crew.config.Seed, "player", uint64(place.User)))
		b.want = func(a world.Action) { b.crew.wants = append(b.crew.wants, a) }
	}
	return nil
}

// data hands the node what it was sent.
func (b *bot) data(frame []byte, now time.Duration) {
	if b.machine == nil {
		return // it has overtaken the welcome
	}
	b.turnTo(now)
	worldNow := b.crew.now(now)
	place := b.machine.Place()
	fresh := false
	items := protocol.ReadData(frame)
	for item, ok := items.Next(); ok; item, ok = items.Next() {
		fresh = fresh || item.Class != mechanism.Receipt && item.Class != mechanism.Control
		b.machine.Receive(worldNow, mechanism.Message{From: item.Peer, To: place.ID, Class: item.Class, Payload: item.Payload})
	}
	if fresh {
		b.pulse.Beat(now, b.crew.scene.interval)
	}
	b.finish(now)
}

// Wake does what has become due.
func (b *bot) Wake(now time.Duration) {
	if b.machine == nil {
		return
	}
	b.turnTo(now)
	worldNow := b.crew.now(now)
	if b.machine.Due() <= worldNow {
		b.machine.Advance(worldNow)
	}
	if b.play <= worldNow {
		tick := b.crew.scene.session.World.Schema().Tick
		b.play = (worldNow-b.phase)/tick*tick + tick + b.phase
		b.act(worldNow)
	}
	if b.ping <= now {
		b.ping = now + pingEvery
		var frame [16]byte
		b.conn.Send(protocol.AppendPing(frame[:0], world.Time(now)))
	}
	b.finish(now)
	if b.looks && b.look <= now {
		b.look = now + lookEvery
		if b.crew.measuring {
			b.compare(now)
		}
	}
}

// act lets the user look and act.
func (b *bot) act(now world.Time) {
	scene := b.crew.scene
	if !b.whole {
		scene.sketch.advance(now)
	}
	if !b.machine.Ready() {
		return
	}
	client := b.machine.Node().(mechanism.Client)
	user := b.machine.Place().User
	if b.player != nil {
		b.crew.wants = b.crew.wants[:0]
		b.player.Play(world.View{State: client.View(), User: user, Lag: mechanism.Lag(client)}, b.want)
		for _, a := range b.crew.wants {
			b.take(now, a)
		}
	}
	if view := client.View(); b.crew.config.Whole > 1 {
		if me := b.find(view); me != nil {
			b.entry.tell(me, mechanism.TimeOf(view.Tick(), scene.session.World.Schema().Tick))
		}
	}
}

// take carries an action out. One that turns out to change nothing about the user, such as a word, has no effect that others
// could be seen to receive: what they next see of the user would be taken for it.
func (b *bot) take(now world.Time, a world.Action) {
	var before world.Object
	if me := b.find(b.machine.View()); me != nil {
		before = *me
	}
	b.shown = !b.whole // the sketch shows everything at once
	b.machine.Act(now, a)
	if me := b.find(b.machine.View()); b.shown && me != nil && *me == before {
		b.entry.forget()
	}
}

// find returns the user's own object in its view, or nil.
func (b *bot) find(view *world.State) *world.Object {
	user := b.machine.Place().User
	if o := view.Get(b.self); o != nil && o.User == user {
		return o
	}
	for o := range view.All() {
		if o.User == user {
			b.self = o.ID
			return o
		}
	}
	return nil
}

// acted is told of the user's actions. Entering does not count: others report no action of somebody new to them.
func (b *bot) acted(a *world.Action) {
	if a.Verb != world.Enter {
		b.entry.act(a.Seq, b.turn)
	}
}

// turnTo begins a call: what the node sends in it goes out in one frame.
func (b *bot) turnTo(now time.Duration) {
	b.turn = now
	b.crew.out = protocol.AppendData(b.crew.out[:0])
}

// Route takes what the node sends.
func (b *bot) Route(m mechanism.Message) bool {
	if len(b.crew.out)+len(m.Payload) > frameMax {
		b.flush()
	}
	b.crew.said += int64(len(m.Payload))
	b.crew.out = protocol.AppendItem(b.crew.out, m.To, m.Class, m.Payload)
	return true
}

func (b *bot) flush() {
	if len(b.crew.out) > 1 {
		b.conn.Send(b.crew.out)
	}
	b.crew.out = protocol.AppendData(b.crew.out[:0])
}

// finish ends a call and sets the alarm for the next.
func (b *bot) finish(now time.Duration) {
	b.observe()
	b.flush()
	due := min(b.machine.Due(), b.play)
	ahead := due - b.crew.now(now)
	next := min(b.ping, now+time.Duration(min(ahead, world.Time(pingEvery))))
	if b.looks {
		next = min(next, b.look)
	}
	b.conn.WakeAt(next)
}

// giveUp ends the connection from our side, for a reason that counts as the server's.
func (b *bot) giveUp(reason string) {
	b.goodbye = reason
	b.conn.Close()
}

// leave says goodbye.
func (b *bot) leave() {
	if b.conn != nil && !b.leaving {
		b.leaving = true
		b.conn.Send(protocol.AppendBye(nil))
	}
}

// Closed takes note of who drops out.
func (b *bot) Closed(err error, _ time.Duration) {
	if b.leaving {
		return
	}
	b.leaving = true
	if b.goodbye == "" {
		b.goodbye = err.Error()
	}
	b.crew.goodbyes[b.goodbye]++
}
