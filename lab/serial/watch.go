package serial

import (
	"throng/lab/sim"
	"throng/mechanism"
)

// watched is the key under which those who watch a run share its order.
type watched struct{}

// Watch has a run's nodes tell an order what they hold, those that can. It is called before the run starts; whoever else
// watches the run gets the same order.
func Watch(r *sim.Run) *Order {
	return r.Common(watched{}, func() any {
		order := New(r.Setup().World, r.Start())
		for _, h := range r.Hosts() {
			if n, ok := h.Node.(mechanism.Ordered); ok {
				n.Testify(order.Witness(h.Place.ID))
			}
		}
		return order
	}).(*Order)
}
