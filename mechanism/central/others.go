package central

import (
	"unsafe"

	"throng/mechanism/motion"
	"throng/mechanism/update"
	"throng/world"
)

// others shows what the server moves.
type others struct {
	world    world.World
	view     *world.State
	how      string
	playback motion.Playback
	tracks   []motion.Track // by the places of objects; empty where there is nothing to show
	first    uint32         // the first datagram of the latest update
	fresh    world.Time     // until when what was not mentioned is known not to have changed
	work     world.Work
	object   *world.Object // scratch
}

func newOthers(c *Config, w world.World, view *world.State) others {
	interval := c.interval(w.Schema().Tick)
	return others{
		world:    w,
		view:     view,
		object:   new(world.Object),
		how:      c.Others,
		playback: motion.NewPlayback(world.Time(c.RenderDelay.MulInt(int64(interval)).Round())),
	}
}

// begin takes note of an update that describes a moment, before its objects.
func (x *others) begin(now, moment world.Time, p *preface, from *update.Receiver) {
	if p.first {
		x.first = p.header.Seq
		x.playback.Hear(now, moment)
	}
	// An update that is whole and has arrived as a whole says of what it does not mention that it has not changed.
	if p.whole && x.first != 0 && from.Has(x.first, p.header.Seq) {
		x.fresh = max(x.fresh, moment)
	}
}

// moment is what of the server's time is shown.
func (x *others) moment(now world.Time) world.Time {
	if x.how == Reckon {
		return now
	}
	return x.playback.Moment(now)
}

// hear takes an object in.
func (x *others) hear(now, moment world.Time, c *update.Change) {
	if x.how == Latest {
		x.view.Put(c.Object)
		return
	}
	for len(x.tracks) <= int(c.Place) {
		x.tracks = append(x.tracks, motion.Track{})
	}
	t := &x.tracks[c.Place]
	if c.What == update.Entered {
		t.Clear()
	}
	shown := x.moment(now)
	t.Hear(moment, &c.Object, shown, x.view.Get(c.Object.ID))
	if c.What == update.Entered || x.how == Reckon {
		t.Show(x.world, shown, x.fresh, x.object)
		x.view.Put(*x.object)
	}
}

// leave forgets an object.
func (x *others) leave(place int32) {
	if int(place) < len(x.tracks) {
		x.tracks[place].Clear()
	}
}

// show moves everything to where it is at a time.
func (x *others) show(now world.Time) {
	moment := x.moment(now)
	for i := range x.tracks {
		t := &x.tracks[i]
		if t.Empty() {
			continue
		}
		x.work++
		t.Show(x.world, moment, x.fresh, x.object)
		if was := x.view.Get(x.object.ID); was == nil || *was != *x.object {
			x.view.Put(*x.object)
		}
	}
}

func (x *others) takeWork() world.Work {
	done := x.work
	x.work = 0
	return done
}

func (x *others) bytes() int { return cap(x.tracks) * int(unsafe.Sizeof(motion.Track{})) }
