package link

import "throng/world"

// Config says how a link behaves. All nodes of a run share one configuration.
type Config struct {
	Timeout  world.Time `param:"timeout" default:"250ms" range:"1ms..1m" help:"a message is sent again after this long without acknowledgement"`
	Adaptive bool       `param:"adaptive" default:"true" help:"the time-out only begins so: then it follows the round trips that are measured, and doubles while none is"`
	Batching world.Time `param:"batching" default:"0s" range:"0s..10s" help:"the first message to a peer waits this long for others to share its datagram"`
	Receipts world.Time `param:"receipts" default:"0s" range:"0s..10s" help:"an acknowledgement waits this long for a message to travel with"`
	// ReceptionDelay is bounded by what sending times on the wire can tell apart.
	ReceptionDelay world.Time `param:"reception-delay" default:"0s" range:"0s..10s" help:"a message younger than this waits until it has that age"`
}

// Repeats is how long it takes at most until a message has been repeated so many times.
func (c *Config) Repeats(times int) world.Time {
	wait := c.Timeout + c.Batching
	if c.Adaptive {
		wait = max(c.Timeout+c.allowance(), waitMax)
	}
	return world.Time(times) * (wait + c.Batching)
}

// allowance is how long a receipt may wait at the peer.
func (c *Config) allowance() world.Time { return max(c.Batching, c.Receipts) }
