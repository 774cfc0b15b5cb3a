package measure

import (
	"math"

	"throng/lab/sim"
	"throng/world"
)

// Replicas measures what it costs that nodes are kept on several computers: how long what they are handed waits until most of
// these have it, and what replicas say to each other.
type Replicas struct {
	safe      series
	bytes     int64
	elections int
	all       int // nodes that have replicas
}

func replicaFigures() []string {
	return append(seriesFigures("safe"), "replicas.bytes", "replicas.elections")
}

// NewReplicas watches r.
func NewReplicas(r *sim.Run) *Replicas { return &Replicas{all: len(r.Setup().Timeline.Standbys)} }

// Begin implements sim.Beginner.
func (p *Replicas) Begin(world.Time) { *p = Replicas{all: p.all} }

// Replicated implements sim.ReplicaObserver.
func (p *Replicas) Replicated(_ *sim.Host, size int) { p.bytes += int64(size) }

// Decided implements sim.ReplicaObserver.
func (p *Replicas) Decided(_ *sim.Host, after world.Time) { p.safe.add(after) }

// Elected implements sim.ReplicaObserver.
func (p *Replicas) Elected(*sim.Host) { p.elections++ }

// Report implements Probe.
func (p *Replicas) Report(span world.Time, emit Emit) {
	p.safe.report("safe", emit)
	bytes, elections := float64(p.bytes)/seconds(span)/float64(p.all), float64(p.elections)
	if p.all == 0 {
		bytes, elections = math.NaN(), math.NaN()
	}
	emit("replicas.bytes", "B/s", bytes)
	emit("replicas.elections", "", elections)
}
