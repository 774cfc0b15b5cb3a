package bots

import (
	"time"

	"throng/live/bots/fleet"
	"throng/live/direct"
	"throng/live/protocol"
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
	ways   ways // to come back by

	conn    *fleet.Conn
	opened  time.Duration
	goodbye string // the reason the server gave
	leaving bool   // we close the connection ourselves

	// Once welcomed:
	machine *mechanism.Machine
	epoch   uint32
	entry   *entry
	self    world.ID // the object that is the user, once found
	shown   bool     // the own view has shown the last action at once
	pulse   fleet.Pulse

	direct  *direct.Switch  // nil if all goes by the gateway
	finders []direct.Server // by which it finds its own address

	ping, look time.Duration
	turn       time.Duration // when the present call began
	news       news
	newest     []time.Duration // by the others' entries: when the newest action was taken that has arrived
}

// Open introduces the bot.
func (b *bot) Open(c *fleet.Conn, now time.Duration) {
	b.conn, b.opened = c, now
	c.Send(protocol.AppendHello(nil, protocol.Hello{Version: protocol.Version, Fresh: b.machine == nil, Token: []byte(b.token)}))
}

// Frame takes a frame from the server.
func (b *bot) Frame(frame []byte, now time.Duration) {
	b.ways.signed = now
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
	if err != nil || b.machine != nil && !b.ways.back {
		b.giveUp("the welcome could not be read")
		return
	}
	if b.machine != nil && b.resume(&w, now) {
		return
	}
	b.crew.offset.Pong(world.Time(b.opened), w.Time, world.Time(now))
	worldNow := b.crew.now(now)
	if err := b.crew.set(w.Description, worldNow); err != nil {
		b.giveUp(err.Error())
		return
	}
	r := random.New(b.crew.config.Seed, "bot", uint64(b.number))
	if err := b.build(&w, &r); err != nil {
		b.giveUp(err.Error())
		return
	}
	b.ping = now + time.Duration(r.Below(uint64(pingEvery)))
	b.look = now + time.Duration(r.Below(uint64(lookEvery)))
	b.turnTo(now)
	b.advance(worldNow)
	b.finish(now)
}

// build makes the node and what drives it. Users act at moments of their own within a tick.
func (b *bot) build(w *protocol.Welcome, r *random.Stream) error {
	scene, place := b.crew.scene, w.Place()
	config, err := b.node(scene.session.Join(place, w.Epoch), place)
	if err != nil {
		return err
	}
	config.Enter = true
	config.Phase = world.Time(r.Below(uint64(scene.session.World.Schema().Tick)))
	config.Player = idle{}
	if !b.crew.config.Idle {
		config.Player = scene.session.World.Player(place.User, random.New(b.crew.config.Seed, "player", uint64(place.User)))
	}
	b.epoch = w.Epoch
	if b.entry == nil {
		b.entry = b.crew.roster.add(place.User, b.whole || world.Present(scene.session.Start, place.User))
	}
	b.machine = mechanism.NewMachine(config)
	b.meet()
	return nil
}

// node makes a light node, where there is such a thing and the bot is to have one, or else a whole one.
func (b *bot) node(s *mechanism.Session, p mechanism.Place) (mechanism.MachineConfig, error) {
	scene := b.crew.scene
	if !b.whole {
		if m, ok := scene.mechanism.(mechanism.Lightening); ok {
			return mechanism.MachineConfig{Node: &sketched{m.NewLight(s, p), scene.sketch}, Place: p, Session: s}, nil
		}
	}
	b.whole = true
	return mechanism.Build(scene.mechanism, s, p)
}

// idle is a player who stands about.
type idle struct{}

func (idle) Play(world.View, func(world.Action)) {}

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
		if item.Class == mechanism.Signal {
			b.signalled(item)
			continue
		}
		fresh = fresh || item.Class != mechanism.Receipt && item.Class != mechanism.Control
		m := mechanism.Message{From: item.Peer, To: place.ID, Class: item.Class, Payload: item.Payload}
		b.machine.Receive(worldNow, m, &b.crew.out)
		b.heed()
	}
	if fresh {
		b.pulse.Beat(now, b.crew.scene.interval)
		b.hear(now)
	}
	b.finish(now)
}

// Wake does what has become due.
func (b *bot) Wake(now time.Duration) {
	if b.machine == nil {
		return
	}
	if b.deserted(now) {
		b.conn.Close()
		return
	}
	b.turnTo(now)
	worldNow := b.crew.now(now)
	b.advance(worldNow)
	if b.ping <= now {
		b.ping = now + b.pingInterval()
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

// advance drives the node and its user, as far as they are due.
func (b *bot) advance(now world.Time) {
	b.machine.Wake(now, &b.crew.out)
	b.heed()
	if b.machine.PlayDue() > now {
		return
	}
	if !b.whole {
		b.crew.scene.sketch.advance(now)
	}
	actions := b.machine.Play(now)
	for i := range actions {
		b.act(now, &actions[i])
	}
	if b.machine.Ready() && b.crew.config.Whole > 1 {
		b.tell()
	}
}

// tell says where the user is, for those who look at how others are shown.
func (b *bot) tell() {
	view := b.machine.View()
	if me := b.find(view); me != nil {
		b.entry.tell(me, mechanism.TimeOf(view.Tick(), b.crew.scene.session.World.Schema().Tick))
	}
}

// act carries an action out. One that turns out to change nothing about the user, such as a word, has no effect that others
// could be seen to receive: what they next see of the user would be taken for it. Nor does entering count: others report no
// action of somebody new to them.
func (b *bot) act(now world.Time, a *world.Action) {
	var before world.Object
	if me := b.find(b.machine.View()); me != nil {
		before = *me
	}
	if a.Verb != world.Enter {
		b.entry.act(a.Seq, b.turn)
	}
	b.shown = !b.whole // the sketch shows everything at once
	b.machine.Act(now, *a, &b.crew.out)
	b.heed()
	if me := b.find(b.machine.View()); a.Verb != world.Enter && b.shown && me != nil && *me == before {
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

// turnTo begins a call: what the node sends in it goes out in one frame.
func (b *bot) turnTo(now time.Duration) {
	b.turn = now
	b.crew.frame = protocol.AppendData(b.crew.frame[:0])
}

// heed does what the node left in the outbox: what it sends goes into the frame in the making.
func (b *bot) heed() {
	out := &b.crew.out
	for i := range out.Sends() {
		m := out.Message(i, b.machine.Place().ID)
		if b.direct != nil && b.direct.Send(m) {
			continue
		}
		if len(b.crew.frame)+len(m.Payload) > frameMax {
			b.flush()
		}
		b.crew.said += int64(len(m.Payload))
		b.crew.frame = protocol.AppendItem(b.crew.frame, m.To, m.Class, m.Payload)
	}
	if b.whole {
		for _, e := range out.Events() {
			b.event(e)
		}
	}
	out.Reset()
}

func (b *bot) flush() {
	if len(b.crew.frame) > 1 {
		b.conn.Send(b.crew.frame)
	}
	b.crew.frame = protocol.AppendData(b.crew.frame[:0])
}

// finish ends a call and sets the alarm for the next.
func (b *bot) finish(now time.Duration) {
	b.observe()
	b.flush()
	ahead := b.machine.Due() - b.crew.now(now)
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
func (b *bot) Closed(err error, now time.Duration) {
	b.part()
	if b.leaving || b.comeBack(now) {
		return
	}
	b.leaving = true
	if b.goodbye == "" {
		b.goodbye = err.Error()
	}
	b.crew.goodbyes[b.goodbye]++
}
