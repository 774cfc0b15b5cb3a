package action

import (
	"throng/world/fixed"
)

// informationBound is the fourth protocol: an entry that depends, through however many others, on one that is farther away
// than a threshold has no place in the order. So no chain of entries carries anything farther than that before it is
// installed, and what a client has to be told is bounded by distance alone.
type informationBound struct {
	*firstBound
	threshold fixed.F
}

func newInformationBound(f *firstBound) informationBound {
	i := informationBound{f, f.config.Threshold}
	if i.threshold == 0 {
		i.threshold = f.geometry.sight.MulInt(3).DivInt(2)
	}
	return i
}

// admits walks through all that an entry depends on and that is not installed yet.
func (i informationBound) admits(e *entry) bool {
	if !e.place.known {
		return true
	}
	o := &i.order
	o.walk++
	o.stack = o.stack[:0]
	for e, from := e, &e.place.centre; ; {
		for k, id := range e.Footprint.Reads {
			w := o.writer(id, e.depends[k])
			if w == 0 || o.at(w).seen == o.walk {
				continue
			}
			other := o.at(w)
			other.seen = o.walk
			i.work++
			if other.place.known && !from.Within(other.place.centre, i.threshold) {
				return false
			}
			o.stack = append(o.stack, w)
		}
		if len(o.stack) == 0 {
			return true
		}
		e = o.at(o.stack[len(o.stack)-1])
		o.stack = o.stack[:len(o.stack)-1]
	}
}
