package driver

import (
	"sync"
	"sync/atomic"
	"time"

	"throng/mechanism"
	"throng/world"
)

// Clock tells the world's time.
type Clock interface {
	Now() world.Time
}

// Since is the clock of a world that began at a moment.
type Since time.Time

// Now is the time since then.
func (s Since) Now() world.Time { return world.Time(time.Since(time.Time(s))) }

// Runner is a node that runs by itself, on a goroutine of its own.
type Runner struct {
	machine *Machine
	clock   Clock
	mail    *mailbox
	calls   chan func(*Machine)

	stopping sync.Once
	leave    atomic.Bool
	quit     chan struct{} // closed to stop
	ended    chan struct{} // closed when stopped

	handled atomic.Int64
	wakes   atomic.Int64
	busy    atomic.Int64
}

// Counters is what a runner has done so far.
type Counters struct {
	Handled int64      // datagrams that the node has received
	Dropped int64      // datagrams that found the mailbox full
	Wakes   int64      // wake-ups of the node and its player
	Queue   int        // datagrams that wait now
	Busy    world.Time // how long the node has worked
}

// Run starts a node. It runs until it is stopped.
func Run(c Config, clock Clock, limits Limits) *Runner {
	r := &Runner{
		machine: NewMachine(c),
		clock:   clock,
		mail:    newMailbox(limits),
		calls:   make(chan func(*Machine)),
		quit:    make(chan struct{}),
		ended:   make(chan struct{}),
	}
	go r.run()
	return r
}

// Deliver puts a datagram into the mailbox. The payload is copied. It never blocks and reports whether there was room.
func (r *Runner) Deliver(m mechanism.Message) bool { return r.mail.put(m) }

// Do calls f on the node's goroutine and waits for it. It reports whether the node still ran. Nobody may call it from that
// goroutine.
func (r *Runner) Do(f func(m *Machine)) bool {
	done := make(chan struct{})
	call := func(m *Machine) {
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
	r.Do(func(m *Machine) { ok = m.Act(r.clock.Now(), a) })
	return ok
}

// Rest ends the artificial player, if there is one.
func (r *Runner) Rest() { r.Do((*Machine).Rest) }

// Stop ends the node where it is: it finishes what it is at, and what waits is lost. It returns when that has happened.
func (r *Runner) Stop() { r.stop(false) }

// Leave ends the node in good order: it works through what waits, says goodbye and stops.
func (r *Runner) Leave() { r.stop(true) }

func (r *Runner) stop(leave bool) {
	r.stopping.Do(func() {
		r.leave.Store(leave)
		r.mail.close()
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
	var spare letters
	began := time.Now()
	r.machine.Start(r.clock.Now())
	r.worked(began)
	timer := time.NewTimer(r.untilDue())
	defer timer.Stop()
	for {
		select {
		case <-r.quit:
			if r.leave.Load() {
				r.receive(&spare)
				r.machine.Leave(r.clock.Now())
			}
			return
		case call := <-r.calls:
			call(r.machine)
		case <-r.mail.ring:
			began = time.Now()
			r.receive(&spare)
			r.worked(began)
		case <-timer.C:
			r.wake(&spare)
		}
		timer.Reset(r.untilDue())
	}
}

// wake advances the machine after handing it what has arrived, if it is due by the world's clock.
func (r *Runner) wake(spare *letters) {
	due, now := r.machine.Due(), r.clock.Now()
	if now < due {
		return // the timer follows another clock than the world's
	}
	began := time.Now()
	r.receive(spare)
	r.machine.Advance(now)
	r.wakes.Add(1)
	took := r.worked(began)
	if woken := r.machine.config.Woken; woken != nil {
		woken(now-due, took)
	}
}

// receive hands the node all datagrams that wait.
func (r *Runner) receive(spare *letters) {
	r.mail.take(spare)
	start := 0
	for _, l := range spare.list {
		m := mechanism.Message{From: l.from, To: l.to, Class: l.class, Payload: spare.buf[start:l.end:l.end]}
		r.machine.Receive(r.clock.Now(), m)
		start = l.end
	}
	r.handled.Add(int64(len(spare.list)))
	spare.reset()
	r.mail.done()
}

func (r *Runner) worked(began time.Time) world.Time {
	took := time.Since(began)
	r.busy.Add(int64(took))
	return world.Time(took)
}

// untilDue is how long the timer is to wait. Clocks may differ a little in speed; a wake-up that comes too soon by the
// world's clock waits again.
func (r *Runner) untilDue() time.Duration {
	due := r.machine.Due()
	if due == world.Never {
		return time.Duration(world.Never)
	}
	return time.Duration(max(0, due-r.clock.Now()))
}

// Add adds what another runner has done.
func (c *Counters) Add(d Counters) {
	c.Handled += d.Handled
	c.Dropped += d.Dropped
	c.Wakes += d.Wakes
	c.Queue += d.Queue
	c.Busy += d.Busy
}
