// Package e2e tests the page in a real browser, against a real server. The tests themselves are in tests.mjs.
//
// They need Node.js, Chromium and the packages that web/package-lock.json names (see package needs). Pictures of what was seen
// are left in out/e2e.
package e2e

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"throng/internal/needs"
	"throng/internal/param"
	"throng/lab/churn"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/record"
	"throng/lab/sim"
	"throng/mechanism/loose"
	"throng/world"
	"throng/worlds/swarm"
)

func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium := needs.Program(t, "chromium")
	node := needs.Program(t, "node")
	needs.File(t, "../node_modules/playwright-core", "run npm ci in web")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	throng := filepath.Join(dir, "throng")
	if out, err := exec.Command("go", "build", "-o", throng, "throng/cmd/throng").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	recording, recordings := filepath.Join(dir, "recording"), filepath.Join(dir, "recordings")
	if err := errors.Join(write(recording), os.Mkdir(recordings, 0o755), os.Link(recording, filepath.Join(recordings, "one.throng")), os.Link(recording, filepath.Join(recordings, "two.throng"))); err != nil {
		t.Fatal(err)
	}
	own := ownProgram(t, root, throng)
	report := filepath.Join(filepath.Dir(own), "out", "report.html")
	environment := append(os.Environ(), "THRONG="+throng, "CHROMIUM="+chromium, "OWN="+own, "REPORT="+report, "RECORDING="+recording, "RECORDINGS="+recordings, "PICTURES="+filepath.Join(root, "out", "e2e"))
	list, err := exec.Command(node, "run.mjs", "--list").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(list)) {
		t.Run(name, func(t *testing.T) {
			command := exec.Command(node, "run.mjs", name)
			command.Env = environment
			out, err := command.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			} else if len(out) > 0 {
				t.Logf("%s", out)
			}
		})
	}
}

// write records ten seconds of three bees, one of which is cut off for a second, the truth and a curve.
func write(file string) error {
	config, sharing := param.Default[swarm.Config](), param.Default[loose.Config]()
	config.Bees = 3
	bees, err := config.World()
	if err != nil {
		return err
	}
	net, err := network.Constant{Delay: 200 * world.Millisecond}.New(1, config.Bees)
	if err != nil {
		return err
	}
	setup := sim.Setup{World: bees, Mechanism: &sharing, Hosts: param.Default[sim.Config](), Seed: 1, Duration: 10 * world.Second}
	plan, err := churn.Parse("from 2s to 3s: partition 1 | rest")
	if err != nil {
		return err
	}
	setup.Timeline, err = plan.Expand(churn.Stage{Seed: setup.Seed, Duration: setup.Duration, Places: sharing.Places(bees)})
	if err != nil {
		return err
	}
	setup.Network = network.Disturb(net, setup.Timeline.Changes, setup.Seed, config.Bees)
	run, err := sim.New(setup)
	if err != nil {
		return err
	}
	truth, divergence := measure.NewTruth(run), measure.NewDivergence(run)
	run.Observe(truth)
	recording, err := record.Create(run, file, record.Options{
		Truth: truth, Curves: []record.Curve{{Name: "divergence", Value: divergence.Now}, {Name: "twice", Unit: "s", Value: func() float64 { return 2 * divergence.Now() }}}, Notes: true, Mechanism: "loose", Network: "constant",
	})
	if err != nil {
		return err
	}
	return errors.Join(run.Go(context.Background()), recording.Close())
}
