package fleet

import (
	"runtime"
	"time"
)

// alarms are connections by when their clients want to be woken: a heap, the earliest first.
type alarms struct {
	heap []*Conn
}

// unset is the place of a connection that has no alarm.
const unset = -1

func (a *alarms) first() time.Duration {
	if len(a.heap) == 0 {
		return Never
	}
	return a.heap[0].alarm
}

// set changes a connection's alarm.
func (a *alarms) set(c *Conn, t time.Duration) {
	c.alarm = t
	switch {
	case c.at == unset && t == Never:
	case c.at == unset:
		c.at = len(a.heap)
		a.heap = append(a.heap, c)
		a.up(c)
	case t == Never:
		last := a.heap[len(a.heap)-1]
		a.heap[len(a.heap)-1] = nil
		a.heap = a.heap[:len(a.heap)-1]
		if last != c {
			a.place(last, c.at)
			a.up(last)
			a.down(last)
		}
		c.at = unset
	default:
		a.up(c)
		a.down(c)
	}
}

func (a *alarms) place(c *Conn, at int) {
	a.heap[at] = c
	c.at = at
}

// fan is how many children a connection in the heap has.
const fan = 4

func (a *alarms) up(c *Conn) {
	for c.at > 0 {
		parent := a.heap[(c.at-1)/fan]
		if parent.alarm <= c.alarm {
			return
		}
		at := parent.at
		a.place(parent, c.at)
		a.place(c, at)
	}
}

func (a *alarms) down(c *Conn) {
	for {
		least := c
		for i := c.at*fan + 1; i <= c.at*fan+fan && i < len(a.heap); i++ {
			if child := a.heap[i]; child.alarm < least.alarm {
				least = child
			}
		}
		if least == c {
			return
		}
		at := least.at
		a.place(least, c.at)
		a.place(c, at)
	}
}

// grain is how long a worker sleeps at least: alarms that are nearer to one another are served together.
const grain = time.Millisecond

// batch is how many alarms are served before others, such as those who read, get their turn.
const batch = 32

// run serves the alarms until the fleet closes.
func (w *worker) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-w.rung:
		case <-w.fleet.done:
			return
		}
		next := w.serve()
		for next == 0 {
			runtime.Gosched()
			next = w.serve()
		}
		if next != Never {
			next = max(grain, next-w.fleet.Now())
		}
		timer.Reset(next)
	}
}

// serve wakes clients that are due. It returns when the next is, or zero if more are due now.
func (w *worker) serve() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range batch {
		now := w.fleet.Now()
		due := w.alarms.first()
		if due > now {
			w.asleep = due
			return due
		}
		c := w.alarms.heap[0]
		w.stats.Late.Record(now - due)
		w.alarms.set(c, Never)
		c.client.Wake(now)
	}
	return 0
}
