package network

import (
	"sort"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Pareto is the network whose delays have a density proportional to x^-(shape+1) from a least delay, found from the wanted
// mean, to the cut-off.
type Pareto struct {
	Delay  world.Time `param:"delay" default:"100ms" range:"1us..50s" help:"mean one-way delay, at most 0.9 of cutoff"`
	Cutoff world.Time `param:"cutoff" default:"5s" range:"1ms..60s" help:"no packet takes longer"`
	Shape  fixed.F    `param:"shape" default:"1.5" range:"1.1..10" help:"the larger, the lighter the tail"`
	Faults
}

// Validate reports a mean that the cut-off does not allow.
func (c Pareto) Validate() error {
	if limit := c.Cutoff / 10 * 9; c.Delay > limit {
		return wrong("delay", c.Delay, "is too large for cutoff="+c.Cutoff.String(), "1us.."+limit.String())
	}
	return c.Faults.Validate()
}

// New builds the network.
func (c Pareto) New(seed uint64, nodes int) (Model, error) {
	if err := param.Validate(&c); err != nil {
		return nil, err
	}
	return c.over(newPareto(c.Delay, c.Cutoff, c.Shape), seed, nodes)
}

// pareto draws delays by the inverse of their distribution: least · w^(-1/shape) for w uniform from the share of an
// unlimited Pareto distribution that lies beyond the cut-off, up to one.
type pareto struct {
	least, cutoff world.Time
	inverse       fixed.F // 1/shape
	beyond        uint64  // that share, in units of 2⁻⁶²
}

// The logarithm of 2³⁸: a raw value with 62 fraction bits, taken for a number with 24, is 2³⁸ times too large.
const ln2Times38 fixed.F = 441_905_039

func newPareto(mean, cutoff world.Time, shape fixed.F) pareto {
	// The mean grows with the least delay, which itself is smaller than the mean.
	least := world.Time(sort.Search(int(mean), func(least int) bool {
		return paretoMean(world.Time(least+1), cutoff, shape) >= mean
	}) + 1)
	return pareto{
		least:   least,
		cutoff:  cutoff,
		inverse: fixed.One.Div(shape),
		beyond:  max(1, uint64(fixed.Exp(ln2Times38+shape.Mul(logRatio(least, cutoff))))), // zero has no logarithm
	}
}

// paretoMean is the mean of the distribution from least to cutoff: k/(k-1) · least · (1-r^(k-1)) / (1-r^k) with k for the
// shape and r = least/cutoff.
func paretoMean(least, cutoff world.Time, shape fixed.F) world.Time {
	r := logRatio(least, cutoff)
	mean := fixed.F(least).Mul(shape.Div(shape - fixed.One))
	mean = mean.Mul(fixed.One - fixed.Exp(r.Mul(shape-fixed.One)))
	return world.Time(mean.Div(fixed.One - fixed.Exp(r.Mul(shape))))
}

// logRatio is the logarithm of a/b.
func logRatio(a, b world.Time) fixed.F { return fixed.Log(fixed.F(a)) - fixed.Log(fixed.F(b)) }

func (p pareto) draw(s *random.Stream, _, _ uint32) world.Time {
	w := p.beyond + s.Below(1<<62-p.beyond)
	factor := fixed.Exp((ln2Times38 - fixed.Log(fixed.F(w))).Mul(p.inverse))
	return min(world.Time(fixed.F(p.least).Mul(factor)), p.cutoff)
}
