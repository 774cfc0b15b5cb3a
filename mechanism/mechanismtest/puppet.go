package mechanismtest

import (
	"fmt"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// Puppet is a client's node that does what a test says and writes down how it is called: for tests of what drives nodes. It may
// need time to become ready, wants to know what is on screen, shows actions late and says goodbye.
type Puppet struct {
	Log       []string // every call, with its time
	OnWake    func(now world.Time, out *mechanism.Outbox)
	OnReceive func(now world.Time, m mechanism.Message, out *mechanism.Outbox)
	Joined    bool // what Ready says
	Shown     *world.State
}

var (
	_ mechanism.Client    = (*Puppet)(nil)
	_ mechanism.Arriving  = (*Puppet)(nil)
	_ mechanism.Lagging   = (*Puppet)(nil)
	_ mechanism.Watching  = (*Puppet)(nil)
	_ mechanism.Departing = (*Puppet)(nil)
)

// PuppetLag is how late a puppet says that its user's actions show.
const PuppetLag = 7 * world.Millisecond

func (n *Puppet) note(now world.Time, format string, args ...any) {
	n.Log = append(n.Log, fmt.Sprintf("%v ", now)+fmt.Sprintf(format, args...))
}

// Wake implements mechanism.Node.
func (n *Puppet) Wake(now world.Time, out *mechanism.Outbox) {
	n.note(now, "wake")
	if n.OnWake != nil {
		n.OnWake(now, out)
	}
}

// Receive implements mechanism.Node.
func (n *Puppet) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	n.note(now, "got %s from %d", m.Payload, m.From)
	if n.OnReceive != nil {
		n.OnReceive(now, m, out)
	}
}

// Act implements mechanism.Client.
func (n *Puppet) Act(now world.Time, a world.Action, _ *mechanism.Outbox) {
	n.note(now, "act %d.%d verb %d", a.User, a.Seq, a.Verb)
}

// View implements mechanism.Client.
func (n *Puppet) View() *world.State { return n.Shown }

// Ready implements mechanism.Arriving.
func (n *Puppet) Ready() bool { return n.Joined }

// Lag implements mechanism.Lagging.
func (n *Puppet) Lag() world.Time { return PuppetLag }

// Watch implements mechanism.Watching, and asks to be woken soon.
func (n *Puppet) Watch(now world.Time, screen fixed.Box, out *mechanism.Outbox) {
	n.note(now, "watch %v", screen.Max.X)
	out.WakeAt(now + world.Millisecond)
}

// Leave implements mechanism.Departing, and asks to be woken at once.
func (n *Puppet) Leave(now world.Time, out *mechanism.Outbox) {
	n.note(now, "leave")
	out.Send(9, mechanism.Control, []byte("goodbye"))
	out.WakeAt(now)
}

// Every has a puppet woken at regular times.
func Every(span world.Time) func(world.Time, *mechanism.Outbox) {
	return func(now world.Time, out *mechanism.Outbox) { out.WakeAt((now/span + 1) * span) }
}

// Town is a world of marbles that users enter and leave.
type Town struct{ world.World }

// NewTown returns a town of one.
func NewTown() Town { return Town{Marbles(1)} }

// Enter implements world.Inhabited.
func (Town) Enter(*world.Window, world.User) {}

// Leave implements world.Inhabited.
func (Town) Leave(*world.Window, world.User) {}
