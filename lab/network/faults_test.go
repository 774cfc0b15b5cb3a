package network

import (
	"math"
	"testing"

	"throng/world"
)

// journey is the fates of some packets between two nodes, one every 10 ms.
func journey(t *testing.T, settings string, packets int) []Fate {
	t.Helper()
	m := build(t, "exponential", 4, settings)
	fates := make([]Fate, packets)
	for i := range fates {
		fates[i] = m.Fate(world.Time(i)*10*world.Millisecond, 1, 2, 100)
	}
	return fates
}

func TestLossIsIndependent(t *testing.T) {
	fates := journey(t, "loss=0.1", samples)
	lost, inRow := 0, 0
	for i, f := range fates {
		if f.Cause == Lost {
			lost++
			if i > 0 && fates[i-1].Cause == Lost {
				inRow++
			}
		}
	}
	checkShare(t, "lost", lost, samples, 0.1)
	checkShare(t, "lost twice in a row", inRow, samples, 0.01)
}

func TestExtremeLosses(t *testing.T) {
	for settings, want := range map[string]Cause{"loss=0": None, "loss=1": Lost, "loss=0 burst=5": None} {
		for _, f := range journey(t, settings, 1000) {
			if f.Cause != want || f.N != map[Cause]int{None: 1, Lost: 0}[want] {
				t.Fatalf("%s: %+v", settings, f)
			}
		}
	}
}

func TestBurstLoss(t *testing.T) {
	const loss, burst = 0.05, 8.0
	lost, bursts := 0, 0
	before := false
	for _, f := range journey(t, "loss=0.05 burst=8", samples) {
		now := f.Cause == Lost
		if now {
			lost++
			if !before {
				bursts++
			}
		}
		before = now
	}
	// The lengths are geometric; the state of one packet is correlated with that of the next by stay-enter.
	checkMean(t, "burst length", float64(lost)/float64(bursts), burst, math.Sqrt(burst*(burst-1)), bursts)
	correlation := (1 - 1/burst) - loss/burst/(1-loss)
	deviation := math.Sqrt(loss * (1 - loss) * (1 + correlation) / (1 - correlation))
	checkMean(t, "lost", float64(lost)/samples, loss, deviation, samples)
}

func TestRareBurstsKeepTheirRate(t *testing.T) {
	// In fixed point, a burst would begin with less than half a unit of the last place.
	l := newLosses(1, 1000*2*half)
	want := math.Exp2(64) / math.Exp2(24) / 1000
	if got := float64(l.enter); math.Abs(got/want-1) > 1e-6 {
		t.Errorf("a burst begins with chance %v, want %v", got, want)
	}
}

func TestDuplicatesAndHeldBack(t *testing.T) {
	twice := 0
	for _, f := range journey(t, "loss=0 duplicate=0.2", samples) {
		if f.N == 2 {
			twice++
		}
	}
	checkShare(t, "duplicates", twice, samples, 0.2)

	heldBack := 0
	plain := journey(t, "loss=0", samples)
	for i, f := range journey(t, "loss=0 reorder=0.3 reorder-delay=35ms", samples) {
		switch f.Delays[0] - plain[i].Delays[0] {
		case 0:
		case 35 * world.Millisecond:
			heldBack++
		default:
			t.Fatalf("packet %d takes %v instead of %v", i, f.Delays[0], plain[i].Delays[0])
		}
	}
	checkShare(t, "held back", heldBack, samples, 0.3)
}

// Whatever is switched on, each packet meets the same delay and the same loss.
func TestFaultsDoNotShiftEachOther(t *testing.T) {
	plain := journey(t, "loss=0.1 burst=2", 20_000)
	for _, settings := range []string{
		"duplicate=0.5", "reorder=0.5 reorder-delay=0s", "partitions=20s..100s:1|2", "duplicate=0.3 partitions=7s..9s:1|rest",
	} {
		for i, f := range journey(t, "loss=0.1 burst=2 "+settings, 20_000) {
			switch {
			case f.Cause == Partitioned && plain[i].Cause == None:
			case f.Cause != plain[i].Cause || f.Delays[0] != plain[i].Delays[0]:
				t.Fatalf("%s: packet %d fares %+v instead of %+v", settings, i, f, plain[i])
			}
		}
	}
}

// Whatever others send, a pair's packets fare the same, and the two directions of a pair fare differently.
func TestPairsDoNotShiftEachOther(t *testing.T) {
	alone, crowded := build(t, "exponential", 4, allFaults), build(t, "exponential", 4, allFaults)
	equal := 0
	for i := range 5000 {
		now := world.Time(i) * world.Millisecond
		crowded.Fate(now, 3, 2, 100)
		back := crowded.Fate(now, 2, 1, 100)
		got, want := crowded.Fate(now, 1, 2, 100), alone.Fate(now, 1, 2, 100)
		if got != want {
			t.Fatalf("packet %d fares %+v instead of %+v", i, got, want)
		}
		if got.N > 0 && got == back {
			equal++
		}
	}
	if equal > 0 {
		t.Errorf("%d packets fare like those of the other direction", equal)
	}
}

func TestFIFO(t *testing.T) {
	overtaken := func(settings string) int {
		count, latest := 0, world.Time(0)
		for i, f := range journey(t, settings, 10_000) {
			for _, delay := range f.Delays[:f.N] {
				arrival := world.Time(i)*10*world.Millisecond + delay
				if arrival < latest {
					count++
				}
				latest = max(latest, arrival)
			}
		}
		return count
	}
	if overtaken("duplicate=0.1 reorder=0.1") == 0 {
		t.Error("no packet overtakes another without fifo: this tests nothing")
	}
	if n := overtaken("duplicate=0.1 reorder=0.1 fifo=true"); n > 0 {
		t.Errorf("%d packets overtake others in spite of fifo", n)
	}
}

func TestMeshKeepsOneStatePerPair(t *testing.T) {
	var table pairs
	for range 2 {
		for from := range uint32(256) {
			for to := range uint32(256) {
				if p, _ := table.find(from, to); p.from != from || p.to != to {
					t.Fatalf("find(%d, %d) = state of %d, %d", from, to, p.from, p.to)
				}
			}
		}
	}
	if len(table.list) != 256*256 {
		t.Errorf("%d states for %d pairs", len(table.list), 256*256)
	}
}
