package lab

import (
	"context"
	"fmt"
	"math"

	"throng/lab/check"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// Fingerprint runs a set-up, with all checks and time to settle, and condenses every view of every host at every tick and
// every datagram sent into one number. Two programs with the same fingerprint did the same thing.
func Fingerprint(ctx context.Context, s experiment.Setup) (string, error) {
	done, _, err := Fingerprints(ctx, s, nil)
	return done, err
}

// Fingerprints returns beside the fingerprint of what was done one of what was measured: every figure of the given probes, to its
// last bit. What was done does not depend on what is measured.
func Fingerprints(ctx context.Context, s experiment.Setup, probes []measure.Entry) (done, figures string, err error) {
	run, err := build(s, true)
	if err != nil {
		return "", "", err
	}
	checks := check.Attach(run)
	measured := measure.Attach(run, probes)
	p := &print{run: run, sum: hashStart}
	run.Observe(p)
	if err := run.Go(ctx); err != nil {
		return "", "", err
	}
	p.views()
	if err := checks.Verdict(); err != nil {
		return "", "", err
	}
	m := &print{sum: hashStart}
	for _, f := range measured.Figures() {
		m.figure(f)
	}
	return fmt.Sprintf("%016x", p.sum), fmt.Sprintf("%016x", m.sum), nil
}

// delayMax is the greatest delay that a fingerprint's time to settle allows for.
const delayMax = 5 * world.Second

func settleTime(m mechanism.Mechanism) world.Time {
	if c, ok := m.(mechanism.Converging); ok {
		return c.Converges(delayMax)
	}
	return 0
}

// hashStart is where the hash of FNV-1a begins.
const hashStart = 14695981039346656037

// print is an observer that hashes what it sees, byte by byte in the manner of FNV-1a.
type print struct {
	run *sim.Run
	sum uint64
}

func (p *print) add(v uint64) {
	for range 8 {
		p.sum = (p.sum ^ v&0xff) * 1099511628211
		v >>= 8
	}
}

// figure adds what a figure is called and what it is. All that is not a number is alike.
func (p *print) figure(f measure.Figure) {
	for _, b := range []byte(f.Name) {
		p.sum = (p.sum ^ uint64(b)) * 1099511628211
	}
	bits := math.Float64bits(f.Value)
	if f.Value != f.Value {
		bits = 0x7ff8000000000001
	}
	p.add(bits)
}

func (p *print) views() {
	for _, h := range p.run.Hosts() {
		if v := h.View(); v != nil {
			p.add(v.Hash())
		}
	}
}

// Tick implements sim.TickObserver.
func (p *print) Tick(world.Time) { p.views() }

// Sent implements sim.PacketObserver.
func (p *print) Sent(h *sim.Host, m mechanism.Message, _ int) {
	p.add(uint64(p.run.Now()))
	p.add(uint64(m.From)<<32 | uint64(m.To))
	for _, b := range m.Payload {
		p.sum = (p.sum ^ uint64(b)) * 1099511628211
	}
}

// Received implements sim.PacketObserver.
func (p *print) Received(*sim.Host, mechanism.Message, int) {}
