package aos_test

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/aos"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/worlds/rts"
)

// frontier is the strategy game with a base of the second user beside the border of two areas, and a worker of the first user's, with a
// load, beside the base but across the border.
type frontier struct {
	realm
	worker, base world.ID
	across       fixed.F // how far from the border the worker stands: less than nothing for on the base's side
}

// realm is what the strategy game is beyond a world.
type realm interface {
	world.World
	world.Inhabited
	world.Limited
	world.Valued
	world.Veiled
}

func (f *frontier) Populate(s *world.State) {
	f.realm.Populate(s)
	border := f.Schema().Bounds.Max.X / 2
	for o := range s.All() {
		switch name := f.Schema().Kinds[o.Kind].Name; {
		case name == "base" && o.User == 2:
			f.base = o.ID
		case name == "worker" && o.User == 1:
			f.worker = o.ID
		}
	}
	base, worker := s.Edit(f.base), s.Edit(f.worker)
	base.Pos = fixed.Vec{X: border - fixed.One, Y: 20 * fixed.One}
	*f.value(base, "gives"), *f.value(base, "price") = 5, 8 // ore for wood
	*f.value(base, "ore"), *f.value(base, "wood") = 50, 50
	worker.Pos = fixed.Vec{X: border + f.across, Y: 20 * fixed.One}
	*f.value(worker, "load") = -10
	*f.value(worker, "order") = 0
}

// value is an attribute of an object by its name.
func (f *frontier) value(o *world.Object, name string) *int64 {
	for _, v := range f.Schema().Kinds[o.Kind].Variables {
		if v.Name == name {
			return &o.Attr[v.Slot-world.AttrSlot(0)]
		}
	}
	panic("no attribute " + name)
}

// A worker trades with a base that another server answers for: once, and both have what they traded for.
func TestWorkersTradeAcrossBorders(t *testing.T) {
	for _, across := range []fixed.F{-2 * fixed.One, fixed.One} {
		c := param.Default[rts.Config]()
		c.Users = 2
		c.Play()
		w, err := c.World()
		if err != nil {
			t.Fatal(err)
		}
		f := &frontier{realm: w.(realm), across: across}
		config := param.Default[aos.Config]()
		config.Columns, config.Rows = 2, 1
		rig, err := mechanismtest.NewRig(&config, f, 1)
		if err != nil {
			t.Fatal(err)
		}
		rig.Network = mechanismtest.Constant(20 * world.Millisecond)
		rig.Start()
		rig.Advance(world.Second)
		for range 2 { // the second time it has nothing that the base would want
			rig.Act(1, world.Action{User: 1, Verb: rts.Trade, Target: f.worker, Args: [world.MaxArgs]int64{int64(f.base)}})
			rig.Advance(2 * world.Second)
		}
		held := map[world.ID]int{}
		for _, p := range config.Places(f) {
			server, ok := rig.Node(p.ID).(mechanism.Authority)
			if !ok {
				continue
			}
			for _, id := range []world.ID{f.base, f.worker} {
				if !server.Owns(id) {
					continue
				}
				held[id]++
				o := server.Held().Get(id)
				if id == f.worker && *f.value(o, "load") != 5 {
					t.Errorf("across %v: the worker carries %d, not five of ore", across, *f.value(o, "load"))
				}
				if id == f.base && (*f.value(o, "ore") != 45 || *f.value(o, "wood") != 60) {
					t.Errorf("across %v: the base has %d ore and %d wood, not 45 and 60", across, *f.value(o, "ore"), *f.value(o, "wood"))
				}
			}
		}
		if held[f.base] != 1 || held[f.worker] != 1 {
			t.Errorf("across %v: %v are held by so many servers", across, held)
		}
	}
}
