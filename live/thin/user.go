package thin

import (
	"sync"
	"sync/atomic"
	"time"

	"throng/live/driver"
	"throng/mechanism"
	"throng/world"
)

// Line is the way to a program. Its methods never block.
type Line interface {
	// Say queues a message, which is copied.
	Say(message []byte)
	// Free reports whether the program has taken what was said so far, or nearly: views wait until then.
	Free() bool
}

// Config is a user and who wants to know of it.
type Config struct {
	Format    Format
	Catalogue *Catalogue
	Node      mechanism.MachineConfig
	Interval  world.Time // between views, unless the program asks for another; the least that it may ask for is a tick
	Wishes    Wishes     // that it began with

	Clock  driver.Clock
	Router driver.Router // takes what the node sends
	Line   Line
	Broken func(p driver.Panic) // the node has ended for a bug of ours

	Welcome Welcome
}

// Welcome is what a program is told first, beyond the schema.
type Welcome struct {
	User      world.User
	Name      string
	Token     string
	World     string
	Mechanism string
}

// User is one program's user: its node, what the program was told of what the node sees, and what it wants done.
type User struct {
	config   Config
	stream   *Stream
	interval world.Time
	smooth   bool
	runner   *driver.Runner
	timer    *time.Timer // pokes the node when the next view is due
	w        Writer

	mu     sync.Mutex
	orders []order // that wait for the node

	// For the node's goroutine:
	working []order
	pending []pending
	newest  uint32     // the number of the last action
	ready   bool       // the program was told that it takes part
	last    world.Time // when it was last told anything
	armed   bool       // the timer is
	early   atomic.Bool
}

// order is something that a program wants done by its node.
type order struct {
	request Request
	action  world.Action
}

// pending is an action that the program waits to hear of.
type pending struct {
	seq uint32
	id  int64
}

const (
	// ordersMax is how many orders may wait for a node: more come only where it is stuck, and are refused.
	ordersMax = 64

	// pendingMax is of how many actions it is remembered that the program waits to hear of them. Under a mechanism that never says
	// that an action is final the oldest are forgotten.
	pendingMax = 256
)

// Start welcomes a program and lets its node run.
func Start(c Config) *User {
	u := &User{config: c, stream: NewStream(c.Catalogue), interval: c.Interval, w: Writer{Format: c.Format}, last: -world.Never / 2}
	u.grant(&c.Wishes)
	u.welcome()
	u.timer = time.AfterFunc(time.Hour, u.due)
	u.timer.Stop()
	u.runner = driver.New(driver.Config{
		MachineConfig: c.Node, Router: c.Router, Event: u.event, Turned: u.turned,
		Panicked: func(p driver.Panic) bool { c.Broken(p); return false },
	}, c.Clock, driver.DefaultLimits)
	u.runner.Start()
	return u
}

// Deliver hands the node a datagram. It never blocks and reports whether there was room.
func (u *User) Deliver(m mechanism.Message) bool { return u.runner.Deliver(m) }

// Stop ends the node, without a word: whoever has the seat sees to what becomes of the user.
func (u *User) Stop() {
	u.runner.Stop()
	u.timer.Stop()
}

// Take takes a request of the program. It never blocks: what is for the node waits until the node takes its turn.
func (u *User) Take(r Request) {
	var a world.Action
	var err error
	switch r.Type {
	case TypePing:
		u.pong(&r)
		return
	case TypeAct:
		a, err = u.config.Catalogue.Action(&r)
	case TypeSay:
		a, err = u.config.Catalogue.Say(r.Text)
	case TypeAsk:
		err = u.config.Catalogue.Check(&r.Wishes)
	default:
		u.refuse(&r, "no message from a program has the type "+r.Type)
		return
	}
	if err != nil {
		u.refuse(&r, err.Error())
		return
	}
	u.mu.Lock()
	full := len(u.orders) >= ordersMax
	if !full {
		u.orders = append(u.orders, order{r, a})
	}
	u.mu.Unlock()
	if full {
		u.refuse(&r, "too much waits to be done")
		return
	}
	u.runner.Poke()
}

// due is called by the timer.
func (u *User) due() {
	u.early.Store(true)
	u.runner.Poke()
}

// turned is called whenever the node has done something.
func (u *User) turned(m *mechanism.Machine) {
	if u.early.Swap(false) {
		u.armed = false
	}
	u.obey()
	if !u.ready {
		if u.ready = m.Ready(); !u.ready {
			return
		}
		u.plain("ready", "", "")
	}
	u.tell(m)
}

// obey does what the program wants done.
func (u *User) obey() {
	u.mu.Lock()
	u.working, u.orders = u.orders, u.working[:0]
	u.mu.Unlock()
	for i := range u.working {
		o := &u.working[i]
		if o.request.Type == TypeAsk {
			u.grant(&o.request.Wishes)
			continue
		}
		before := len(u.pending)
		if o.request.Type == TypeAct {
			u.pending = append(u.pending, pending{id: o.request.ID}) // its number is the next; see event
		}
		seq, ok := u.runner.Issue(o.action)
		switch {
		case !ok:
			u.pending = u.pending[:min(before, len(u.pending))]
			u.refuse(&o.request, "you are not in the world yet")
		default:
			u.number(seq)
		}
	}
	clear(u.working)
}

// number gives the action that was just taken its number. It is gone already if it was final at once.
func (u *User) number(seq uint32) {
	u.newest = seq
	if n := len(u.pending); n > 0 && u.pending[n-1].seq == 0 {
		u.pending[n-1].seq = seq
	}
	if n := len(u.pending); n > pendingMax {
		u.pending = append(u.pending[:0], u.pending[n-pendingMax:]...)
	}
}

// event passes on what the node says of the program's actions.
func (u *User) event(e mechanism.Event) {
	if e.User != u.config.Welcome.User {
		return
	}
	var state string
	switch e.Name {
	case mechanism.Applied:
		state = "applied"
	case mechanism.Confirmed:
		state = "final"
	case mechanism.Dropped:
		state = "dropped"
	default:
		return
	}
	for i := range u.pending {
		p := &u.pending[i]
		if taking := p.seq == 0 && e.Seq > u.newest; p.seq != e.Seq && !taking {
			continue
		}
		u.acknowledge(p.id, state, "")
		if e.Name != mechanism.Applied {
			u.pending = append(u.pending[:i], u.pending[i+1:]...)
		}
		return
	}
}

// grant fulfils wishes that were checked.
func (u *User) grant(w *Wishes) {
	if w.Rate > 0 {
		u.interval = max(world.Time(float64(world.Second)/w.Rate), u.config.Catalogue.schema.Tick)
	}
	if w.View != "" {
		u.smooth = w.View == viewSmooth
	}
	u.stream.Ask(w)
}

// tell tells the program what has changed, if it is time for that.
func (u *User) tell(m *mechanism.Machine) {
	now := u.config.Clock.Now()
	// What comes at the interval comes a little early half of the time.
	if wait := u.last + u.interval - u.interval/4 - now; wait > 0 || !u.config.Line.Free() {
		u.arm(max(wait, u.interval/4))
		return
	}
	view := m.View()
	if shadowed, ok := m.Node().(mechanism.Shadowed); ok && !u.smooth {
		if newest := shadowed.Ghost(); newest != nil {
			view = newest
		}
	}
	some := u.stream.Look(view)
	u.hear(view)
	if !some {
		return
	}
	u.w.B = u.w.B[:0]
	u.stream.Write(&u.w, now)
	u.config.Line.Say(u.w.B)
	u.last = now
	if len(u.stream.entered) >= entersMax || len(u.stream.changed) >= changesMax {
		u.arm(u.interval) // there is more
	}
}

// arm has the node take a turn after a while, unless that is so already.
func (u *User) arm(wait world.Time) {
	if !u.armed {
		u.armed = true
		u.timer.Reset(time.Duration(wait))
	}
}

// hear tells what others say: texts come into view as objects.
func (u *User) hear(view *world.State) {
	for _, id := range u.stream.Said() {
		o := view.Get(id)
		w := u.begin("said", 3)
		w.Key("user")
		w.Int(int64(o.User))
		w.Key("text")
		w.String(u.config.Catalogue.spoken.Said(o))
		u.end()
	}
}
