package network

import (
	"slices"
	"testing"

	"throng/world"
)

// The King data set has 1,740 hosts, a median round trip of about 160 ms, and a heavy tail.
func TestInternetHasTheStatisticsOfKing(t *testing.T) {
	const hosts, ms = 1740, world.Millisecond
	m := Generate(1, hosts, 80*ms)
	var trips []world.Time
	sum := world.Time(0)
	for i := range hosts {
		for j := range i {
			trip := m.OneWay(i, j) + m.OneWay(j, i)
			trips = append(trips, trip)
			sum += trip
		}
	}
	slices.Sort(trips)
	quantile := func(percent int) world.Time { return trips[len(trips)*percent/100] }
	for _, check := range []struct {
		name        string
		got, lo, hi world.Time
	}{
		{"1%", quantile(1), 10 * ms, 40 * ms},
		{"10%", quantile(10), 50 * ms, 75 * ms},
		{"median", quantile(50), 150 * ms, 170 * ms},
		{"mean", sum / world.Time(len(trips)), 170 * ms, 195 * ms},
		{"90%", quantile(90), 300 * ms, 360 * ms},
		{"99%", quantile(99), 450 * ms, 650 * ms},
		{"longest", trips[len(trips)-1], 800 * ms, 4000 * ms},
	} {
		if check.got < check.lo || check.got > check.hi {
			t.Errorf("%s: round trip of %v, want %v to %v", check.name, check.got, check.lo, check.hi)
		}
	}
}

func TestInternetGrowsAndScales(t *testing.T) {
	few, many := Generate(1, 10, 80*world.Millisecond), Generate(1, 40, 80*world.Millisecond)
	tenfold := Generate(1, 10, 800*world.Millisecond)
	for i := range 10 {
		for j := range 10 {
			if few.OneWay(i, j) != many.OneWay(i, j) {
				t.Errorf("from %d to %d: %v among 10 hosts, %v among 40", i, j, few.OneWay(i, j), many.OneWay(i, j))
			}
			if d := tenfold.OneWay(i, j) - 10*few.OneWay(i, j); d < -10 || d > 10 {
				t.Errorf("from %d to %d: %v, and %v with ten times the median", i, j, few.OneWay(i, j), tenfold.OneWay(i, j))
			}
		}
	}
}

// Some ways are shorter by a third host, as they are on the Internet.
func TestInternetHasDetours(t *testing.T) {
	const hosts = 60
	m := Generate(1, hosts, 80*world.Millisecond)
	triangles, detours := 0, 0
	for a := range hosts {
		for b := range a {
			for c := range b {
				ab, bc, ca := m.OneWay(a, b), m.OneWay(b, c), m.OneWay(c, a)
				triangles++
				if longest := max(ab, bc, ca); 2*longest > ab+bc+ca {
					detours++
				}
			}
		}
	}
	if share := float64(detours) / float64(triangles); share < 0.02 || share > 0.3 {
		t.Errorf("%.3f of the triangles have a detour, want 0.02 to 0.3", share)
	}
}
