package driver

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// Router carries datagrams away. Route must not block; it copies the payload, which is valid during the call only. It
// reports whether the datagram got as far as the receiver's queue.
type Router interface {
	Route(m mechanism.Message) bool
}

// Leaver is a node that has something to say before it goes for good.
type Leaver interface {
	Leave(now world.Time, out *mechanism.Outbox)
}

// Config is a node and what it needs to run.
type Config struct {
	Place  mechanism.Place
	Node   mechanism.Node
	World  world.World
	Router Router

	Player world.Player // plays for the user; nil for none
	Enter  bool         // the user enters the world, where users come and go, once the node is ready

	// Original says that the node is there from the beginning of the run: as in the lab its user acts from the first tick
	// on, whether it is ready or not. The users of others wait.
	Original bool

	Event func(e mechanism.Event)     // is told what the node reports; nil for nobody
	Acted func(a *world.Action)       // is told of every action when it is taken; may be nil
	Woken func(late, took world.Time) // is told of a runner's wake-ups: how late each was, how long it took; may be nil
}

// Machine is a node with its alarm, its user and its way out. It is for one goroutine.
type Machine struct {
	config Config
	client mechanism.Client // nil where there is no user
	tick   world.Time
	out    mechanism.Outbox

	started bool
	now     world.Time // never runs backwards
	alarm   world.Time // when the node wants to be woken
	play    world.Time // when the user acts next, if it is an artificial one
	acts    uint32     // how often the user has acted
	wants   []world.Action
	action  world.Action // what the user does, for those who are told
	want    func(world.Action)
	enters  bool // the user is still to enter the world
}

// NewMachine returns a machine whose node has not begun. It does when Advance is first called, at time zero or later.
func NewMachine(c Config) *Machine {
	m := &Machine{config: c, tick: c.World.Schema().Tick, now: -world.Never, play: world.Never}
	if client, ok := c.Node.(mechanism.Client); ok && c.Place.User != 0 {
		m.client = client
		_, inhabited := c.World.(world.Inhabited)
		m.enters = c.Enter && inhabited
	}
	if c.Place.User == 0 {
		// Servers speak to many at once: what they say is still at hand when it is carried away.
		m.out.Carry(c.Place.ID, func(msg mechanism.Message) { c.Router.Route(msg) })
	}
	m.want = func(a world.Action) { m.wants = append(m.wants, a) }
	return m
}

// Place is the node's part in the run.
func (m *Machine) Place() mechanism.Place { return m.config.Place }

// Node is the node, for looking at.
func (m *Machine) Node() mechanism.Node { return m.config.Node }

// View is what the user sees now, or nil where there is none: for reading, until the next call.
func (m *Machine) View() *world.State {
	if m.client == nil {
		return nil
	}
	return m.client.View()
}

// Ready reports whether the node takes part. One that joins a run under way needs some time before it does.
func (m *Machine) Ready() bool {
	arriving, ok := m.config.Node.(mechanism.Arriving)
	return m.started && (!ok || arriving.Ready())
}

// mayAct reports whether the user may act.
func (m *Machine) mayAct() bool { return m.config.Original && m.started || m.Ready() }

// Now is the latest time that the machine has heard of.
func (m *Machine) Now() world.Time { return m.now }

// Due is when Advance is to be called next.
func (m *Machine) Due() world.Time { return min(m.alarm, m.play) }

// Advance wakes the node and lets the artificial user act, as far as they are due.
func (m *Machine) Advance(now world.Time) {
	m.pass(now)
	if m.alarm <= m.now {
		m.alarm = world.Never
		if !m.started {
			m.start()
		}
		m.config.Node.Wake(m.now, &m.out)
		m.finish()
	}
	if m.play <= m.now {
		m.play = (m.now/m.tick + 1) * m.tick
		m.playTick()
	}
}

// start has the user act from the next tick on, which may be this very moment.
func (m *Machine) start() {
	m.started = true
	if m.client != nil && (m.config.Player != nil || m.enters) {
		m.play = (m.now + m.tick - 1) / m.tick * m.tick
	}
}

// Receive hands the node a datagram. One that comes before the node has begun is lost.
func (m *Machine) Receive(now world.Time, msg mechanism.Message) {
	if !m.started {
		return
	}
	m.pass(now)
	m.config.Node.Receive(m.now, msg, &m.out)
	m.finish()
}

// Act carries out what the user does; User and Seq are filled in. It reports whether the node takes actions by now.
func (m *Machine) Act(now world.Time, a world.Action) bool {
	if m.client == nil || !m.mayAct() {
		return false
	}
	m.pass(now)
	m.acts++
	a.User, a.Seq = m.config.Place.User, m.acts
	if m.config.Acted != nil {
		m.action = a // where a pointer to it costs no allocation
		m.config.Acted(&m.action)
	}
	m.client.Act(m.now, a, &m.out)
	m.finish()
	return true
}

// Watch tells the node which part of the world is on the user's screen, if the node wants to know.
func (m *Machine) Watch(now world.Time, screen fixed.Box) {
	if watching, ok := m.config.Node.(mechanism.Watching); ok && m.started {
		m.pass(now)
		watching.Watch(m.now, screen, &m.out)
		m.finish()
	}
}

// Rest ends the artificial player, if there is one.
func (m *Machine) Rest() { m.config.Player = nil }

// Leave lets the node say goodbye. Nothing is due afterwards.
func (m *Machine) Leave(now world.Time) {
	m.pass(now)
	if leaver, ok := m.config.Node.(Leaver); ok && m.started {
		leaver.Leave(m.now, &m.out)
		m.finish()
	}
	m.alarm, m.play = world.Never, world.Never
}

func (m *Machine) pass(now world.Time) { m.now = max(m.now, now) }

// playTick lets the user look and act.
func (m *Machine) playTick() {
	if !m.mayAct() {
		return
	}
	if m.enters {
		m.enter()
	}
	if m.config.Player == nil {
		m.play = world.Never
		return
	}
	if world.Waits(m.config.Player, mechanism.TickAt(m.now, m.tick)) {
		return
	}
	m.wants = m.wants[:0]
	view := world.View{State: m.client.View(), User: m.config.Place.User, Lag: mechanism.Lag(m.client)}
	m.config.Player.Play(view, m.want)
	for i := range m.wants {
		m.Act(m.now, m.wants[i])
	}
}

// enter brings a user into the world who is not in it yet.
func (m *Machine) enter() {
	m.enters = false
	if !InWorld(m.client.View(), m.config.Place.User) {
		m.Act(m.now, world.Action{Verb: world.Enter})
	}
}

// InWorld reports whether anything in a world is a user's.
func InWorld(s *world.State, u world.User) bool {
	for o := range s.All() {
		if o.User == u {
			return true
		}
	}
	return false
}

// finish does what the node left in the outbox.
func (m *Machine) finish() {
	for i := range m.out.Sends() {
		m.config.Router.Route(m.out.Message(i, m.config.Place.ID))
	}
	if m.config.Event != nil {
		for _, e := range m.out.Events() {
			m.config.Event(e)
		}
	}
	if at, asked := m.out.Wake(); asked {
		m.alarm = at
	}
	m.out.Reset()
}
