package sim

import "throng/lab/network"

// Config describes the hosts of a run. All are alike; the defaults set no limits.
type Config struct {
	CPU     int64 `param:"cpu" default:"0" unit:"op/s" range:"0..1000000000000" help:"work that a host does per second, where touching an object is 1 op; 0 sets no limit"`
	Backlog int   `param:"backlog" default:"100000" range:"1..100000000" help:"datagrams that may wait for a busy processor; more are lost"`
	Header  int   `param:"header" default:"28" unit:"B" range:"0..1000" help:"what each datagram costs on the wire beyond its payload; 28 is IPv4 and UDP"`
	network.LinkConfig
	Clock network.ClockConfig `param:"clock"`
}

// Default is the configuration without limits.
func Default() Config { return Config{Backlog: 100_000, Header: 28} }
