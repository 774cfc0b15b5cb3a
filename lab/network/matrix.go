package network

import (
	"fmt"
	"os"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// hostsMax bounds what a matrix takes: 128 MB.
const hostsMax = 4096

// Matrix holds the one-way latency from each of a number of hosts to each other.
type Matrix struct {
	hosts   int
	latency []world.Time // by sender, then by receiver
}

func newMatrix(hosts int) *Matrix {
	return &Matrix{hosts: hosts, latency: make([]world.Time, hosts*hosts)}
}

// Hosts returns the number of hosts.
func (m *Matrix) Hosts() int { return m.hosts }

// OneWay returns the latency from one host to another, both counted from 0.
func (m *Matrix) OneWay(from, to int) world.Time { return m.latency[from*m.hosts+to] }

func (m *Matrix) set(from, to int, latency world.Time) { m.latency[from*m.hosts+to] = latency }

// symmetric says whether the way back always takes as long.
func (m *Matrix) symmetric() bool {
	for i := range m.hosts {
		for j := range i {
			if m.OneWay(i, j) != m.OneWay(j, i) {
				return false
			}
		}
	}
	return true
}

// Jitter is the part of the delay that differs from packet to packet where each pair of hosts has a latency.
type Jitter struct {
	Jitter fixed.F `param:"jitter" default:"0.05" range:"0..10" help:"mean of an exponential delay on top, as a share of the pair's latency"`
}

// Measured is the network with a latency for each pair of hosts, read from a file (see [ReadMatrix] for its form). Every
// node of a run becomes one of the hosts, chosen by chance.
type Measured struct {
	File string `param:"file" file:"true" help:"latencies between hosts, after the lines 'hosts 3', 'unit ms', 'latency one-way' and 'rows lower' a row for each host"`
	Jitter
	Faults
}

// New reads the file and builds the network.
func (c Measured) New(seed uint64, nodes int) (Model, error) {
	if err := param.Validate(&c); err != nil {
		return nil, err
	}
	if c.File == "" {
		return nil, wrong("file", c.File, "names no file", "a file of latencies")
	}
	f, err := os.Open(c.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := ReadMatrix(f, c.File)
	if err != nil {
		return nil, err
	}
	if nodes > m.hosts {
		return nil, wrong("file", c.File, fmt.Sprintf("has too few hosts for %d nodes", nodes), fmt.Sprintf("1..%d nodes", m.hosts))
	}
	return c.over(&latencies{m.choose(nodes, seed), c.Jitter.Jitter}, seed, nodes)
}

// choose returns the latencies between some of the hosts, chosen by chance.
func (m *Matrix) choose(n int, seed uint64) *Matrix {
	hosts := make([]int, m.hosts)
	for i := range hosts {
		hosts[i] = i
	}
	s := random.New(seed, "network.hosts")
	s.Shuffle(len(hosts), func(i, j int) { hosts[i], hosts[j] = hosts[j], hosts[i] })
	chosen := newMatrix(n)
	for i := range n {
		for j := range n {
			chosen.set(i, j, m.OneWay(hosts[i], hosts[j]))
		}
	}
	return chosen
}

// latencies are the delays between the hosts of a matrix, which node 1 and those after it stand for.
type latencies struct {
	matrix *Matrix
	jitter fixed.F
}

func (l *latencies) draw(s *random.Stream, from, to uint32) world.Time {
	latency := l.matrix.OneWay(int(from)-1, int(to)-1)
	if l.jitter == 0 {
		return latency
	}
	return latency + exponentialTime(s, world.Time(fixed.F(latency).Mul(l.jitter)))
}
