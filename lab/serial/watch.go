package serial

import (
	"throng/lab/sim"
	"throng/mechanism"
)

// Watch has a run's nodes tell an order what they hold, those that can. It is called before the run starts.
func Watch(r *sim.Run) *Order {
	order := New(r.Setup().World, r.Start())
	for _, h := range r.Hosts() {
		if n, ok := h.Node.(mechanism.Ordered); ok {
			n.Testify(order.Witness(h.Place.ID))
		}
	}
	return order
}
