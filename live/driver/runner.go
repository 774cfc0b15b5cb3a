package driver

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"throng/mechanism"
	"throng/world"
)

// Clock tells the world's time. It may run at another speed than the machine's and be moved, but not backwards.
type Clock interface {
	Now() world.Time
}

// Since is the clock of a world that began, or will begin, at a moment.
type Since time.Time

// Now is the time since then.
func (s Since) Now() world.Time { return world.Time(time.Since(time.Time(s))) }

// Router carries datagrams away. Route must not block; it copies the payload, which is valid during the call only. It
// reports whether the datagram got as far as the receiver's queue.
type Router interface {
	Route(m mechanism.Message) bool
}

// Config is a node, where its datagrams go, and who wants to know of it. Those who are told are called on the node's
// goroutine and must not block; any of them may be nil.
type Config struct {
	mechanism.MachineConfig
	Router Router

	Event func(e mechanism.Event)     // is told what the node reports
	Acted func(a *world.Action)       // is told of every action when it is taken
	Woken func(late, took world.Time) // is told of wake-ups: how late each was, how long it took

	// Turned is called when the node has done what there was to do: something has come, it was woken, or somebody poked it. From
	// there, and only from there, [Runner.Issue] may be called.
	Turned func(m *mechanism.Machine)

	// Panicked decides whether the node goes on after a panic, which then is nobody else's; if nil the process ends.
	Panicked func(p Panic) (goOn bool)
}

// Runner is a node that runs by itself, on a goroutine of its own.
type Runner struct {
	config  Config
	machine *mechanism.Machine
	out     mechanism.Outbox
	action  world.Action // what a person does; here, since a pointer to it is handed on
	clock   Clock
	mail    *mailbox
	calls   chan func(*mechanism.Machine)
	born    world.Time // when it was started

	stopping sync.Once
	polite   atomic.Bool   // say goodbye before stopping
	quit     chan struct{} // closed to stop
	ended    chan struct{} // closed when stopped

	panics int  // wake-ups in a row that ended in one
	dead   bool // after one

	handled, wakes, busy atomic.Int64
}

// Counters is what a runner has done so far.
type Counters struct {
	Handled int64      // datagrams that the node has received
	Dropped int64      // datagrams for which the mailbox had no room
	Wakes   int64      // wake-ups of the node and its artificial user
	Queue   int        // datagrams that wait now
	Busy    world.Time // how long the node has worked
}

// Add adds what another runner has done.
func (c *Counters) Add(d Counters) {
	c.Handled += d.Handled
	c.Dropped += d.Dropped
	c.Wakes += d.Wakes
	c.Queue += d.Queue
	c.Busy += d.Busy
}

// New returns a runner that takes datagrams but is still to be started.
func New(c Config, clock Clock, limits Limits) *Runner {
	r := &Runner{
		config:  c,
		machine: mechanism.NewMachine(c.MachineConfig),
		clock:   clock,
		mail:    newMailbox(limits),
		calls:   make(chan func(*mechanism.Machine)),
		quit:    make(chan struct{}),
		ended:   make(chan struct{}),
	}
	if c.Place.User == 0 {
		// Servers speak to many at once: what they say is still at hand when it is carried away.
		r.out.Carry(c.Place.ID, func(m mechanism.Message) { c.Router.Route(m) })
	}
	return r
}

// Start lets the node run until it is stopped. It begins at the world's time zero or, if that has passed, at once. A runner is
// started once.
func (r *Runner) Start() { go r.run() }

// Run starts a node.
func Run(c Config, clock Clock, limits Limits) *Runner {
	r := New(c, clock, limits)
	r.Start()
	return r
}

// Deliver puts a datagram into the mailbox. The payload is copied. It never blocks and reports whether there was room.
func (r *Runner) Deliver(m mechanism.Message) bool { return r.mail.put(m) }

// Do calls f on the node's goroutine and waits for it. It reports whether the node still ran. It must not be called from
// that goroutine.
func (r *Runner) Do(f func(m *mechanism.Machine)) bool {
	done := make(chan struct{})
	call := func(m *mechanism.Machine) {
		defer close(done)
		f(m)
	}
	select {
	case r.calls <- call:
		<-done
		return true
	case <-r.ended:
		return false
	}
}

// Act carries out what the user does. It reports whether the node takes actions by now.
func (r *Runner) Act(a world.Action) (ok bool) {
	r.Do(func(*mechanism.Machine) { _, ok = r.Issue(a) })
	return ok
}

// Issue is Act for those who are on the node's goroutine already. It returns the action's number.
func (r *Runner) Issue(a world.Action) (seq uint32, ok bool) {
	defer r.rescue(nil)
	if !r.machine.Issue(&a) {
		return 0, false
	}
	r.action = a
	r.act(r.clock.Now(), &r.action)
	r.finish()
	return a.Seq, true
}

// Poke has the node's goroutine take a turn, so that Turned is called. It never blocks.
func (r *Runner) Poke() { r.mail.alarm() }

// act carries out an action that was issued.
func (r *Runner) act(now world.Time, a *world.Action) {
	if r.config.Acted != nil {
		r.config.Acted(a)
	}
	r.machine.Act(now, *a, &r.out)
}

// finish does what the node left in the outbox.
func (r *Runner) finish() {
	for i := range r.out.Sends() {
		r.config.Router.Route(r.out.Message(i, r.config.Place.ID))
	}
	if r.config.Event != nil {
		for _, e := range r.out.Events() {
			r.config.Event(e)
		}
	}
	r.out.Reset()
}

// Rest ends the artificial player, if there is one.
func (r *Runner) Rest() { r.Do(func(m *mechanism.Machine) { m.SetPlayer(nil) }) }

// Stop ends the node where it is: it finishes what it is at, and what waits may be lost. It returns when that has happened.
func (r *Runner) Stop() { r.stop(false) }

// Leave ends the node in good order: it works through what waits, says goodbye and stops, at once or, if it lingers, when it has
// been heard.
func (r *Runner) Leave() { r.stop(true) }

// lingerMax is how long a node may linger.
const lingerMax = 3 * time.Second

func (r *Runner) stop(polite bool) {
	r.stopping.Do(func() {
		r.polite.Store(polite)
		if !polite {
			r.mail.close()
		}
		close(r.quit)
	})
	<-r.ended
}

// Counters is what the runner has done so far.
func (r *Runner) Counters() Counters {
	waiting, dropped := r.mail.look()
	return Counters{
		Handled: r.handled.Load(),
		Dropped: dropped,
		Wakes:   r.wakes.Load(),
		Queue:   waiting,
		Busy:    world.Time(r.busy.Load()),
	}
}

func (r *Runner) run() {
	defer close(r.ended)
	defer r.mail.close()
	r.born = r.clock.Now()
	armed := r.machine.Due() // what the timer is set for
	timer := time.NewTimer(r.until(armed))
	defer timer.Stop()
	var began time.Time
	quit, limit := r.quit, (<-chan time.Time)(nil)
	for !r.dead && !r.machine.Left() {
		select {
		case <-quit:
			if !r.polite.Load() {
				return
			}
			began = time.Now()
			r.receive()
			r.machine.Leave(r.clock.Now(), &r.out)
			r.finish()
			quit, limit = nil, time.After(lingerMax)
		case <-limit:
			return
		case call := <-r.calls:
			began = time.Now()
			call(r.machine)
		case <-r.mail.ring:
			began = time.Now()
			r.receive()
		case <-timer.C:
			began = time.Now()
			r.wake(armed, began)
			armed = expired
		}
		if r.config.Turned != nil && r.machine.Started() && !r.dead {
			r.config.Turned(r.machine)
		}
		r.busy.Add(int64(time.Since(began)))
		due := r.machine.Due()
		if due != armed {
			armed = due
			timer.Reset(r.until(due))
		}
		if due <= r.machine.Now() {
			runtime.Gosched() // it is late, and would never let go; but what it is to receive has to be read, too
		}
	}
}

// expired is no time that anything is due at: the timer has gone off and must be set.
const expired world.Time = -1

// until is how long the timer is to wait.
func (r *Runner) until(due world.Time) time.Duration {
	if due == world.Never {
		return time.Duration(world.Never)
	}
	return time.Duration(max(0, due-r.clock.Now()))
}

// wake starts the node, or advances it after handing it what has arrived. At its start what has arrived comes in between, as
// it does in the lab.
func (r *Runner) wake(due world.Time, began time.Time) {
	now := r.clock.Now()
	if now < due {
		return // the world's clock is slower than the timer's
	}
	if !r.machine.Started() {
		due = max(due, r.born) // nobody has waited for it before
		r.start(now)
	}
	r.receive()
	r.advance(now)
	r.wakes.Add(1)
	if r.config.Woken != nil {
		r.config.Woken(now-due, world.Time(time.Since(began)))
	}
}

// receive hands the node all datagrams that wait. Before it begins they go on waiting.
func (r *Runner) receive() {
	if !r.machine.Started() {
		return
	}
	mail := r.mail.take()
	start := 0
	for _, l := range mail.list {
		payload := mail.buf[start:l.end:l.end]
		r.hand(mechanism.Message{From: l.from, To: l.to, Class: l.class, Payload: payload})
		if r.dead {
			break
		}
		start = l.end
	}
	r.handled.Add(int64(len(mail.list)))
	r.mail.done()
}
