package rts

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// Workers bring what they gather to the base that is nearest, wherever it stands in the list.
func TestTheNearestBaseIsFound(t *testing.T) {
	at := func(x int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x)} }
	p := &rival{survey: survey{halls: []world.Object{{ID: 1, Pos: at(10)}, {ID: 2, Pos: at(50)}, {ID: 3, Pos: at(90)}}}}
	for x, want := range map[int64]world.ID{0: 1, 29: 1, 31: 2, 69: 2, 71: 3, 200: 3} {
		if got := p.hallNear(at(x)).ID; got != want {
			t.Errorf("from %d it is base %d, want %d", x, got, want)
		}
	}
}

// A worker whose field is gone goes to the nearest one in sight.
func TestWorkersSeekTheNearestField(t *testing.T) {
	g := newGame[*realm](t, 1, func(c *Config) { c.Game, c.Users = gamePlay, 1 })
	s := world.NewState(g.World.Schema(), 1)
	at := func(x int64) fixed.Vec { return fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(50)} }
	s.Put(world.Object{ID: 1, User: 1, Kind: kindWorker, Pos: at(50)})
	for i, x := range []int64{58, 46, 57, 90} {
		s.Put(world.Object{ID: world.ID(10 + i), Kind: kindField, Pos: at(x)})
	}
	w := world.NewWindow(s)
	g.World.seek(w, s.Get(1))
	o := s.Get(1)
	if o.Attr[attrTarget] != spot(at(46)) || goalOf(o) != at(46) || o.Vel.X >= 0 {
		t.Errorf("it goes for %v with a velocity of %v, and its target is %d", goalOf(o), o.Vel, o.Attr[attrTarget])
	}
}
