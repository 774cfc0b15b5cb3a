package network

import (
	"fmt"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Internet is a network with latencies like those of the King data set, which holds the round trips between 1,740 name
// servers all over the world: half of them below about 160 ms, some near, some very far (see [Generate]).
type Internet struct {
	Delay world.Time `param:"delay" default:"80ms" range:"1ms..2s" help:"median over all pairs of the one-way latency, before jitter"`
	Jitter
	Faults
}

// New generates the hosts and builds the network.
func (c Internet) New(seed uint64, nodes int) (Model, error) {
	if err := param.Validate(&c); err != nil {
		return nil, err
	}
	if nodes > hostsMax {
		return nil, fmt.Errorf("internet: %d nodes are too many; allowed: 1..%d", nodes, hostsMax)
	}
	return c.over(&latencies{Generate(seed, nodes, c.Delay), c.Jitter.Jitter}, seed, nodes)
}

// A host lies in a plane whose unit of length is a millisecond of one-way latency, and has a height above it: the time that
// it takes to the backbone. That is the space in which network coordinates predict the King latencies well. The paths
// between continents of that time lead over North America, so that the plane stretches along one line.
var continents = []struct {
	share        uint64 // of the hosts, in percent
	x, y, radius int64
}{
	{50, 0, 0, 25},    // North America
	{25, 55, 5, 20},   // Europe
	{16, -90, 10, 25}, // Asia
	{5, 20, 70, 20},   // South America
	{4, -80, 90, 20},  // Oceania
}

const (
	heightLeast = 2 * fixed.One
	heightMean  = 8 * fixed.One  // beyond the least
	poor        = 12             // one host in so many has a poor access,
	poorFactor  = 6              // with heights so much larger
	detour      = fixed.One / 5  // standard deviation of the logarithm of a pair's factor
	medianDelay = 84 * fixed.One // of the latencies that result
)

// Generate returns latencies between hosts like those of the Internet, the same in both directions, such that the median
// over many hosts is the given one. A latency is the way from one host up to the backbone, along it and down to the other
// host, times a factor for the pair, since routes are rarely straight: direct ways can be longer than those by a third host.
// Hosts already there stay as they are when more are wanted.
//
// With a median of 80 ms one way, the round trips between 1,740 hosts have a mean of about 180 ms; a tenth take less than
// 65 ms, a tenth more than 320 ms, one in a hundred more than 500 ms.
func Generate(seed uint64, hosts int, median world.Time) *Matrix {
	type host struct {
		place  fixed.Vec
		height fixed.F
	}
	list := make([]host, hosts)
	for i := range list {
		s := random.New(seed, "internet.host", uint64(i))
		list[i] = host{place(&s), height(&s)}
	}
	m := newMatrix(hosts)
	for i, a := range list {
		for j, b := range list[:i] {
			s := random.New(seed, "internet.detour", uint64(i), uint64(j))
			length := a.place.Dist(b.place) + a.height + b.height
			length = length.Mul(fixed.Exp(s.Normal(0, detour)))
			latency := world.Time(length.Mul(fixed.F(median)).Div(medianDelay))
			m.set(i, j, latency)
			m.set(j, i, latency)
		}
	}
	return m
}

// place returns a point on one of the continents, anywhere on its disc.
func place(s *random.Stream) fixed.Vec {
	u := s.Below(100)
	for _, c := range continents {
		if u < c.share {
			centre := fixed.Vec{X: fixed.FromInt(c.x), Y: fixed.FromInt(c.y)}
			return centre.Add(fixed.Polar(s.Fixed().Sqrt().MulInt(c.radius), s.Angle()))
		}
		u -= c.share
	}
	panic("network: the continents do not add up to the world")
}

// height returns the latency between a host and the backbone.
func height(s *random.Stream) fixed.F {
	mean := heightMean
	if s.Below(poor) == 0 {
		mean *= poorFactor
	}
	return heightLeast + s.Exponential(mean)
}
