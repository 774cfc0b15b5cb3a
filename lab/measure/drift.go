package measure

import (
	"math"

	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

var driftFigures = []string{"drift", "distance.mean", "distance.p50", "distance.p99"}

// Drift measures how far views are from the truth.
type Drift struct {
	truth    *Truth
	known    perView[reading]
	own      reading // of a host that holds the world in part, which no other shares
	scales   scales
	placed   []bool // by kind
	sum      float64
	views    int64
	distance stats.Histogram
	mean     stats.Running
}

// NewDrift watches r.
func NewDrift(r *sim.Run, truth *Truth) *Drift {
	schema := r.Start().Schema()
	return &Drift{truth: truth, scales: newScales(schema), placed: placedKinds(schema)}
}

// placedKinds tells, by kind, which objects are somewhere.
func placedKinds(schema *world.Schema) []bool {
	placed := make([]bool, len(schema.Kinds))
	for i := range schema.Kinds {
		for _, v := range schema.Kinds[i].Variables {
			placed[i] = placed[i] || v.Slot <= world.SlotZ
		}
	}
	return placed
}

// lengthUnit is what a world measures lengths in.
func lengthUnit(schema *world.Schema) string {
	for i := range schema.Kinds {
		for _, v := range schema.Kinds[i].Variables {
			if v.Slot == world.SlotX {
				return v.Unit
			}
		}
	}
	return ""
}

// Begin implements sim.Beginner.
func (d *Drift) Begin(world.Time) {
	d.sum, d.views = 0, 0
	d.distance.Reset()
	d.mean = stats.Running{}
}

// reading is how far one view is from the truth.
type reading struct {
	drift     float64
	distances []float64 // of the objects that have a place
}

// Look implements sim.ViewObserver.
func (d *Drift) Look(now world.Time, h *sim.Host, view *world.State) {
	r := d.read(view, h, now)
	d.sum += r.drift
	d.views++
	for _, distance := range r.distances {
		d.distance.Add(distance)
		d.mean.Add(distance)
	}
}

// Tick implements sim.TickObserver.
func (d *Drift) Tick(world.Time) { d.known.forget() }

// read compares a host's view with the truth.
func (d *Drift) read(view *world.State, h *sim.Host, now world.Time) *reading {
	part, partial := h.Node.(mechanism.Holder)
	r := &d.own
	if !partial {
		if known := d.known.of(view); known != nil {
			return known
		}
		r = d.known.add(view)
	}
	r.drift, r.distances = 0, r.distances[:0]
	var sum, weights float64
	for o, t := range world.Common(view, d.truth.At(now)) {
		if t.Kind != o.Kind || !holds(part, o.ID) {
			continue
		}
		for _, sc := range d.scales.kinds[o.Kind] {
			sum += float64(sc.weight * sc.unit * math.Abs(float64(o.Get(sc.slot)-t.Get(sc.slot))))
		}
		weights += d.scales.weight[o.Kind]
		if d.placed[o.Kind] {
			r.distances = append(r.distances, float64(o.Pos.Dist(t.Pos))/float64(fixed.One))
		}
	}
	if weights > 0 {
		r.drift = sum / weights
	}
	return r
}

// Report implements Probe.
func (d *Drift) Report(_ world.Time, emit Emit) {
	emit(driftFigures[0], "", d.sum/float64(d.views))
	emit(driftFigures[1], "px", d.mean.Mean())
	emit(driftFigures[2], "px", quantile(&d.distance, 0.5))
	emit(driftFigures[3], "px", quantile(&d.distance, 0.99))
}

// quantile is NaN where nothing was counted.
func quantile(h *stats.Histogram, q float64) float64 {
	if h.N() == 0 {
		return math.NaN()
	}
	return h.Quantile(q)
}
