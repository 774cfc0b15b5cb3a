package hexagon

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/world/fixed"
	"throng/world/random"
)

const side = 1200 * fixed.One

var square = fixed.Box{Max: fixed.Vec{X: side, Y: side}}

// maps draws any map and any number of zones on it.
func maps(t *rapid.T) *Map {
	corner := func(name string) fixed.F { return fixed.FromInt(rapid.Int64Range(-5000, 5000).Draw(t, name)) }
	length := func(name string) fixed.F { return fixed.FromInt(rapid.Int64Range(10, 10000).Draw(t, name)) }
	low := fixed.Vec{X: corner("x"), Y: corner("y")}
	return Fit(fixed.Box{Min: low, Max: low.Add(fixed.Vec{X: length("width"), Y: length("height")})}, rapid.IntRange(1, 70).Draw(t, "zones"))
}

func place(t *rapid.T, b fixed.Box) fixed.Vec {
	between := func(name string, lo, hi fixed.F) fixed.F {
		return fixed.F(rapid.Int64Range(int64(lo), int64(hi)).Draw(t, name))
	}
	return fixed.Vec{X: between("px", b.Min.X, b.Max.X), Y: between("py", b.Min.Y, b.Max.Y)}
}

// Section 4.2.1: any number of zones is fitted to a map, and each is somewhere on it.
func TestAnyNumberOfZonesFitsAnyMap(t *testing.T) {
	for zones := 1; zones <= 200; zones++ {
		if m := Fit(square, zones); m.Len() != zones {
			t.Fatalf("%d zones instead of %d", m.Len(), zones)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		m := maps(t)
		for z := range m.Len() {
			if c := m.Centre(z); !m.bounds.Contains(c) || m.Of(c) != z {
				t.Fatalf("zone %d of %d has its centre at %v, in zone %d", z, m.Len(), c, m.Of(c))
			}
		}
	})
}

// Every place is in the zone whose centre is nearest.
func TestZonesAreNearestToTheirCentres(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := maps(t)
		p := place(t, m.bounds)
		zone := m.Of(p)
		const rounding = 64 // of a square root and a product
		for z := range m.Len() {
			if p.Dist(m.Centre(z))+rounding < p.Dist(m.Centre(zone)) {
				t.Fatalf("%v is in zone %d, whose centre is %v off, and not in zone %d, whose is %v", p, zone, p.Dist(m.Centre(zone)), z, p.Dist(m.Centre(z)))
			}
		}
		if m.Beyond(zone, p) > 0 {
			t.Fatalf("%v is in zone %d and %v beyond it", p, zone, m.Beyond(zone, p))
		}
	})
}

// Section 3.2: a circle of sight touches at most three hexagons, and whoever looks for zones within sight finds those.
func TestCirclesTouchAtMostThreeZones(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Fit(square, []int{4, 9, 16, 25, 36}[rapid.IntRange(0, 4).Draw(t, "which")])
		p := place(t, square)
		reach := m.Height() / 5
		touched := map[int]bool{}
		for i := range 64 {
			at := p.Add(fixed.Polar(reach, fixed.Degrees(360*int64(i))/64))
			if square.Contains(at) {
				touched[m.Of(at)] = true
			}
		}
		if len(touched) > 3 {
			t.Fatalf("a circle around %v touches %d zones", p, len(touched))
		}
		found := m.Within(nil, p, reach)
		for z := range m.Len() {
			if touched[z] && !contains(found, z) {
				t.Fatalf("zone %d is in sight of %v, but only %v are found", z, p, found)
			}
		}
	})
}

func contains(zones []int, z int) bool {
	for _, x := range zones {
		if x == z {
			return true
		}
	}
	return false
}

// Neighbours are mutual, and in the middle of a map there are six of them.
func TestNeighbours(t *testing.T) {
	m := Fit(square, 36)
	six := 0
	for z := range m.Len() {
		all := m.Neighbours(z)
		if len(all) == 6 {
			six++
		}
		for _, b := range all {
			mutual := false
			for _, back := range m.Neighbours(b.Zone) {
				mutual = mutual || back.Zone == z
			}
			if !mutual {
				t.Errorf("zone %d has neighbour %d, which has not", z, b.Zone)
			}
		}
	}
	if six < 16 {
		t.Errorf("%d zones of 36 have six neighbours", six)
	}
}

// walk is a path through a map: straight for a while, then another way, and turned back by the map's edges.
func walk(seed uint64, length fixed.F) []fixed.Vec {
	stream := random.New(seed, "walk")
	const step = 5 * fixed.One
	p := fixed.Vec{X: stream.Between(0, side), Y: stream.Between(0, side)}
	var path []fixed.Vec
	heading := stream.Angle()
	for left := length; left > 0; left -= step {
		if stream.Below(60) == 0 {
			heading = stream.Angle()
		}
		next := p.Add(fixed.Polar(step, heading))
		if !square.Contains(next) {
			heading = stream.Angle()
			continue
		}
		p = next
		path = append(path, p)
	}
	return path
}

// changes is how often somebody who takes a path changes zones.
func changes(m *Map, path []fixed.Vec, band fixed.F) (n int) {
	zone := m.Of(path[0])
	for _, p := range path {
		if next := m.Settle(zone, p, band); next != zone {
			zone = next
			n++
		}
	}
	return n
}

// Section 5.1.3: one path over 4, 9 and 16 zones changes zones 5, 9 and 13 times. The source's path is a drawing; these are as long
// as makes 5 changes of 4 zones on average.
func TestChangesGrowWithTheZones(t *testing.T) {
	const length = side * 38 / 10
	var mean [3]int
	const paths = 400
	for i, zones := range []int{4, 9, 16} {
		m := Fit(square, zones)
		for seed := range uint64(paths) {
			mean[i] += changes(m, walk(seed, length), 0)
		}
		mean[i] = (mean[i]*2 + paths) / (2 * paths)
	}
	t.Log(mean)
	if mean != [3]int{5, 9, 13} {
		t.Errorf("%v changes on average, not 5, 9 and 13", mean)
	}
}

// Section 5.1.4: with bands of a tenth of a zone's height who wanders along a border changes zones at most a tenth as often as
// without.
func TestBandsKeepWhoWandersAlongABorder(t *testing.T) {
	m := Fit(square, 9)
	var without, with int
	for seed := range uint64(30) {
		path := along(m, seed)
		without += changes(m, path, 0)
		with += changes(m, path, m.Height()/10)
	}
	t.Log(without, with)
	if without < 300 || with*10 > without {
		t.Errorf("%d changes without bands, %d with", without, with)
	}
}

// along is a path to and fro over a border, and along it from one end to the other.
func along(m *Map, seed uint64) (path []fixed.Vec) {
	stream := random.New(seed, "along")
	b := m.Neighbours(4)[int(seed)%len(m.Neighbours(4))]
	way := fixed.Vec{X: -b.normal.Y, Y: b.normal.X}
	reach := m.Height() / 30 // to either side
	off := fixed.F(0)
	for i := -100; i <= 100; i++ {
		off = (off + stream.Between(-reach, reach)).Clamp(-reach, reach)
		path = append(path, b.middle.Add(way.Scale(m.Height().MulInt(int64(i))/500)).Add(b.normal.Scale(off)))
	}
	return path
}

// Whoever has settled in a zone is no more than half a band outside of it, and stays in it on the way back.
func TestSettling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := maps(t)
		band := m.Height().Mul(fixed.Ratio(rapid.Int64Range(0, 30).Draw(t, "percent"), 100))
		zone := rapid.IntRange(0, m.Len()-1).Draw(t, "zone")
		for range 20 {
			p := place(t, m.bounds)
			was := zone
			zone = m.Settle(was, p, band)
			if m.Beyond(zone, p) > band/2 {
				t.Fatalf("%v has settled in zone %d, which is %v off", p, zone, m.Beyond(zone, p))
			}
			if zone != was && m.Beyond(was, p) <= band/2 {
				t.Fatalf("%v has left zone %d within the band", p, was)
			}
		}
	})
}

func BenchmarkOf(b *testing.B) {
	m := Fit(square, 64)
	path := walk(1, 100*side)
	b.ReportAllocs()
	for i := range b.N {
		m.Of(path[i%len(path)])
	}
}

// A zone's outline is convex, inside the map, around the zone's centre, and holds just the places that are in the zone.
func TestOutlines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const rounding = fixed.One / 1000 // of corners, and of the directions of edges
		length := func(name string) fixed.F { return fixed.FromInt(rapid.Int64Range(300, 3000).Draw(t, name)) }
		m := Fit(fixed.Box{Max: fixed.Vec{X: length("width"), Y: length("height")}}, rapid.IntRange(1, 70).Draw(t, "zones"))
		p := place(t, m.bounds)
		for z := range m.Len() {
			outline := m.Outline(nil, z)
			if len(outline) < 3 {
				t.Fatalf("zone %d has %d corners", z, len(outline))
			}
			inside := fixed.Max
			for i, a := range outline {
				b := outline[(i+1)%len(outline)]
				way := b.Sub(a).Unit()
				if !m.bounds.Grow(rounding).Contains(a) || way.Cross2(m.Centre(z).Sub(a)) < -rounding {
					t.Fatalf("zone %d: corner %v is off the map, or the centre %v outside", z, a, m.Centre(z))
				}
				inside = min(inside, way.Cross2(p.Sub(a)))
			}
			if beyond := m.Beyond(z, p); (beyond > 0) == (inside > 0) && min(beyond.Abs(), inside.Abs()) > rounding {
				t.Fatalf("%v is %v beyond zone %d and %v inside its outline", p, beyond, z, inside)
			}
		}
	})
}

// Looking near a place finds what looking everywhere does.
func TestWithinMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := maps(t)
		p := place(t, m.bounds.Grow(100*fixed.One))
		reach := m.Height().Mul(fixed.Ratio(rapid.Int64Range(-10, 30).Draw(t, "tenths of a zone"), 10))
		var want []int
		for z := range m.Len() {
			if m.Beyond(z, p) <= reach {
				want = append(want, z)
			}
		}
		if got := m.Within(nil, p, reach); !slices.Equal(got, want) {
			t.Fatalf("zones %v instead of %v within %v of %v", got, want, reach, p)
		}
	})
}
