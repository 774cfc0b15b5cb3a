package interpolation

import (
	"unsafe"

	"throng/mechanism/parts/update"
	"throng/world"
)

// How a scene shows objects of which only samples arrive.
const (
	Interpolate = "interpolate" // moving between what has arrived, some time ago
	Reckon      = "reckon"      // as the rules guess that they are by now
	Latest      = "latest"      // as they were last heard of
)

// Scene shows in a view what a server moves and tells of by updates.
type Scene struct {
	world    world.World
	view     *world.State
	how      string
	playback Playback
	tracks   []Track    // by the places of objects; empty where there is nothing to show
	first    uint32     // the first datagram of the latest update
	fresh    world.Time // until when what was not mentioned is known not to have changed
	work     world.Work
	object   *world.Object // scratch
}

// NewScene returns a scene that shows nothing yet. What is interpolated is shown with a delay behind the last update.
func NewScene(w world.World, view *world.State, how string, delay world.Time) Scene {
	return Scene{world: w, view: view, object: new(world.Object), how: how, playback: NewPlayback(delay)}
}

// Behind changes the delay, bit by bit with every update, so that nothing is seen to stop or to jump.
func (x *Scene) Behind(delay world.Time) { x.playback.delay += (delay - x.playback.delay) / 8 }

// Begin takes note of a datagram that describes a moment, before its objects: it may be the first of an update, and it may be
// the last of one that left out nothing that has changed.
func (x *Scene) Begin(now, moment world.Time, h update.Header, first, whole bool, from *update.Receiver) {
	if first {
		x.first = h.Seq
		x.playback.Hear(now, moment)
	}
	// An update that is whole and has arrived as a whole says of what it does not mention that it has not changed.
	if whole && x.first != 0 && from.Has(x.first, h.Seq) {
		x.fresh = max(x.fresh, moment)
	}
}

// Moment is what of the server's time is shown.
func (x *Scene) Moment(now world.Time) world.Time {
	if x.how == Reckon {
		return now
	}
	return x.playback.Moment(now)
}

// AtOnce reports whether what is heard shows as soon as it is, and not only when its moment has come.
func (x *Scene) AtOnce() bool { return x.how != Interpolate }

// Hear takes an object in.
func (x *Scene) Hear(now, moment world.Time, c *update.Change) {
	if x.how == Latest {
		x.view.Put(c.Object)
		return
	}
	for len(x.tracks) <= int(c.Place) {
		x.tracks = append(x.tracks, Track{})
	}
	t := &x.tracks[c.Place]
	if c.What == update.Entered {
		t.Clear()
	}
	shown := x.Moment(now)
	t.Hear(moment, &c.Object, shown, x.view.Get(c.Object.ID))
	if c.What == update.Entered || x.how == Reckon {
		t.Show(x.world, shown, x.fresh, x.object)
		x.view.Put(*x.object)
	}
}

// Leave forgets an object. It stays in the view.
func (x *Scene) Leave(place int32) {
	if int(place) < len(x.tracks) {
		x.tracks[place].Clear()
	}
}

// Show moves everything to where it is at a time.
func (x *Scene) Show(now world.Time) {
	moment := x.Moment(now)
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

// TakeWork returns the work done since it was last asked: one for each object moved.
func (x *Scene) TakeWork() world.Work {
	done := x.work
	x.work = 0
	return done
}

// Bytes is the memory that the scene holds beside the view.
func (x *Scene) Bytes() int { return cap(x.tracks) * int(unsafe.Sizeof(Track{})) }
