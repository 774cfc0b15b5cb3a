package lab_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"throng/lab"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/sim"
	"throng/lab/trace"
	"throng/world"
)

// saved runs a set-up and returns the file with its commands.
func saved(t *testing.T, ctx context.Context, s experiment.Setup, also ...measure.Entry) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "commands.throng")
	_, err := lab.Trial(also, lab.KeepCommands(func(experiment.Setup) string { return file }))(ctx, s)
	return file, err
}

func load(t *testing.T, file string) *trace.Trace {
	t.Helper()
	commands, err := trace.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(commands.Actions) == 0 || commands.Damage != nil {
		t.Fatalf("%d commands, damage: %v", len(commands.Actions), commands.Damage)
	}
	return commands
}

// Given again under the same mechanism and network, the commands lead to the same run, to the last datagram.
func TestTheSameCommandsGiveTheSameRun(t *testing.T) {
	s := setup(t, "swarm", "loose", "exponential", "network.loss", "0.05")
	file, err := saved(t, t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	again := setup(t, "swarm", "loose", "exponential", "network.loss", "0.05")
	again.Commands = file
	if fingerprint(t, again) != fingerprint(t, s) {
		t.Error("the commands led elsewhere")
	}
}

// Under another mechanism, and with another seed, the same users do the same things at the same times in the same world.
func TestTheSameCommandsUnderAnotherMechanism(t *testing.T) {
	file, err := saved(t, t.Context(), setup(t, "swarm", "loose", "spike"))
	if err != nil {
		t.Fatal(err)
	}
	other := setup(t, "swarm", "optimistic", "constant")
	other.Commands, other.Seed = file, 7
	replayed, err := saved(t, t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	first, second := load(t, file), load(t, replayed)
	if !slices.Equal(first.Actions, second.Actions) {
		t.Errorf("%d commands became %d others", len(first.Actions), len(second.Actions))
	}
	if first.Header.Seed != second.Header.Seed {
		t.Error("the world began otherwise")
	}
}

// stopper ends a run after ten seconds.
type stopper struct{ stop func() }

func (s stopper) Report(world.Time, measure.Emit) {}
func (s stopper) Tick(now world.Time) {
	if now == 10*world.Second {
		s.stop()
	}
}

func TestAnInterruptedRunKeepsItsCommands(t *testing.T) {
	s := setup(t, "swarm", "loose", "spike")
	s.Duration = 1000 * world.Second
	ctx, cancel := context.WithCancel(t.Context())
	stop := measure.Entry{Name: "stop", New: func(*sim.Run, func() *measure.Truth) measure.Probe { return stopper{cancel} }}
	file, err := saved(t, ctx, s, stop)
	if !errors.Is(err, sim.ErrStopped) {
		t.Fatalf("the run ended with %v", err)
	}
	if c := load(t, file); c.Span < 10*world.Second || c.Span > 900*world.Second {
		t.Errorf("there are %v of the commands", c.Span)
	}
}

func TestCommandsOfAnotherWorldAreRefused(t *testing.T) {
	file, err := saved(t, t.Context(), setup(t, "swarm", "loose", "spike", "world.bees", "4"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		setup experiment.Setup
		want  string
	}{
		{setup(t, "pong", "loose", "spike"), "for the world swarm"},
		{setup(t, "swarm", "loose", "spike", "world.bees", "2"), "only 2 users"},
		{setup(t, "swarm", "loose", "spike", "world.bees", "5"), "world.bees=4"},
		{setup(t, "swarm", "loose", "spike", "world.bees", "4"), ""},
	} {
		c.setup.Commands = file
		err := lab.CheckCommands([]experiment.Point{{Setup: c.setup}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("refused with %v, want something about %q", err, c.want)
		}
		if _, again := lab.Build(c.setup); (again == nil) != (err == nil) {
			t.Errorf("building gives %v, checking %v", again, err)
		}
	}
}
