package driver

import (
	"fmt"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/random"
)

const ms = world.Millisecond

// scripted is a node that does what a test says and writes down how it is called. It is a client that may need time to
// become ready, and says goodbye.
type scripted struct {
	log   []string
	wake  func(now world.Time, out *mechanism.Outbox)
	take  func(now world.Time, m mechanism.Message, out *mechanism.Outbox)
	ready bool
	view  *world.State
}

func (n *scripted) note(now world.Time, format string, args ...any) {
	n.log = append(n.log, fmt.Sprintf("%v ", now)+fmt.Sprintf(format, args...))
}

func (n *scripted) Wake(now world.Time, out *mechanism.Outbox) {
	n.note(now, "wake")
	if n.wake != nil {
		n.wake(now, out)
	}
}

func (n *scripted) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	n.note(now, "got %s from %d", m.Payload, m.From)
	if n.take != nil {
		n.take(now, m, out)
	}
}

func (n *scripted) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	n.note(now, "act %d.%d verb %d", a.User, a.Seq, a.Verb)
}

func (n *scripted) View() *world.State { return n.view }
func (n *scripted) Ready() bool        { return n.ready }

func (n *scripted) Leave(now world.Time, out *mechanism.Outbox) {
	n.note(now, "leave")
	out.Send(9, mechanism.Control, []byte("goodbye"))
}

// every has the node woken at regular times.
func every(span world.Time) func(world.Time, *mechanism.Outbox) {
	return func(now world.Time, out *mechanism.Outbox) { out.WakeAt((now/span + 1) * span) }
}

// town is a world with users who come and go, and a tick of 50 ms. Its players act once a tick.
type town struct{ world.World }

func newTown() town { return town{mechanismtest.Marbles(1)} }

func (town) Enter(w *world.Window, u world.User) {}
func (town) Leave(w *world.Window, u world.User) {}

func (town) Player(world.User, random.Stream) world.Player { return restless{} }

type restless struct{}

func (restless) Play(_ world.View, act func(world.Action)) {
	act(world.Action{Verb: mechanismtest.Drop})
}

// outgoing keeps what is sent.
type outgoing struct{ sent []string }

func (o *outgoing) Route(m mechanism.Message) bool {
	o.sent = append(o.sent, fmt.Sprintf("%d>%d %v %s", m.From, m.To, m.Class, m.Payload))
	return true
}

// setup is a ready client with the place of user 5.
func setup() (*scripted, *outgoing, Config) {
	w := newTown()
	n := &scripted{ready: true, view: world.NewState(w.Schema(), 1)}
	o := &outgoing{}
	s := &mechanism.Session{World: w, Start: n.view}
	return n, o, Config{MachineConfig: mechanism.MachineConfig{Node: n, Place: mechanism.Place{ID: 7, User: 5}, Session: s}, Router: o}
}
