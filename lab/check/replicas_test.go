package check

import (
	"context"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism/lockstep"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// secretive are marbles whose rules remember something outside of the state: how often they were asked for a certain step.
type secretive struct {
	world.World
	at     world.Tick // the step; zero for none
	victim int        // who comes to it in this place has a marble moved
	came   int
}

func (w *secretive) Step(v *world.Window) {
	w.World.Step(v)
	if w.at == 0 || v.Tick() != w.at {
		return
	}
	if w.came++; w.came == w.victim {
		v.Edit(2).Pos.X += fixed.One
	}
}

// TestReplicasThatDifferAreReported runs rules that are not pure: the run goes on, and says where and when they were not.
func TestReplicasThatDifferAreReported(t *testing.T) {
	for _, at := range []world.Tick{0, 40} {
		model, err := network.Perfect{}.New(1, 4)
		if err != nil {
			t.Fatal(err)
		}
		c := param.Default[lockstep.Config]()
		hosts := param.Default[sim.Config]()
		hosts.Share = false // each replica is to take its own steps
		w := &secretive{World: mechanismtest.Marbles(3), at: at, victim: 3}
		run, err := sim.New(sim.Setup{World: w, Mechanism: &c, Network: model, Hosts: hosts, Seed: 1, Duration: 10 * world.Second})
		if err != nil {
			t.Fatal(err)
		}
		checks := Attach(run)
		if err := run.Go(context.Background()); err != nil {
			t.Fatal(err)
		}
		err = checks.Verdict()
		if at == 0 {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		const want = "the replica of node 3 differed at tick 41: the marble 2 had x = "
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v", err)
		}
	}
}
