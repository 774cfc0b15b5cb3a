// Package network decides what becomes of a datagram between two nodes: whether it arrives, when, and how often.
//
// A network is a delay distribution with faults on top. The distributions are those of Adam (Pareto with a cut-off,
// exponential, spike), a constant, measured latencies from a file, and a generator of latencies like those of the
// Internet; [Kinds] lists them by name. The faults, the same for all, are [Faults]. Apart from both stand what belongs to a
// host rather than to a path: its [Link], with bandwidth and a queue, and its [Clock].
//
// Every ordered pair of nodes draws delay, loss, duplication and reordering from four random streams of its own, and draws
// from each for every packet. The n-th packet from one node to another thus meets the same delay and the same loss whatever
// other faults are switched on, and whatever other nodes send.
//
// All computation is in integers, so that a run is the same on every processor. Distributions that need a logarithm take it
// from package fixed.
package network

import (
	"fmt"

	"throng/internal/param"
	"throng/world"
)

// Model decides the fate of packets between hosts, which are numbered from 1.
type Model interface {
	Fate(now world.Time, from, to uint32, size int) Fate
}

// Fate is what becomes of one packet sent.
type Fate struct {
	N      int           // how many copies arrive: none, one or two
	Delays [2]world.Time // of these copies, from sending to arrival
	Cause  Cause         // why none arrives
}

// Cause says why a packet does not arrive.
type Cause uint8

// The causes.
const (
	None        Cause = iota // it arrives
	Lost                     // by chance
	Partitioned              // sender and receiver were cut off from each other when it was sent
)

func (c Cause) String() string {
	return [...]string{"none", "lost", "partitioned"}[c]
}

// Config is the parameters of one kind of network: a pointer to a struct that describes itself by its tags.
type Config interface {
	// New builds the network for the nodes 1 to nodes. An error about a parameter is a [*param.Error].
	New(seed uint64, nodes int) (Model, error)
}

// Kind is one kind of network.
type Kind struct {
	Name, Help string
	Config     func() Config // fresh, every parameter at its zero
}

// Kinds lists all kinds of network.
func Kinds() []Kind {
	return []Kind{
		{"perfect", "no delay, nothing lost", func() Config { return new(Perfect) }},
		{"constant", "every packet takes the same time", func() Config { return new(Constant) }},
		{"spike", "almost every packet takes the same time, a few much longer", func() Config { return new(Spike) }},
		{"exponential", "exponentially distributed delay", func() Config { return new(Exponential) }},
		{"pareto", "heavy-tailed delay with a cut-off", func() Config { return new(Pareto) }},
		{"matrix", "a latency for each pair of hosts, from a file", func() Config { return new(Measured) }},
		{"internet", "generated latencies with the statistics of Internet hosts", func() Config { return new(Internet) }},
	}
}

// Perfect is the network without delay or faults. It has no parameters.
type Perfect struct{}

// New returns the perfect network.
func (Perfect) New(uint64, int) (Model, error) { return perfect{}, nil }

type perfect struct{}

func (perfect) Fate(world.Time, uint32, uint32, int) Fate { return Fate{N: 1} }

// wrong words what is wrong with a parameter.
func wrong(path string, value any, problem, allowed string) error {
	return &param.Error{Path: path, Value: fmt.Sprint(value), Problem: problem, Allowed: allowed}
}
