package cluster

import (
	"sync"
	"time"

	"throng/live/protocol"
	"throng/world"
)

// clock is the world's time in a process. Whoever leads decides what time it is; others estimate it from the leader's answers to
// their pings, so that whoever leads next goes on where the last one ended. Until it is known the world has not begun.
type clock struct {
	began time.Time

	mu      sync.Mutex
	offset  protocol.Offset // to the world's time
	settled bool
}

// before is the time of a world that has not begun.
const before = -250 * world.Millisecond

func newClock() *clock { return &clock{began: time.Now()} }

// local is the process's own time.
func (c *clock) local() world.Time { return world.Time(time.Since(c.began)) }

// Now is the world's time.
func (c *clock) Now() world.Time {
	now, _ := c.look()
	return now
}

// look is the world's time, and whether it is known.
func (c *clock) look() (now world.Time, settled bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.settled {
		return before, false
	}
	return c.offset.At(c.local()), true
}

// answered takes the leader's time as the answer to what was asked at a local time.
func (c *clock) answered(asked, leader world.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset.Pong(asked, leader, c.local())
	c.settled = true
}

// lead has the world's time go on from what was agreed on last, unless it is known here anyway.
func (c *clock) lead(agreed world.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.settled {
		local := c.local()
		c.offset.Pong(local, agreed, local)
		c.settled = true
	}
}
