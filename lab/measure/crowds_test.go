package measure

import (
	"math"
	"testing"

	"throng/internal/param"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/ideal"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// hazy is a client that sees its own object, and the others as one cloud.
type hazy struct {
	mechanism.Client
	view   *world.State
	clouds []mechanism.Cloud
}

func (h *hazy) View() *world.State        { return h.view }
func (h *hazy) Clouds() []mechanism.Cloud { return h.clouds }

// What is shown in clouds counts as there, not as shown one by one; a cloud of too many is wrong by as many.
func TestCrowdsCountsClouds(t *testing.T) {
	net, err := network.Perfect{}.New(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.New(sim.Setup{World: mechanismtest.Marbles(2), Mechanism: new(ideal.Config), Network: net, Hosts: param.Default[sim.Config](), Duration: world.Second})
	if err != nil {
		t.Fatal(err)
	}
	c := NewCrowds(run)
	at := func(id world.ID, x int64) world.Object {
		return world.Object{ID: id, User: world.User(id), Pos: fixed.Vec{X: fixed.FromInt(x)}}
	}
	c.sight = 160 * fixed.One
	view := world.NewState(run.Setup().World.Schema(), 1)
	view.Put(at(1, 0))
	view.Put(at(2, 8)) // it is at 5
	for _, o := range []world.Object{at(1, 0), at(2, 5), at(3, 100), at(4, 101), at(5, 500)} {
		c.actual.Put(o)
	}
	h := *clients(run)[0]
	h.Place.User = 1
	h.Node = &hazy{view: view, clouds: []mechanism.Cloud{{Box: fixed.Box{Min: fixed.Vec{X: 96 * fixed.One}, Max: fixed.Vec{X: 128 * fixed.One}}, Count: 5}}}
	c.compare(&h, view)
	got := map[string]float64{}
	c.Report(world.Second, func(name, _ string, v float64) { got[name] = v })
	for name, want := range map[string]float64{
		"crowd.singly.near": 1, "crowd.count.near": 0, "crowd.place.near": 3, "crowd.singly.far": 0, "crowd.count.far": 1.5,
	} {
		if math.Abs(got[name]-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if !math.IsNaN(got["crowd.count.middle"]) {
		t.Error("where nobody is there is nothing to be wrong about")
	}
}
