package crowd

import (
	"throng/world"
	"throng/world/random"
)

// change begins or ends what goes on at a square.
func (t *town) change(w *world.Window, id world.ID, now world.Tick) {
	o := w.Edit(id)
	if o == nil {
		return
	}
	r := w.Random(id, purposeEvent)
	if o.Attr[attrEvent] == nothing {
		t.begin(o, now, &r)
	} else {
		t.end(o, now, &r)
	}
}

// begin lets a fountain spring, a market open or a concert start.
func (t *town) begin(o *world.Object, now world.Tick, r *random.Stream) {
	o.Attr[attrEvent] = fountain + int64(r.Below(events-fountain))
	o.Attr[attrChanges] = int64(now + t.about(t.EventLasts, r))
}

// end leaves the square to those who like it quiet.
func (t *town) end(o *world.Object, now world.Tick, r *random.Stream) {
	o.Attr[attrEvent] = nothing
	o.Attr[attrChanges] = int64(now + t.about(t.EventPause, r))
}

// about draws a number of ticks: half to one and a half times a span.
func (t *town) about(span world.Time, r *random.Stream) world.Tick {
	return world.TicksIn(span/2+world.Time(r.Below(uint64(span)+1)), t.Tick)
}
