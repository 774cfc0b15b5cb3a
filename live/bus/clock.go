package bus

import (
	"sync"
	"time"

	"throng/live/protocol"
	"throng/world"
)

// clock is the world's time in a member, estimated from what the first process answers.
type clock struct {
	began time.Time

	mu     sync.Mutex
	offset protocol.Offset
}

func newClock() *clock { return &clock{began: time.Now()} }

// local is the member's own time, by which it knows when it asked.
func (c *clock) local() world.Time { return world.Time(time.Since(c.began)) }

// Now is the world's time.
func (c *clock) Now() world.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offset.At(c.local())
}

// answered takes the first process's time as the answer to what was asked at a local time.
func (c *clock) answered(asked, first world.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset.Pong(asked, first, c.local())
}
