package network

import (
	"math"
	"math/bits"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Faults are what can go wrong with a packet on any network but the perfect one.
type Faults struct {
	Loss         fixed.F    `param:"loss" default:"0.001" range:"0..1" help:"share of the packets that never arrive"`
	Burst        fixed.F    `param:"burst" default:"0" range:"0..10000" help:"mean number of packets of a pair lost in a row, at least 1; 0 loses each packet independently"`
	Duplicate    fixed.F    `param:"duplicate" default:"0" range:"0..1" help:"share of the packets that arrive twice, the copy after a delay of its own"`
	Reorder      fixed.F    `param:"reorder" default:"0" range:"0..1" help:"share of the packets that are held back by reorder-delay"`
	ReorderDelay world.Time `param:"reorder-delay" default:"20ms" range:"0s..60s" help:"additional delay of a packet that is held back"`
	FIFO         bool       `param:"fifo" default:"false" help:"no packet of a pair overtakes another: it waits for those sent before it"`
	Partitions   string     `param:"partitions" help:"when which nodes cannot reach each other, such as '10s..20s: 1-4 | 5-8; 30s..35s: 2 | rest'"`

	Between param.ByKey[Path] `param:"between" help:"otherwise between hosts of two roles, such as between.client-server.delay"`
}

// Validate reports faults that cannot be had together.
func (f Faults) Validate() error {
	if _, err := parsePartitions(f.Partitions); err != nil {
		return err
	}
	switch {
	case f.Burst == 0:
		return nil
	case f.Burst < fixed.One:
		return wrong("burst", f.Burst, "is no length of a burst", "0, or 1..10000")
	// Between two bursts at least one packet arrives.
	case f.Loss > f.Burst.Div(f.Burst+fixed.One):
		return wrong("loss", f.Loss, "is too large for burst="+f.Burst.String(), "0.."+f.Burst.Div(f.Burst+fixed.One).String())
	}
	return f.checkBursts()
}

// delays is a distribution of delays, for each pair of nodes its own or for all the same.
type delays interface {
	draw(s *random.Stream, from, to uint32) world.Time
}

// network is a distribution of delays with faults.
type network struct {
	delays       delays
	losses       losses
	duplicate    chance
	reorder      chance
	reorderDelay world.Time
	fifo         bool
	changes      *disturbance // nil if there are none
	between      param.ByKey[Path]
	burst        fixed.F
	paths        *paths // what between means for the hosts; nil if it says nothing, or they have no roles yet
	pairs        pairs
}

// over puts the faults on top of a distribution of delays.
func (f Faults) over(d delays, seed uint64, nodes int) (Model, error) {
	partitions, err := parsePartitions(f.Partitions)
	if err != nil {
		return nil, err
	}
	n := &network{
		delays:       d,
		losses:       newLosses(f.Loss, f.Burst),
		duplicate:    chanceOf(f.Duplicate),
		reorder:      chanceOf(f.Reorder),
		reorderDelay: f.ReorderDelay,
		fifo:         f.FIFO,
		pairs:        pairs{seed: seed},
		between:      f.Between,
		burst:        f.Burst,
	}
	var changes []Change
	for _, p := range partitions {
		c, err := p.change(nodes)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return Disturb(n, changes, seed, nodes), nil
}

// Fate draws from every stream that is in use before it decides anything: see the package comment. What a node sends to
// itself does not pass through the network.
func (n *network) Fate(now world.Time, from, to uint32, _ int) Fate {
	if from == to {
		return Fate{N: 1}
	}
	p, fresh := n.pairs.find(from, to)
	losses, path := &n.losses, (*path)(nil)
	if n.paths != nil {
		if path = n.paths.between(from, to); path != nil && path.losses != nil {
			losses = path.losses
		}
	}
	if fresh {
		losses.start(p)
	}
	fate := Fate{N: 1}
	fate.Delays[0] = path.draw(n.delays, &p.delay, from, to)
	if n.reorder.met(&p.reorder) {
		fate.Delays[0] += n.reorderDelay
	}
	if n.duplicate.met(&p.duplicate) {
		fate.N = 2
		fate.Delays[1] = path.draw(n.delays, &p.duplicate, from, to)
	}
	if losses.lose(p) {
		return Fate{Cause: Lost}
	}
	if n.changes != nil {
		cause, delay := n.changes.meet(now, from, to)
		if cause != None {
			return Fate{Cause: cause}
		}
		for i := range fate.N {
			fate.Delays[i] += delay
		}
	}
	if n.fifo {
		for i := range fate.N {
			p.arrival = max(p.arrival, now+fate.Delays[i])
			fate.Delays[i] = p.arrival - now
		}
	}
	return fate
}

// losses is the model of Gilbert: a pair is either well, and every packet arrives, or bad, and none does. Before each packet
// it changes over with a probability that depends on its state alone; with equal probabilities to be bad next in both
// states, losses are independent.
type losses struct {
	mean  chance // share of the packets that find it bad
	enter chance // probability to be bad next when it is well
	stay  chance // probability to be bad next when it is bad
}

func newLosses(loss, burst fixed.F) losses {
	mean := chanceOf(loss)
	if burst == 0 || loss == 0 || loss == fixed.One {
		return losses{mean, mean, mean}
	}
	// A burst ends after each of its packets with probability 1/burst. For the pair to be bad for the share loss of the
	// packets, as many bursts must begin: enter·(1-loss) = loss/burst. Raw fixed-point values leave a factor One over.
	return losses{
		mean:  mean,
		enter: ratio(uint64(loss)<<fixed.Shift, uint64(burst)*uint64(fixed.One-loss)),
		stay:  ratio(uint64(burst-fixed.One), uint64(burst)),
	}
}

// start gives a pair its first state.
func (l *losses) start(p *pair) { p.bad = l.mean.met(&p.loss) }

// lose moves a pair to the state that its next packet finds, and reports whether that loses it.
func (l *losses) lose(p *pair) bool {
	next := l.enter
	if p.bad {
		next = l.stay
	}
	p.bad = next.met(&p.loss)
	return p.bad
}

// chance is a probability in units of 2⁻⁶⁴, which keeps rare events precise. What never happens draws no random number; the
// largest chance is certain.
type chance uint64

func chanceOf(p fixed.F) chance { return ratio(uint64(p), uint64(fixed.One)) }

// ratio returns the chance of num in den.
func ratio(num, den uint64) chance {
	if num >= den {
		return math.MaxUint64
	}
	quotient, _ := bits.Div64(num, 0, den)
	return chance(quotient)
}

func (c chance) met(s *random.Stream) bool { return c > 0 && s.Uint64() <= uint64(c) }
