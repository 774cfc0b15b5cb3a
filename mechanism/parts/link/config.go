package link

import "throng/world"

// Config says how a link behaves. All nodes of a run share one configuration.
type Config struct {
	Timeout  world.Time `param:"timeout" default:"250ms" range:"1ms..1m" help:"a message is sent again after this long without acknowledgement"`
	Batching world.Time `param:"batching" default:"0s" range:"0s..10s" help:"the first message to a peer waits this long for others to share its datagram"`
	Receipts world.Time `param:"receipts" default:"0s" range:"0s..10s" help:"an acknowledgement waits this long for a message to travel with"`
	// ReceptionDelay is bounded by what sending times on the wire can tell apart.
	ReceptionDelay world.Time `param:"reception-delay" default:"0s" range:"0s..10s" help:"a message younger than this waits until it has that age"`
}
