package measure

import (
	"math"

	"throng/lab/serial"
	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
)

var orderFigures = []string{"closure.mean", "closure.p99", "closure.max", "reconciled", "reexecutions", "violations", "violations.whole"}

// Order measures what it takes to carry actions out in one order, and whether what clients hold follows from it.
type Order struct {
	serial             *serial.Order // nil where no node can be checked
	whole              *serial.Order // the same, with actions that see the whole world
	closure            stats.Running
	closures           stats.Histogram
	acts, wrong, again int64
	checked, violated  int // when measuring began

	wholeChecked, wholeViolated int
}

// NewOrder watches r.
func NewOrder(r *sim.Run) *Order {
	o := &Order{}
	for _, h := range r.Hosts() {
		if _, ok := h.Node.(mechanism.Ordered); ok {
			o.serial, o.whole = serial.Watch(r), serial.WatchWhole(r)
			break
		}
	}
	return o
}

// Begin implements sim.Beginner.
func (o *Order) Begin(world.Time) {
	*o = Order{serial: o.serial, whole: o.whole}
	if o.serial != nil {
		o.checked, o.violated = o.serial.Checked(), o.serial.Violations()
		o.wholeChecked, o.wholeViolated = o.whole.Checked(), o.whole.Violations()
	}
}

// Acted implements sim.ActionObserver.
func (o *Order) Acted(*sim.Host, world.Time, *world.Action) { o.acts++ }

// Event implements sim.EventObserver.
func (o *Order) Event(_ *sim.Host, _ world.Time, e mechanism.Event) {
	switch e.Name {
	case mechanism.Closure:
		o.closure.Add(float64(e.Value))
		o.closures.Add(float64(e.Value))
	case mechanism.Reconciled:
		o.wrong++
		o.again += e.Value
	}
}

// Report implements Probe.
func (o *Order) Report(_ world.Time, emit Emit) {
	emit("closure.mean", "actions", o.closure.Mean())
	emit("closure.p99", "actions", quantile(&o.closures, 0.99))
	emit("closure.max", "actions", o.closure.Max())
	emit("reconciled", "per action", over(float64(o.wrong), int(o.acts)))
	emit("reexecutions", "per action", over(float64(o.again), int(o.acts)))
	violations, whole := math.NaN(), math.NaN()
	if o.serial != nil {
		violations = over(float64(o.serial.Violations()-o.violated), o.serial.Checked()-o.checked)
		whole = over(float64(o.whole.Violations()-o.wholeViolated), o.whole.Checked()-o.wholeChecked)
	}
	emit("violations", "", violations)
	emit("violations.whole", "", whole)
}
