package network

import (
	"encoding/binary"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/world"
)

const allFaults = "loss=0.05 burst=3 duplicate=0.1 reorder=0.1 fifo=true partitions=1s..2s:1|2;3s..4s:3,4|rest"

// configure returns the config of a kind of network with settings such as "delay=50ms loss=0.1" on top of its defaults. A
// matrix is generated into a file of the test's.
func configure(t testing.TB, kind, settings string) Config {
	t.Helper()
	i := slices.IndexFunc(Kinds(), func(k Kind) bool { return k.Name == kind })
	cfg := Kinds()[i].Config()
	if err := param.Defaults(cfg); err != nil {
		t.Fatal(err)
	}
	if kind == "matrix" {
		settings = "file=" + matrixFile(t) + " " + settings
	}
	for setting := range strings.FieldsSeq(settings) {
		key, value, _ := strings.Cut(setting, "=")
		if err := param.Set(cfg, key, value); err != nil {
			t.Fatal(err)
		}
	}
	return cfg
}

func build(t testing.TB, kind string, nodes int, settings string) Model {
	t.Helper()
	m, err := configure(t, kind, settings).New(1, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func matrixFile(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "latencies.txt")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := WriteMatrix(f, Generate(2, 300, 50*world.Millisecond)); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestKindsDescribeThemselves(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range Kinds() {
		if seen[kind.Name] || kind.Help == "" {
			t.Errorf("%s: is there twice or has no help", kind.Name)
		}
		seen[kind.Name] = true
		if err := param.Check(kind.Config()); err != nil {
			t.Errorf("%s: %v", kind.Name, err)
		}
	}
	for _, cfg := range []any{&LinkConfig{}, &ClockConfig{}} {
		if err := param.Check(cfg); err != nil {
			t.Errorf("%T: %v", cfg, err)
		}
	}
}

func TestPerfect(t *testing.T) {
	if got := build(t, "perfect", 2, "").Fate(5, 1, 2, 100); got != (Fate{N: 1}) {
		t.Errorf("Fate = %+v, want one copy without delay", got)
	}
}

func TestToItselfWithoutNetwork(t *testing.T) {
	m := build(t, "constant", 4, "loss=1 partitions=0s..60s:1|rest")
	if got := m.Fate(5, 1, 1, 100); got != (Fate{N: 1}) {
		t.Errorf("Fate = %+v, want one copy without delay", got)
	}
}

// TestFatesArePinned has the same result on every processor. Whoever changes a number here changes the results of every
// experiment.
func TestFatesArePinned(t *testing.T) {
	want := map[string]uint64{
		"constant":    0xf738747ac5000f6a,
		"spike":       0x106e7f715824c38a,
		"exponential": 0x8f13f598c04e1bcd,
		"pareto":      0x3f83900cad7b4ad6,
		"matrix":      0x877e293d8421f7bb,
		"internet":    0xe62fbd1858dbbf24,
	}
	for _, kind := range Kinds() {
		if kind.Name == "perfect" {
			continue
		}
		m := build(t, kind.Name, 5, allFaults)
		hash := fnv.New64a()
		for i := range 20_000 {
			fate := m.Fate(world.Time(i)*world.Millisecond, uint32(1+i%5), uint32(1+i/5%5), 100)
			binary.Write(hash, binary.LittleEndian, []int64{int64(fate.N), int64(fate.Delays[0]), int64(fate.Delays[1]), int64(fate.Cause)})
		}
		if got := hash.Sum64(); got != want[kind.Name] {
			t.Errorf("%s: %#x, want %#x", kind.Name, got, want[kind.Name])
		}
	}
}

func TestFateDoesNotAllocate(t *testing.T) {
	for _, kind := range Kinds() {
		settings := allFaults
		if kind.Name == "perfect" {
			settings = ""
		}
		m := build(t, kind.Name, 6, settings)
		now := world.Time(0)
		mesh := func() {
			for from := range uint32(6) {
				for to := range uint32(6) {
					now += world.Millisecond
					m.Fate(now, from+1, to+1, 100)
				}
			}
		}
		mesh()
		if n := testing.AllocsPerRun(100, mesh); n != 0 {
			t.Errorf("%s: %v allocations, want none", kind.Name, n)
		}
	}
}

func TestErrorsNameKeyValueAndRange(t *testing.T) {
	tests := []struct {
		cfg  Config
		want string
	}{
		{Constant{Delay: 61 * world.Second}, `delay: "61s" is too large; allowed: 0s..60s`},
		{Constant{Faults: Faults{Loss: -1}}, `loss: "-0.00000006" is too small; allowed: 0..1`},
		{Spike{Delay: 100 * world.Microsecond}, `delay: "100µs" is too small; allowed: 200us..60s`},
		{Constant{Faults: Faults{Burst: half}}, `burst: "0.5" is no length of a burst; allowed: 0, or 1..10000`},
		{Constant{Faults: Faults{Loss: 3 * half / 2, Burst: 2 * half}},
			`loss: "0.75" is too large for burst=1; allowed: 0..0.5`},
		{Pareto{Delay: 950 * world.Millisecond, Cutoff: world.Second, Shape: 3 * half},
			`delay: "950ms" is too large for cutoff=1s; allowed: 1us..900ms`},
		{Pareto{Delay: 1, Cutoff: world.Second, Shape: 3 * half}, `delay: "1ns" is too small; allowed: 1us..50s`},
		{Measured{}, `file: "" names no file; allowed: a file of latencies`},
		{Constant{Faults: Faults{Partitions: "1s..2s: 1 | 9"}}, `partitions: "9" is no node of this run; allowed: 1..8`},
	}
	for _, test := range tests {
		_, err := test.cfg.New(1, 8)
		if err == nil || err.Error() != test.want {
			t.Errorf("%+v\n got %v\nwant %s", test.cfg, err, test.want)
		}
	}
}
