package world

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
	"throng/world/fixed"
	"throng/world/random"
)

// drawPos draws from a neighbourhood, from the whole range of numbers, and from their ends.
func drawPos(t *rapid.T, label string) fixed.Vec {
	coordinate := rapid.OneOf(
		rapid.Int64Range(-100*int64(fixed.One), 100*int64(fixed.One)),
		rapid.Int64(),
		rapid.SampledFrom([]int64{int64(fixed.Min), -1, 0, 1, int64(fixed.Max)}),
	)
	if rapid.Bool().Draw(t, "near") {
		coordinate = rapid.Int64Range(-100*int64(fixed.One), 100*int64(fixed.One))
	}
	draw := func(axis string) fixed.F { return fixed.F(coordinate.Draw(t, label+axis)) }
	return fixed.Vec{X: draw(".x"), Y: draw(".y"), Z: draw(".z")}
}

func drawRadius(t *rapid.T) fixed.F {
	return fixed.F(rapid.OneOf(
		rapid.Int64Range(0, 200*int64(fixed.One)),
		rapid.SampledFrom([]int64{int64(fixed.Min), -1, 0, 1, int64(fixed.Max)}),
	).Draw(t, "radius"))
}

// An index finds what looking at every object finds, whatever state it is turned to and however that has changed.
func TestIndexFindsWhatIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := NewIndex(drawRadius(t))
		r := newRelated()
		actions := r.actions()
		actions["move"] = func(t *rapid.T) {
			i := r.pick(t, "state")
			for _, id := range r.models[i].ids() {
				if rapid.Bool().Draw(t, "moves") {
					o := r.models[i].objects[id]
					o.Pos = drawPos(t, "pos")
					r.models[i].objects[id] = o
					r.states[i].Edit(id).Pos = o.Pos
				}
			}
		}
		actions[""] = func(t *rapid.T) {
			i := r.pick(t, "state")
			x.Sync(r.states[i])
			for range 3 {
				centre, radius := drawPos(t, "centre"), drawRadius(t)
				box := fixed.Box{Min: drawPos(t, "min"), Max: drawPos(t, "max")}
				var near, in []ID
				for _, id := range r.models[i].ids() {
					pos := r.models[i].objects[id].Pos
					if pos.Within(centre, radius) {
						near = append(near, id)
					}
					if box.Contains(pos) {
						in = append(in, id)
					}
				}
				if got := x.Near(centre, radius); !slices.Equal(got, near) {
					t.Fatalf("within %v of %v: %v, want %v", radius, centre, got, near)
				}
				if got := x.In(box); !slices.Equal(got, in) {
					t.Fatalf("in %v: %v, want %v", box, got, in)
				}
			}
		}
		t.Repeat(actions)
	})
}

// The same among many objects, of which some go to other cubes, some share buckets with others, and whole pages come and go.
func TestIndexFindsWhatIsThereInACrowd(t *testing.T) {
	for name, scale := range map[string]int64{"small cubes": 1, "fitting cubes": 4, "large cubes": 16} {
		t.Run(name, func(t *testing.T) {
			s, radius := flock(2000)
			x := NewIndex(radius.MulInt(scale) / 4)
			r := random.New(1, "crowd")
			for round := range ID(20) {
				gone, come := 1+round*pageObjects, 10_000+round*pageObjects
				for i := range ID(pageObjects) { // a page at one end for a page at the other, so that all others move up
					s.Remove(gone + i)
					s.Put(bird(come+i, &r))
				}
				for range 200 {
					if o := s.Edit(ID(1 + r.Below(2000))); o != nil {
						o.Pos = bird(o.ID, &r).Pos
					}
				}
				x.Sync(s)
				for range 20 {
					centre := bird(1, &r).Pos
					if got, want := x.Near(centre, radius), near(s, centre, radius); !slices.Equal(got, want) {
						t.Fatalf("within %v of %v: %v, want %v", radius, centre, got, want)
					}
				}
			}
		})
	}
}

// A badly chosen side is mended: queries end up looking at little more than what they find.
func TestIndexFitsItsQueries(t *testing.T) {
	for name, side := range map[string]fixed.F{
		"much too small": 1,
		"much too large": fixed.FromInt(10_000),
	} {
		t.Run(name, func(t *testing.T) {
			s, radius := flock(5000)
			x := NewIndex(side)
			x.Sync(s)
			for o := range s.All() {
				x.Near(o.Pos, radius)
			}
			if got := fixed.F(1) << x.shift; got < radius/4 || got > radius*4 {
				t.Errorf("the side is %v after queries of radius %v", got, radius)
			}
			var want []ID
			centre := fixed.Vec{X: fixed.FromInt(500), Y: fixed.FromInt(500)}
			for o := range s.All() {
				if o.Pos.Within(centre, 4*radius) {
					want = append(want, o.ID)
				}
			}
			if got := x.Near(centre, 4*radius); !slices.Equal(got, want) {
				t.Errorf("found %v, want %v", got, want)
			}
		})
	}
}
