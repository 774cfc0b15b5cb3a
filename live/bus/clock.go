package bus

import (
	"sync"
	"time"

	"throng/live/protocol"
	"throng/world"
)

// lead is how long before its beginning a world's time starts to run: long enough for all processes to hear of it.
const lead = 250 * world.Millisecond

// clock is the world's time in a process. All processes count from the first one's time, which members estimate from what it
// answers. Before it is settled when the world begins, its time stands still.
type clock struct {
	began time.Time

	mu      sync.Mutex
	offset  protocol.Offset // to the first process's time; none in the first process
	zero    world.Time      // when the world begins, by the first process's time
	settled bool
}

func newClock() *clock { return &clock{began: time.Now()} }

// local is the process's own time, by which it knows when it asked.
func (c *clock) local() world.Time { return world.Time(time.Since(c.began)) }

// Now is the world's time.
func (c *clock) Now() world.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.settled {
		return -lead
	}
	return max(-lead, c.offset.At(c.local())-c.zero)
}

// answered takes the first process's time as the answer to what was asked at a local time.
func (c *clock) answered(asked, first world.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset.Pong(asked, first, c.local())
}

// settle has the world begin at a time of the first process.
func (c *clock) settle(zero world.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.zero, c.settled = zero, true
}
