package interpolation

import (
	"throng/world"
	"throng/world/fixed"
)

const (
	depth = 4            // samples that a track holds
	guess = world.Second // how far beyond the last sample an object is guessed
)

// Track is what has been heard of one object. The zero Track is empty.
type Track struct {
	samples [depth]sample
	n       int
}

type sample struct {
	moment world.Time
	object world.Object
}

// Empty reports whether nothing has been heard.
func (t *Track) Empty() bool { return t.n == 0 }

// Clear forgets what was heard.
func (t *Track) Clear() { t.n = 0 }

// Hear adds what an object was like at a moment. So that it does not jump, it moves there from how it is shown now, where
// that is beyond what was known. What is older than the last sample is not used.
func (t *Track) Hear(moment world.Time, o *world.Object, now world.Time, shown *world.Object) {
	switch {
	case t.n == 0:
	case moment < t.samples[t.n-1].moment:
		return
	case moment == t.samples[t.n-1].moment:
		t.n--
	case t.samples[t.n-1].moment < now:
		t.n = 0
		if moment > now && shown != nil {
			t.push(now, shown)
		}
	}
	t.push(moment, o)
}

func (t *Track) push(moment world.Time, o *world.Object) {
	if t.n == depth {
		t.n = copy(t.samples[:], t.samples[1:])
	}
	t.samples[t.n] = sample{moment, *o}
	t.n++
}

// Show sets o to how the object is at a moment. It is known not to have changed from its last sample until fresh, if that is
// later. The track must not be empty, and is not asked for earlier moments again.
func (t *Track) Show(w world.World, moment, fresh world.Time, o *world.Object) {
	for t.n > 1 && t.samples[1].moment <= moment {
		t.n = copy(t.samples[:], t.samples[1:t.n])
	}
	from := &t.samples[0]
	*o = from.object
	switch {
	case t.n > 1 && moment > from.moment:
		to := &t.samples[1]
		approach(w.Schema(), o, &to.object, fixed.Ratio(int64(moment-from.moment), int64(to.moment-from.moment)))
	case t.n == 1:
		if beyond := moment - max(from.moment, fresh); beyond > 0 {
			w.Extrapolate(o, min(beyond, guess))
		}
	}
}

// approach moves an object part of the way to another sample. What cannot be halved stays as it was until it changes.
func approach(s *world.Schema, o, to *world.Object, part fixed.F) {
	if o.Kind != to.Kind {
		return
	}
	vars := s.Kinds[o.Kind].Variables
	for i := range vars {
		slot := vars[i].Slot
		a, b := o.Get(slot), to.Get(slot)
		if a == b {
			continue
		}
		switch vars[i].Type {
		case world.Fixed:
			o.Set(slot, a+int64(fixed.F(b-a).Mul(part)))
		case world.Angle:
			turn := int64(int32(b - a)) // the short way round
			o.Set(slot, int64(fixed.Angle(a+int64(fixed.F(turn).Mul(part)))))
		}
	}
}
