package sim

import "throng/lab/network"

// Config describes the hosts of a run. All are alike; the defaults set no limits.
type Config struct {
	CPU     int64 `param:"cpu" default:"0" unit:"op/s" range:"0..1000000000000" help:"work that a host does per second, where touching an object is 1 op; 0 sets no limit"`
	Backlog int   `param:"backlog" default:"100000" range:"1..100000000" help:"datagrams that may wait for a busy processor; more are lost"`
	Header  int   `param:"header" default:"28" unit:"B" range:"0..1000" help:"what each datagram costs on the wire beyond its payload; 28 is IPv4 and UDP"`
	MTU     int   `param:"mtu" default:"1500" unit:"B" range:"100..65535" help:"the largest packet that a link carries: longer datagrams go in pieces, each with a header, and all arrive or none"`
	Share   bool  `param:"share" default:"true" help:"whether replicas that are in the same state share the work of computing the next: results are the same without, later"`
	network.LinkConfig
	Clock network.ClockConfig `param:"clock"`
}

// wire is what a datagram takes on the wire.
func (c *Config) wire(payload int) int {
	piece := max(c.MTU-c.Header, 1)
	return payload + c.Header*max(1, (payload+piece-1)/piece)
}
