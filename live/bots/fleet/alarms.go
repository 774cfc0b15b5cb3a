package fleet

import "time"

// alarms are when clients want to be woken: a heap, the earliest first.
type alarms struct {
	heap []alarm
}

// alarm is one connection's. The time stands here rather than there: comparing alarms is most of what is done with them.
type alarm struct {
	at   time.Duration
	conn *Conn
}

const (
	unset  = -1 // the place of a connection that has no alarm
	served = -1 // the time of the alarm that is being served, before any other
)

func (a *alarms) first() time.Duration {
	if len(a.heap) == 0 {
		return Never
	}
	return a.heap[0].at
}

// of is a connection's alarm.
func (a *alarms) of(c *Conn) time.Duration {
	if c.place == unset {
		return Never
	}
	return a.heap[c.place].at
}

// set changes a connection's alarm.
func (a *alarms) set(c *Conn, t time.Duration) {
	switch {
	case c.place == unset && t == Never:
	case c.place == unset:
		a.heap = append(a.heap, alarm{})
		a.settle(len(a.heap)-1, alarm{t, c})
	case t == Never:
		last := a.heap[len(a.heap)-1]
		a.heap[len(a.heap)-1] = alarm{}
		a.heap = a.heap[:len(a.heap)-1]
		if last.conn != c {
			a.settle(c.place, last)
		}
		c.place = unset
	default:
		a.settle(c.place, alarm{t, c})
	}
}

// fan is how many children an alarm in the heap has.
const fan = 4

// settle puts an alarm where it belongs, given a place that is free.
func (a *alarms) settle(i int, x alarm) {
	for i > 0 {
		parent := (i - 1) / fan
		if a.heap[parent].at <= x.at {
			break
		}
		a.put(i, a.heap[parent])
		i = parent
	}
	for {
		least, at := i, x.at
		for child := i*fan + 1; child <= i*fan+fan && child < len(a.heap); child++ {
			if a.heap[child].at < at {
				least, at = child, a.heap[child].at
			}
		}
		if least == i {
			break
		}
		a.put(i, a.heap[least])
		i = least
	}
	a.put(i, x)
}

func (a *alarms) put(i int, x alarm) {
	a.heap[i] = x
	x.conn.place = i
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
		c := w.alarms.heap[0].conn
		w.stats.Late.Record(now - due)
		w.alarms.heap[0].at = served // most ask for another, which then takes its place
		c.client.Wake(now)
		if w.alarms.of(c) == served {
			w.alarms.set(c, Never)
		}
	}
	return 0
}
