package aos_test

import (
	"context"
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/aos"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// quarry is a world of many stones in its right half, some of which wear away, and a walker who goes there.
type quarry struct {
	stones int
	wear   int // stones that change each second
	schema world.Schema
}

func newQuarry(stones, wear int) *quarry {
	bounds := fixed.Box{Max: fixed.Vec{X: 1000 * fixed.One, Y: 1000 * fixed.One}}
	variables := append(world.Moving(bounds, 400*fixed.One, 1, 1), world.Placed(bounds, 1, 1)...)
	for i := range world.MaxAttributes {
		variables = append(variables, world.Variable{Name: fmt.Sprint("grain", i), Slot: world.AttrSlot(i), Max: 1<<62 - 1})
	}
	return &quarry{stones: stones, wear: wear, schema: world.Schema{
		Name: "quarry", Tick: 25 * world.Millisecond, Bounds: bounds,
		Kinds: []world.Kind{{Name: "stone", Variables: variables, Threshold: fixed.One}},
		Verbs: []world.Verb{{Name: "walk"}},
	}}
}

func (w *quarry) Schema() *world.Schema { return &w.schema }
func (w *quarry) Users() world.User     { return 1 }
func (w *quarry) Limits() world.Limits {
	return world.Limits{Sight: 10 * fixed.One, Effect: 10 * fixed.One, Speed: 400 * fixed.One}
}

func (w *quarry) Populate(s *world.State) {
	s.Put(world.Object{ID: 1, User: 1, Pos: fixed.Vec{X: 450 * fixed.One, Y: 500 * fixed.One}})
	r := random.New(s.Seed(), "stones")
	for i := range w.stones {
		o := world.Object{ID: world.ID(i + 2), Pos: fixed.Vec{X: r.Between(600*fixed.One, 1000*fixed.One), Y: r.Between(0, 1000*fixed.One)}}
		for k := range o.Attr {
			o.Attr[k] = int64(r.Uint64() >> 2)
		}
		s.Put(o)
	}
}

func (w *quarry) Act(win *world.Window, a *world.Action) {
	if o := win.Edit(1); o != nil {
		o.Vel.X = 100 * fixed.One
	}
}

func (w *quarry) Step(win *world.Window) {
	if o := win.Edit(1); o != nil && o.Pos.X < 550*fixed.One {
		world.Drift(o, w.schema.Tick)
	}
	perTick := 1000 / int64(w.schema.Tick/world.Millisecond)
	for i := int64(win.Tick()) * int64(w.wear) / perTick; i < int64(win.Tick()+1)*int64(w.wear)/perTick; i++ {
		if o := win.Edit(world.ID(2 + i*7919%int64(w.stones))); o != nil {
			r := win.Random(o.ID, 0)
			for k := range o.Attr {
				o.Attr[k] = int64(r.Uint64() >> 2)
			}
		}
	}
}

func (w *quarry) Extrapolate(o *world.Object, dt world.Time)                { world.Drift(o, dt) }
func (w *quarry) Reach(_ *world.State, _ *world.Action, f *world.Footprint) { f.Write(1) }
func (w *quarry) Player(world.User, random.Stream) world.Player             { return walker{} }

type walker struct{}

func (walker) Play(v world.View, act func(world.Action)) {
	if v.State.Tick() == 1 {
		act(world.Action{Target: 1})
	}
}

// stopwatch notes how long promotions take.
type stopwatch struct{ promoted, paused []world.Time }

func (s *stopwatch) Event(_ *sim.Host, _ world.Time, e mechanism.Event) {
	switch e.Name {
	case mechanism.Promoted:
		s.promoted = append(s.promoted, world.Time(e.Value))
	case mechanism.Paused:
		s.paused = append(s.paused, world.Time(e.Value))
	}
}

// TestTransitionsAreQuick promotes a client to an area of a megabyte that changes by a kilobyte a second, 50 ms away: the source
// has the area stand still for no more than 140 ms and the whole take no more than 2.5 s, over any link (Appendix A).
func TestTransitionsAreQuick(t *testing.T) {
	const stones, wear = 11_500, 12 // of some 88 bytes each
	for _, mbits := range []int64{4, 8, 16, 32} {
		w := newQuarry(stones, wear)
		start := world.NewState(w.Schema(), 1)
		w.Populate(start)
		if size := len(start.Append(nil)); size < 1_000_000 || size > 1_050_000 {
			t.Fatalf("the area takes %d bytes", size)
		}
		config := param.Default[aos.Config]()
		config.Columns, config.Rows, config.Areas, config.Window = 2, 1, 2, 3*world.Second
		config.Turn = 50 * world.Millisecond
		config.Delay = aos.Dynamic
		net := network.Constant{Delay: 50 * world.Millisecond}
		model, err := net.New(1, len(config.Places(w)))
		if err != nil {
			t.Fatal(err)
		}
		hosts := param.Default[sim.Config]()
		hosts.LinkConfig = network.LinkConfig{Down: mbits * 1_000_000, Queue: 64 << 10}
		run, err := sim.New(sim.Setup{World: w, Mechanism: &config, Network: model, Hosts: hosts, Seed: 1, Duration: 6 * world.Second})
		if err != nil {
			t.Fatal(err)
		}
		var clock stopwatch
		run.Observe(&clock)
		if err := run.Go(context.Background()); err != nil {
			t.Fatal(err)
		}
		if len(clock.promoted) != 1 || len(clock.paused) != 1 {
			t.Fatalf("%d Mbit/s: promotions took %v, pauses %v", mbits, clock.promoted, clock.paused)
		}
		t.Logf("%d Mbit/s: %v, of which the area stood still for %v", mbits, clock.promoted[0], clock.paused[0])
		if clock.promoted[0] > 2500*world.Millisecond || clock.paused[0] > 140*world.Millisecond {
			t.Errorf("%d Mbit/s: the promotion took %v, the area stood still for %v", mbits, clock.promoted[0], clock.paused[0])
		}
	}
}
