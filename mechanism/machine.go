package mechanism

import (
	"fmt"

	"throng/world"
	"throng/world/fixed"
)

// Machine is a node with all that is the same around it wherever it runs: it keeps what [Node] is promised, and knows when
// the node and its user are due. Its methods have the shape of the node's own: the time and an outbox are arguments, and what
// the node leaves in the outbox is the driver's to do. The package comment shows a driver.
//
// A machine promises its node that Wake is called before anything else, at its start or as soon after that as the driver
// calls; that time never runs backwards; that Wake is called when the node last asked for it and not before; that its user
// acts only while the node takes part; and that nothing happens after Leave, or once the node is gone if it lingers. A machine
// is for one goroutine.
type Machine struct {
	config   MachineConfig
	client   Client   // nil where there is no user
	arriving Arriving // nil where the node takes part at once
	tick     world.Time

	stage  stage
	now    world.Time // never runs backwards
	wake   world.Time // when the node wants to be woken; before its first Wake, when it starts
	play   world.Time // when the user looks and acts next
	acts   uint32     // how often the user has acted
	enters bool       // the user is still to enter the world
	wants  []world.Action
	want   func(world.Action)
}

// MachineConfig is a node and how it is to run.
type MachineConfig struct {
	Node    Node
	Place   Place
	Session *Session   // what the node was built from
	Start   world.Time // when it begins, by its own clock; if that has passed, with the first call

	// Player plays for the user, once a tick; nil for nobody. Phase is how far into each tick.
	Player world.Player
	Phase  world.Time

	// Enter has the user enter the world once the node takes part, where users come and go and this one is not there.
	Enter bool
}

// Build makes the node for one of a session's places. A user's must be a [Client].
func Build(m Mechanism, s *Session, p Place) (MachineConfig, error) {
	node, err := m.NewNode(s, p)
	if err != nil {
		return MachineConfig{}, fmt.Errorf("node %d (%s): %w", p.ID, p.Role, err)
	}
	if _, ok := node.(Client); p.User != 0 && !ok {
		return MachineConfig{}, fmt.Errorf("node %d (%s) is user %d's, but no client", p.ID, p.Role, p.User)
	}
	return MachineConfig{Node: node, Place: p, Session: s}, nil
}

// stage is how far a machine has come.
type stage uint8

const (
	waiting stage = iota // for its start
	running
	leaving // it has said goodbye, and goes on for a while
	left
)

// NewMachine returns a machine that waits for its start.
func NewMachine(c MachineConfig) *Machine {
	m := &Machine{config: c, tick: c.Session.World.Schema().Tick, now: -world.Never, wake: c.Start, play: world.Never}
	m.arriving, _ = c.Node.(Arriving)
	if client, ok := c.Node.(Client); ok && c.Place.User != 0 {
		m.client = client
		m.want = m.issue
		_, inhabited := c.Session.World.(world.Inhabited)
		m.enters = c.Enter && inhabited
	}
	return m
}

// Place is the node's part in the run.
func (m *Machine) Place() Place { return m.config.Place }

// Node is the node, for looking at.
func (m *Machine) Node() Node { return m.config.Node }

// Client is the node as one with a user, for looking at, or nil if it has none.
func (m *Machine) Client() Client { return m.client }

// View is what the user sees now, or nil where there is none: for reading, until the next call.
func (m *Machine) View() *world.State {
	if m.client == nil {
		return nil
	}
	return m.client.View()
}

// Now is the latest time that the machine has heard of.
func (m *Machine) Now() world.Time { return m.now }

// Started reports whether the node has begun.
func (m *Machine) Started() bool { return m.stage != waiting }

// Ready reports whether the node takes part. One that joins a run under way needs some time before it does.
func (m *Machine) Ready() bool {
	return m.stage == running && (m.arriving == nil || m.arriving.Ready())
}

// mayAct reports whether the user may act. Those who are there from the beginning need not wait until their nodes have heard
// of others.
func (m *Machine) mayAct() bool {
	return m.client != nil && m.stage == running && (!m.config.Session.Late || m.Ready())
}

// Due is when Advance is to be called next.
func (m *Machine) Due() world.Time { return min(m.wake, m.play) }

// WakeDue is when the node is to be woken next.
func (m *Machine) WakeDue() world.Time { return m.wake }

// PlayDue is when the user is to look and act next, if it is an artificial one.
func (m *Machine) PlayDue() world.Time { return m.play }

// Advance wakes the node and lets the artificial user look, as far as they are due. It returns what the user wants to do, for
// Act.
func (m *Machine) Advance(now world.Time, out *Outbox) []world.Action {
	m.Wake(now, out)
	return m.Play(now)
}

// Wake wakes the node if it is due, and reports whether it was. The first time is the node's start.
func (m *Machine) Wake(now world.Time, out *Outbox) bool {
	if m.wake > max(now, m.now) {
		return false
	}
	m.wake = world.Never
	if m.stage == waiting {
		m.stage = running
		m.now = max(m.now, now)
		m.begin()
	}
	m.call(now, out)
	m.config.Node.Wake(m.now, out)
	m.heed(out)
	return true
}

// begin has the user act from the next moment on that is its own in a tick, which may be this very moment.
func (m *Machine) begin() {
	if m.client != nil && (m.config.Player != nil || m.enters) {
		m.play = max(m.now-m.config.Phase+m.tick-1, 0)/m.tick*m.tick + m.config.Phase
	}
}

// call begins a call of the node.
func (m *Machine) call(now world.Time, out *Outbox) {
	m.now = max(m.now, now)
	out.asked = false // what was asked for in an earlier call is known
}

// heed takes note of when the node wants to be woken.
func (m *Machine) heed(out *Outbox) {
	if out.asked {
		m.wake = out.wake
	}
	if m.stage == leaving {
		if l, ok := m.config.Node.(Lingering); ok && l.Gone() {
			m.Stop()
		}
	}
}

// begun reports whether the node runs. If it is only about to, it begins: nothing comes before its first Wake.
func (m *Machine) begun(now world.Time, out *Outbox) bool {
	if m.stage == waiting {
		m.Wake(now, out)
	}
	return m.stage == running
}

// Receive hands the node a datagram and reports whether there was a node to take it: one that comes before the start or after
// the end is nobody's.
func (m *Machine) Receive(now world.Time, msg Message, out *Outbox) bool {
	if !m.begun(now, out) && m.stage != leaving || msg.Class >= Classes {
		return false
	}
	m.call(now, out)
	m.config.Node.Receive(m.now, msg, out)
	m.heed(out)
	return true
}

// Issue makes an action of the user's own out of what a person wants to do: it gets the user's name and the next number. Act
// then carries it out. It reports whether the user may act by now.
func (m *Machine) Issue(a *world.Action) bool {
	if !m.mayAct() {
		return false
	}
	m.acts++
	a.User, a.Seq = m.config.Place.User, m.acts
	return true
}

// issue takes what the artificial user wants to do.
func (m *Machine) issue(a world.Action) {
	if m.Issue(&a) {
		m.wants = append(m.wants, a)
	}
}

// Act carries out an action that was issued, now or at any later time.
func (m *Machine) Act(now world.Time, a world.Action, out *Outbox) {
	if m.client == nil || m.stage != running {
		return
	}
	m.call(now, out)
	m.client.Act(m.now, a, out)
	m.heed(out)
}

// Play lets the artificial user look, if it is due, and returns what the user wants to do: actions to be carried out by Act.
// They hold until the next call of Play.
func (m *Machine) Play(now world.Time) []world.Action {
	m.wants = m.wants[:0]
	if m.now = max(m.now, now); m.play > m.now {
		return nil
	}
	m.play = (m.now-m.config.Phase)/m.tick*m.tick + m.tick + m.config.Phase
	if !m.mayAct() {
		return nil
	}
	switch player := m.config.Player; {
	case m.enters:
		m.enter()
	case player == nil:
		m.play = world.Never
	case !world.Waits(player, TickAt(m.now, m.tick)):
		player.Play(world.View{State: m.client.View(), User: m.config.Place.User, Lag: Lag(m.client)}, m.want)
	}
	return m.wants
}

// enter brings the user into the world, if it is not there.
func (m *Machine) enter() {
	m.enters = false
	if !world.Present(m.client.View(), m.config.Place.User) {
		m.issue(world.Action{Verb: world.Enter})
	}
}

// SetPlayer has somebody else play for the user from now on; nil for nobody.
func (m *Machine) SetPlayer(p world.Player) {
	m.config.Player = p
	if m.stage == running && m.play == world.Never {
		m.begin()
	}
}

// Watch tells the node which part of the world is on the user's screen, if it wants to know.
func (m *Machine) Watch(now world.Time, screen fixed.Box, out *Outbox) {
	if watching, ok := m.config.Node.(Watching); ok && m.begun(now, out) {
		m.call(now, out)
		watching.Watch(m.now, screen, out)
		m.heed(out)
	}
}

// Goodbye lets the node say that it is about to leave, and reports whether it is one that does. Its user does nothing any more;
// the node goes on until Stop, or until it has been heard if it is a Lingering one (see Left).
func (m *Machine) Goodbye(now world.Time, out *Outbox) bool {
	departing, ok := m.config.Node.(Departing)
	if ok = ok && m.stage == running; ok {
		m.call(now, out)
		departing.Leave(m.now, out)
		m.stage, m.play = leaving, world.Never
		m.heed(out)
	}
	return ok
}

// Leave lets the node say goodbye, as Goodbye does, and ends it unless it lingers.
func (m *Machine) Leave(now world.Time, out *Outbox) bool {
	said := m.Goodbye(now, out)
	if _, lingers := m.config.Node.(Lingering); !lingers || m.stage != leaving {
		m.Stop()
	}
	return said
}

// Left reports whether the node has ended.
func (m *Machine) Left() bool { return m.stage == left }

// Recover has the node go on after a call that it did not return from. If it had asked for nothing yet it is woken a tick later.
func (m *Machine) Recover(now world.Time) {
	m.now = max(m.now, now)
	if m.stage == running && m.wake == world.Never {
		m.wake = m.now + m.tick
	}
}

// Stop ends the node without a word, as a crash does.
func (m *Machine) Stop() { m.stage, m.wake, m.play = left, world.Never, world.Never }
