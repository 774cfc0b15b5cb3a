package lab_test

import (
	"context"
	"strings"
	"testing"

	"throng/catalog"
	"throng/internal/param"
	"throng/lab"
	"throng/lab/check"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/sim"
	"throng/world"
)

// setup chooses from the catalog by name. Settings are pairs of a path and a value.
func setup(t testing.TB, w, mechanism, network string, settings ...string) experiment.Setup {
	t.Helper()
	c := catalog.Default()
	s := experiment.Setup{Host: catalog.Defaults(new(sim.Config)), Duration: 20 * world.Second, Seed: 1}
	var err error
	if s.World, err = c.World(w); err != nil {
		t.Fatal(err)
	}
	if s.Mechanism, err = c.Mechanism(mechanism); err != nil {
		t.Fatal(err)
	}
	if s.Network, err = c.Network(network); err != nil {
		t.Fatal(err)
	}
	parts := map[string]any{"world": s.World.Config, "mechanism": s.Mechanism.Config, "network": s.Network.Config, "host": s.Host}
	for i := 0; i < len(settings); i += 2 {
		part, path, _ := strings.Cut(settings[i], ".")
		if err := param.Set(parts[part], path, settings[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func fingerprint(t *testing.T, s experiment.Setup) string {
	t.Helper()
	print, err := lab.Fingerprint(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return print
}

func TestTheSameSeedGivesTheSameRun(t *testing.T) {
	for _, mechanism := range []string{"ideal", "loose", "optimistic"} {
		first, again := fingerprint(t, setup(t, "swarm", mechanism, "spike")), fingerprint(t, setup(t, "swarm", mechanism, "spike"))
		if first != again {
			t.Errorf("%s: %s, then %s", mechanism, first, again)
		}
		other := setup(t, "swarm", mechanism, "spike")
		other.Seed = 2
		if fingerprint(t, other) == first {
			t.Errorf("%s: another seed gives the same run", mechanism)
		}
	}
}

func TestSharedStepsChangeNothing(t *testing.T) {
	for _, settings := range [][]string{
		{"ideal"},
		{"optimistic", "network.loss", "0.02"},
		{"lockstep"},
		{"aos"},
		{"interest", "mechanism.interest", "single"},
	} {
		alone := append([]string{"host.share", "false", "world.users", "6", "world.avatars", "10", "world.width", "320", "world.height", "128"}, settings[1:]...)
		s := setup(t, "rts", settings[0], "exponential", alone...)
		s.Duration = 8 * world.Second
		shared := setup(t, "rts", settings[0], "exponential", append(alone, "host.share", "true")...)
		shared.Duration = s.Duration
		if one, other := fingerprint(t, s), fingerprint(t, shared); one != other {
			t.Errorf("%s: %s when every replica works for itself, %s when they share", settings[0], one, other)
		}
		one, other := figures(t, s), figures(t, shared)
		for i, f := range one {
			if f != other[i] && (f.Value == f.Value || other[i].Value == other[i].Value) {
				t.Errorf("%s: %s is %v when every replica works for itself, %v when they share", settings[0], f.Name, f.Value, other[i].Value)
			}
		}
	}
}

// figures runs a set-up with all measures.
func figures(t *testing.T, s experiment.Setup) []measure.Figure {
	t.Helper()
	run, err := lab.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	probes := measure.Attach(run, measure.All())
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	return probes.Figures()
}

func TestMeasuringChangesNothing(t *testing.T) {
	s := setup(t, "swarm", "optimistic", "exponential", "network.loss", "0.05")
	plain := finalHashes(t, s, false)
	measured := finalHashes(t, s, true)
	for i := range plain {
		if plain[i] != measured[i] {
			t.Errorf("host %d ends in another state when it is measured", i+1)
		}
	}
}

func finalHashes(t *testing.T, s experiment.Setup, measured bool) (hashes []uint64) {
	run, err := lab.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	if measured {
		measure.Attach(run, measure.All())
		check.Attach(run)
	}
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, h := range run.Hosts() {
		hashes = append(hashes, h.View().Hash())
	}
	return hashes
}

// Random trouble, then rest: every mechanism that promises agreement keeps it, whatever the network did. The settings are
// drawn from the seed that a failure names.
func TestAgreementAfterTrouble(t *testing.T) {
	for seed := range uint64(12) {
		s := troubled(t, seed)
		if _, err := lab.Fingerprint(context.Background(), s); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// troubled draws a network with some faults off and others wild.
func troubled(t *testing.T, seed uint64) experiment.Setup {
	pick := func(n uint64, from ...string) string { return from[(seed/n)%uint64(len(from))] }
	s := setup(t, pick(1, "swarm", "pong"), "optimistic", pick(2, "exponential", "pareto", "spike"),
		"network.delay", pick(3, "20ms", "150ms", "400ms"),
		"network.loss", pick(1, "0", "0.3", "0.02"),
		"network.duplicate", pick(2, "0", "0.3"),
		"network.reorder", pick(3, "0.5", "0"),
		"network.partitions", pick(2, "", "5s..8s: 1 | 2"),
		"mechanism.local-lag", pick(3, "0s", "100ms"),
		"mechanism.link.batching", pick(4, "0s", "80ms"),
		"mechanism.link.reception-delay", pick(5, "0s", "120ms"))
	s.Seed = seed
	return s
}

func TestTrialReportsEveryMeasure(t *testing.T) {
	figures, err := lab.Trial(measure.All())(context.Background(), setup(t, "pong", "loose", "constant"))
	if err != nil {
		t.Fatal(err)
	}
	var want int
	for _, e := range measure.All() {
		want += len(e.Figures)
	}
	if len(figures) != want {
		t.Errorf("%d figures, not %d", len(figures), want)
	}
}

func TestIdealRunsWithoutDelayWhateverTheNetwork(t *testing.T) {
	if a, b := fingerprint(t, setup(t, "swarm", "ideal", "pareto")), fingerprint(t, setup(t, "swarm", "ideal", "constant")); a != b {
		t.Error("the network made a difference")
	}
}
