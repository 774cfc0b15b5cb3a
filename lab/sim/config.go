package sim

import (
	"slices"
	"strings"

	"throng/internal/param"
	"throng/lab/churn"
	"throng/lab/network"
	"throng/world"
)

// Config describes the hosts of a run. The defaults set no limits, and all hosts are alike; roles may have other hardware.
type Config struct {
	Hardware
	Header int  `param:"header" default:"28" unit:"B" range:"0..1000" help:"what each datagram costs on the wire beyond its payload; 28 is IPv4 and UDP"`
	MTU    int  `param:"mtu" default:"1500" unit:"B" range:"100..65535" help:"the largest packet that a link carries: longer datagrams go in pieces, each with a header, and all arrive or none"`
	Share  bool `param:"share" default:"true" help:"whether replicas that are in the same state share the work of computing the next: results are the same without, later"`

	Together string                `param:"together" join:";" help:"nodes that share a process: its processor, its link, its clock and its crashes, such as 'servers 1-2; registry + server 3'"`
	Election world.Time            `param:"election" default:"300ms" unit:"s" range:"10ms..60s" help:"how long replicas wait for a word of their leader before they elect another one, at least; up to twice as long"`
	Role     param.ByKey[Hardware] `param:"*" help:"otherwise for hosts of one role, such as host.server.up or host.client.cpu"`
}

// Hardware is what one host has.
type Hardware struct {
	CPU      int64 `param:"cpu" default:"0" unit:"op/s" range:"0..1000000000000" help:"work that a host does per second, where touching an object is 1 op; 0 sets no limit"`
	Packet   int64 `param:"packet" default:"0" unit:"op" range:"0..1000000000" help:"work for each datagram that a host sends or receives, beside what its node does"`
	Replicas int   `param:"replicas" default:"1" range:"1..9" help:"computers that keep the state of a node without a user: what it is handed waits until most of them have it, and it goes on as long as most of them do"`
	Backlog  int   `param:"backlog" default:"100000" range:"1..100000000" help:"datagrams that may wait for a busy processor; more are lost"`
	network.LinkConfig
	Clock network.ClockConfig `param:"clock"`
}

// Validate reads which nodes share a process.
func (c *Config) Validate() error {
	_, err := churn.ParseProcesses(c.Together)
	return err
}

// Of is the hardware of hosts with a role.
func (c *Config) Of(role string) Hardware {
	h := c.Hardware
	c.Role.Apply(role, &h)
	return h
}

// Beat is the time between two of a leader's signs of life, and what replicas count time in.
func (c *Config) Beat() world.Time { return max(c.Election/ElectionBeats, 1) }

// ElectionBeats is after how many missed beats an election is called.
const ElectionBeats = 10

// CheckRoles complains about a role that no host has.
func (c *Config) CheckRoles(roles []string) error {
	known := slices.Compact(slices.Sorted(slices.Values(roles)))
	for _, role := range c.Role.Keys() {
		if slices.Contains(known, role) {
			continue
		}
		e := &param.Error{Path: "host", Value: role, Problem: "is no role of this run", Allowed: strings.Join(known, ", ")}
		e.Nearest = param.Nearest(role, known)
		return e
	}
	return nil
}

// wire is what a datagram takes on the wire.
func (c *Config) wire(payload int) int {
	piece := max(c.MTU-c.Header, 1)
	return payload + c.Header*max(1, (payload+piece-1)/piece)
}
