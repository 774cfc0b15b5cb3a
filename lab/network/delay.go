package network

import (
	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Constant is the network on which every packet takes the same time.
type Constant struct {
	Delay world.Time `param:"delay" default:"100ms" range:"0s..60s" help:"one-way delay"`
	Faults
}

// New builds the network.
func (c Constant) New(seed uint64, nodes int) (Model, error) {
	if err := param.Validate(&c); err != nil {
		return nil, err
	}
	return c.over(constant(c.Delay), seed, nodes)
}

type constant world.Time

func (c constant) draw(*random.Stream, uint32, uint32) world.Time { return world.Time(c) }

// Exponential is the network whose delays have the density exp(-x/E)/E.
type Exponential struct {
	Delay world.Time `param:"delay" default:"100ms" range:"0s..60s" help:"mean one-way delay"`
	Faults
}

// New builds the network.
func (c Exponential) New(seed uint64, nodes int) (Model, error) {
	if err := param.Validate(&c); err != nil {
		return nil, err
	}
	return c.over(exponential(c.Delay), seed, nodes)
}

type exponential world.Time

func (e exponential) draw(s *random.Stream, _, _ uint32) world.Time {
	return exponentialTime(s, world.Time(e))
}

// exponentialTime draws an exponentially distributed time. A stream scales a fixed-point number of any unit; taking
// nanoseconds for the number's raw value loses nothing to rounding.
func exponentialTime(s *random.Stream, mean world.Time) world.Time {
	return world.Time(s.Exponential(fixed.F(mean)))
}

// Spike is the network that Adam found to fit pings on the Internet best: 99% of the packets take a time T, 0.99% up to
// 20 ms longer, 0.01% up to 2 s longer.
type Spike struct {
	Delay world.Time `param:"delay" default:"100ms" range:"200us..60s" help:"mean one-way delay"`
	Faults
}

// The spike's two tails, beyond the usual time.
const (
	spikeNear = 20 * world.Millisecond
	spikeFar  = 2 * world.Second

	// spikeExcess is how much longer than usual a packet takes on average, exactly 200 µs.
	spikeExcess = (99*spikeNear + (spikeNear + spikeFar)) / 2 / 10_000
)

// New builds the network.
func (c Spike) New(seed uint64, nodes int) (Model, error) {
	if err := param.Validate(&c); err != nil {
		return nil, err
	}
	return c.over(spike(c.Delay-spikeExcess), seed, nodes)
}

// spike is the usual time T.
type spike world.Time

func (t spike) draw(s *random.Stream, _, _ uint32) world.Time {
	usual := world.Time(t)
	switch u := s.Below(10_000); {
	case u < 9_900:
		return usual
	case u < 9_999:
		return usual + uniform(s, 0, spikeNear)
	default:
		return usual + uniform(s, spikeNear, spikeFar)
	}
}

func uniform(s *random.Stream, lo, hi world.Time) world.Time {
	return lo + world.Time(s.Below(uint64(hi-lo)))
}
