package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"testing"

	"throng/catalog"
	"throng/internal/param"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/record"
	"throng/lab/sim"
	"throng/mechanism/loose"
	"throng/world"
	"throng/world/worldtest"
	"throng/worlds/swarm"
)

// recording is two bees for five seconds, with the truth and one curve.
func recording(t *testing.T) []byte {
	t.Helper()
	config, sharing := param.Default[swarm.Config](), param.Default[loose.Config]()
	config.Bees = 2
	w := worldtest.Make[world.World](t, &config)
	net, err := network.Constant{Delay: 100 * world.Millisecond}.New(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.New(sim.Setup{World: w, Mechanism: &sharing, Network: net, Hosts: param.Default[sim.Config](), Seed: 1, Duration: 5 * world.Second})
	if err != nil {
		t.Fatal(err)
	}
	truth, divergence := measure.NewTruth(run), measure.NewDivergence(run)
	run.Observe(truth)
	var out bytes.Buffer
	writer, err := record.Attach(run, &out, record.Options{
		Truth: truth, Curves: []record.Curve{{Name: "divergence", Value: divergence.Now}},
		Mechanism: "loose", Network: "constant", Params: []string{"world.bees=2"}, Notes: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func open(t *testing.T) *Player {
	t.Helper()
	p, err := Open(recording(t), catalog.Default())
	if err != nil {
		t.Fatal(err)
	}
	p.Choose(0, 2)
	return p
}

func show(t *testing.T, p *Player, at world.Time) {
	t.Helper()
	if err := p.Show(at); err != nil {
		t.Fatal(err)
	}
}

func TestDescribe(t *testing.T) {
	var d struct {
		Mechanism, Network, Seed string
		Frames                   int
		Span                     float64
		Tracks                   []struct{ Role string }
		Curves                   []struct{ Name string }
		World                    struct{ Name string }
	}
	if err := json.Unmarshal(open(t).Describe(), &d); err != nil {
		t.Fatal(err)
	}
	if d.Mechanism != "loose" || d.Frames != 101 || d.Span != 50 || len(d.Tracks) != 3 || d.Tracks[2].Role != "truth" ||
		len(d.Curves) != 1 || d.World.Name != "swarm" {
		t.Errorf("described as %+v", d)
	}
}

// Going on frame by frame, jumping, and going back all show the same.
func TestAnyOrder(t *testing.T) {
	p, q := open(t), open(t)
	for at := world.Time(0); at <= 5*world.Second; at += 25 * world.Millisecond {
		show(t, p, at)
		want := append(p.List(0)[:0:0], p.List(0)...)
		show(t, q, 5*world.Second-at)
		show(t, q, at)
		got := q.List(0)
		if len(got) != len(want) || len(got) == 0 {
			t.Fatalf("at %v: %d objects, %d when jumped to", at, len(want), len(got))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("at %v: %+v, %+v when jumped to", at, want[i], got[i])
			}
		}
	}
}

func TestInterpolates(t *testing.T) {
	p := open(t)
	x := func(at world.Time) float32 {
		show(t, p, at)
		return p.List(2)[1].X
	}
	a, middle, b := x(2*world.Second), x(2025*world.Millisecond), x(2050*world.Millisecond)
	if want := (a + b) / 2; math.Abs(float64(middle-want)) > 0.01 {
		t.Errorf("half way from %v to %v is %v", a, b, middle)
	}
}

func TestChoice(t *testing.T) {
	p := open(t)
	show(t, p, world.Second)
	if len(p.List(0)) == 0 || len(p.List(2)) == 0 || p.List(1) != nil || p.List(9) != nil {
		t.Error("other tracks than the chosen ones are shown")
	}
	p.Choose(1)
	show(t, p, world.Second)
	if len(p.List(1)) == 0 {
		t.Error("the track chosen later is not shown")
	}
}

func TestCurves(t *testing.T) {
	p := open(t)
	values := p.Curves()
	if len(values) != 101 {
		t.Fatalf("%d values in 101 frames", len(values))
	}
	some := false
	for _, v := range values {
		some = some || v > 0
	}
	if !some {
		t.Error("views never differ on a slow network")
	}
	show(t, p, world.Second)
	if len(p.List(0)) == 0 {
		t.Error("reading curves disturbed the tracks")
	}
}

func TestBeyondTheEnds(t *testing.T) {
	p := open(t)
	for _, at := range []world.Time{-world.Second, world.Minute} {
		show(t, p, at)
		if len(p.List(0)) == 0 {
			t.Errorf("nothing is shown at %v", at)
		}
	}
}

func TestNoRecording(t *testing.T) {
	if _, err := Open([]byte("not a recording"), catalog.Default()); err == nil {
		t.Error("opened what is no recording")
	}
}

// What the recording does not say of its world is asked of the world itself, if that is still the same.
func TestWorldIsFound(t *testing.T) {
	if p := open(t); p.world == nil || p.world.Schema().Name != "swarm" {
		t.Error("the catalog's world was not found")
	}
	p, err := Open(recording(t), catalog.Catalog{})
	if err != nil || p.world != nil || p.Said(0, 1) != "" {
		t.Errorf("a world out of nowhere, or %v", err)
	}
	other := *open(t).world.Schema()
	other.Kinds = other.Kinds[1:]
	if sameKinds(open(t).world.Schema(), &other) {
		t.Error("a world with other kinds is taken for the same")
	}
}
