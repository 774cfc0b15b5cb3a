package serial

import (
	"throng/lab/churn"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// Watch has a run's nodes tell an order what they hold, those that can. It is called before the run starts; whoever else
// watches the run gets the same order.
func Watch(r *sim.Run) *Order {
	return watchRun(r).order
}

// WatchWhole is as Watch, but what it returns has each action see and change all of the world, whatever its footprint: what
// contradicts that, footprints have left out. It is for measuring how much that is; mechanisms that go by footprints do not
// promise that it is nothing.
func WatchWhole(r *sim.Run) *Order {
	w := watchRun(r)
	if w.whole == nil {
		w.whole = New(r.Setup().World, r.Start())
		w.whole.stage.whole = true
		for id, witness := range w.witnesses {
			witness.also = w.whole.newWitness(id)
		}
	}
	return w.whole
}

func watchRun(r *sim.Run) *watch {
	return r.Common("serial order", func() any {
		w := &watch{order: New(r.Setup().World, r.Start()), witnesses: map[mechanism.NodeID]*witness{}}
		for _, h := range r.Hosts() {
			w.hear(h)
		}
		r.Observe(w)
		return w
	}).(*watch)
}

// watch sees to it that those who come later are heard too, and that those who crash are not blamed for what was lost with them.
type watch struct {
	order     *Order
	whole     *Order // nil where nobody asks
	witnesses map[mechanism.NodeID]*witness
}

func (w *watch) hear(h *sim.Host) {
	if n, ok := h.Node.(mechanism.Ordered); ok {
		x := w.order.newWitness(h.Place.ID)
		if w.whole != nil {
			x.also = w.whole.newWitness(h.Place.ID)
		}
		w.witnesses[h.Place.ID] = x
		n.Testify(x)
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
	if !ok || e.Kind.Keeps() {
		return
	}
	for ; witness != nil; witness = witness.also {
		o := witness.order
		o.Gone(witness)
		o.over = o.over || h.Place.ID == o.placer || h.Place.User == 0
	}
}
