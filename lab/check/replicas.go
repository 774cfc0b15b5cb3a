package check

import (
	"fmt"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// replicas: what has to be equal everywhere is, since rules depend on nothing but the state and the laboratory's hosts make no
// mistakes. Where it is not, the mechanism may well repair it and the run go on; but its rules are not what they should be.
type replicas struct {
	host *sim.Host // the first whose replica differed
	tick int64     // the first tick at which it did
	what string    // in what; known once it is repaired
}

func (r *replicas) Event(h *sim.Host, _ world.Time, e mechanism.Event) {
	n, ok := h.Node.(mechanism.Differing)
	switch {
	case !ok:
	case e.Name == mechanism.Differed && r.host == nil:
		r.host, r.tick = h, e.Value
	case e.Name == mechanism.Repaired && r.host == h && r.what == "":
		r.what = difference(h, n)
	}
}

// difference is the first number in which a host's replica differed, if it has found one.
func difference(h *sim.Host, n mechanism.Differing) string {
	if len(n.Differences()) == 0 {
		return ""
	}
	d := n.Differences()[0]
	kind := "object"
	if o := h.View().Get(d.Object); o != nil {
		kind = h.View().Schema().Kinds[o.Kind].Name
	}
	return fmt.Sprintf(": the %s %d had %s = %d instead of %d", kind, d.Object, d.Attribute, d.Got, d.Want)
}

func (r *replicas) Verdict() error {
	if r.host == nil {
		return nil
	}
	return fmt.Errorf("the replica of node %d differed at tick %d%s; rules must depend on nothing but the state", r.host.Place.ID, r.tick, r.what)
}
