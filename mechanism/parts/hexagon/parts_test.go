package hexagon

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/world/fixed"
	"throng/world/random"
)

// Section 3.3.4: the parts that a zone sheds are an eighth of it each.
func TestPartsAreEighths(t *testing.T) {
	m := Fit(fixed.Box{Max: fixed.Vec{X: 5200 * fixed.One, Y: 6000 * fixed.One}}, 36)
	for z := range m.Len() {
		if len(m.Neighbours(z)) != 6 {
			continue
		}
		r := random.New(1, "places")
		counts, all := map[int]int{}, 0
		for range 200_000 {
			p := m.Centre(z).Add(fixed.Vec{X: r.Between(-m.width, m.width), Y: r.Between(-m.height, m.height)})
			if m.Beyond(z, p) <= 0 {
				counts[m.Part(z, p)]++
				all++
			}
		}
		for part, n := range counts {
			want := 8
			if part == Core {
				want = 4
			}
			if n*want < all*9/10 || n*want > all*11/10 {
				t.Errorf("zone %d, part %d: %d of %d places", z, part, n, all)
			}
		}
		if len(counts) != 7 {
			t.Errorf("zone %d has %d parts", z, len(counts))
		}
		return
	}
	t.Error("no zone has six neighbours")
}

// On any map every place is inside of the part that it is in and of no other, but for rounding, and parts adjoin the neighbours that they are
// next to.
func TestPartsDivideZones(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := func(name string) fixed.F { return fixed.FromInt(int64(rapid.IntRange(100, 10_000).Draw(t, name))) }
		m := Fit(fixed.Box{Max: fixed.Vec{X: side("wide"), Y: side("high")}}, rapid.IntRange(1, 40).Draw(t, "zones"))
		at := func(name string, side fixed.F) fixed.F {
			return side.MulInt(int64(rapid.IntRange(0, 1000).Draw(t, name))).DivInt(1000)
		}
		p := fixed.Vec{X: at("x", m.bounds.Max.X), Y: at("y", m.bounds.Max.Y)}
		zone, slack := m.Of(p), max(m.width, m.height)/1000
		in := m.Part(zone, p)
		if out := m.Outside(zone, in, p); out > slack {
			t.Fatalf("%v is in part %d of zone %d, and %v outside of it", p, in, zone, out)
		}
		for _, b := range m.Neighbours(zone) {
			if !slices.ContainsFunc(m.Neighbours(b.Zone), func(x Border) bool { return x.Zone == zone }) {
				t.Fatalf("zone %d is a neighbour of zone %d, and not the other way round", b.Zone, zone)
			}
		}
		for part := Core; part < len(m.Neighbours(zone)); part++ {
			if out := m.Outside(zone, part, p); part != in && out < -slack {
				t.Fatalf("%v is in part %d of zone %d, and %v inside of part %d", p, in, zone, -out, part)
			}
		}
	})
}
