package hub_test

import (
	"sync/atomic"

	"throng/live/driver"
	"throng/mechanism"
)

// conn is a connection that ends in a runner, or nowhere.
type conn struct {
	runner  atomic.Pointer[driver.Runner]
	reasons chan string // why it was closed
}

func (c *conn) listen(r *driver.Runner) { c.runner.Store(r) }

func (c *conn) Send(m mechanism.Message) bool {
	r := c.runner.Load()
	return r != nil && r.Deliver(m)
}

func (c *conn) Close(reason string) { c.reasons <- reason }
