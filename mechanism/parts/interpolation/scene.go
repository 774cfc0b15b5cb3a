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
	legacy   int32      // so many come before: what another server told of, until this one does
	fresh    world.Time // until when what was not mentioned is known not to have changed
	work     world.Work
	object   *world.Object // scratch
}

// NewScene returns a scene that shows nothing yet. What is interpolated is shown with a delay behind the last update.
func NewScene(w world.World, view *world.State, how string, delay world.Time) Scene {
	return Scene{world: w, view: view, object: new(world.Object), how: how, playback: NewPlayback(delay)}
}

// Succeed has another server tell of what is shown from now on, which numbers objects in its own way. What is shown goes on as if nothing
// had happened: an object keeps its track when it is heard of again, until Disinherit.
func (x *Scene) Succeed() {
	x.legacy = int32(len(x.tracks))
	x.first, x.fresh = 0, 0
}

// Disinherit forgets what the server has not told of that was told of before. It stays in the view.
func (x *Scene) Disinherit() {
	x.tracks = x.tracks[:copy(x.tracks, x.tracks[x.legacy:])]
	x.legacy = 0
}

// inherit returns the track that an object had under another server, or an empty one.
func (x *Scene) inherit(id world.ID) (t Track) {
	for i := range x.legacy {
		if y := &x.tracks[i]; !y.Empty() && y.samples[0].object.ID == id {
			t = *y
			y.Clear()
			return t
		}
	}
	return t
}

// Fresh is until when what was not mentioned is known not to have changed, or zero while the server has not told everything.
func (x *Scene) Fresh() world.Time { return x.fresh }

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
	place := int(x.legacy + c.Place)
	for len(x.tracks) <= place {
		x.tracks = append(x.tracks, Track{})
	}
	t := &x.tracks[place]
	entered := c.What == update.Entered
	if entered {
		*t = x.inherit(c.Object.ID)
		entered = t.Empty()
	}
	shown := x.Moment(now)
	t.Hear(moment, &c.Object, shown, x.view.Get(c.Object.ID))
	if entered || x.how == Reckon {
		t.Show(x.world, shown, x.fresh, x.object)
		x.view.Put(*x.object)
	}
}

// Leave forgets an object. It stays in the view.
func (x *Scene) Leave(place int32) {
	if place := int(x.legacy + place); place < len(x.tracks) {
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
