package serial

import (
	"throng/lab/churn"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// watched is the key under which those who watch a run share its order.
type watched struct{}

// Watch has a run's nodes tell an order what they hold, those that can. It is called before the run starts; whoever else
// watches the run gets the same order.
func Watch(r *sim.Run) *Order {
	return r.Common(watched{}, func() any {
		w := &watch{order: New(r.Setup().World, r.Start()), witnesses: map[mechanism.NodeID]mechanism.Witness{}}
		for _, h := range r.Hosts() {
			w.hear(h)
		}
		r.Observe(w)
		return w.order
	}).(*Order)
}

// watch sees to it that those who come later are heard too, and that those who crash are not blamed for what was lost with them.
type watch struct {
	order     *Order
	witnesses map[mechanism.NodeID]mechanism.Witness
}

func (w *watch) hear(h *sim.Host) {
	if n, ok := h.Node.(mechanism.Ordered); ok {
		w.witnesses[h.Place.ID] = w.order.Witness(h.Place.ID)
		n.Testify(w.witnesses[h.Place.ID])
	}
}

// Started implements sim.LifeObserver.
func (w *watch) Started(h *sim.Host, _ world.Time, e *churn.Event) {
	if e.Kind.Starts() {
		w.hear(h)
	}
}

// Stopped implements sim.LifeObserver. Without its placer an order is at its end: another one begins anew.
func (w *watch) Stopped(h *sim.Host, _ world.Time, e *churn.Event) {
	witness, ok := w.witnesses[h.Place.ID]
	if !ok || e.Kind == churn.Freeze {
		return
	}
	w.order.Gone(witness)
	if h.Place.ID == w.order.placer || h.Place.User == 0 {
		w.order.over = true
	}
}
