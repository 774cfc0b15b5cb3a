package octree

import (
	"fmt"
	"math"
	"testing"

	"throng/world/random"
)

// boxes is how many boxes the source fits (section 4.1.2), each between two points anywhere in the cube.
const boxes = 47_000

// Section 4.1.3: the volume selected, over that of the box, approaches one as more splits are allowed, and never falls below.
func TestPrecisionApproachesOne(t *testing.T) {
	r := random.New(1, "boxes")
	volumes := anywhere(&r, 2000)
	last := math.Inf(1)
	for splits := range uint8(7) {
		sum := 0.0
		for _, v := range volumes {
			p := precision(v, Fit(nil, v, Limits{splits, AxisBits}))
			if p < 1-1e-9 {
				t.Fatalf("%v is not covered", v)
			}
			sum += math.Log(p) // thin boxes are fitted by much more than their volume, and few of them would decide a mean
		}
		mean := math.Exp(sum / float64(len(volumes)))
		t.Logf("%d splits: %.3f times the volume", splits, mean)
		if mean >= last {
			t.Errorf("%d splits select %.3f times the volume, one less %.3f", splits, mean, last)
		}
		last = mean
	}
	if last > 1.5 {
		t.Errorf("six splits select %.3f times the volume", last)
	}
}

// anywhere are boxes between two points of the cube.
func anywhere(r *random.Stream, n int) []Volume {
	volumes := make([]Volume, n)
	for i := range volumes {
		axis := func() (low, high uint64) {
			a, b := r.Below(axisMax), r.Below(axisMax)
			return min(a, b), max(a, b)
		}
		v := &volumes[i]
		v.Low.X, v.High.X = axis()
		v.Low.Y, v.High.Y = axis()
		v.Low.Z, v.High.Z = axis()
	}
	return volumes
}

// precision is the volume of nodes over that of a box.
func precision(v Volume, nodes []Code) float64 {
	sum := 0.0
	for _, c := range nodes {
		sum += math.Pow(0.125, float64(c.Depth))
	}
	side := func(low, high uint64) float64 { return float64(high-low+1) / (axisMax + 1) }
	return sum / (side(v.Low.X, v.High.X) * side(v.Low.Y, v.High.Y) * side(v.Low.Z, v.High.Z))
}

// Figure 4.3: what a fit takes by split depth, for boxes anywhere and for the view boxes of avatars, a thousandth of the cube
// wide: go test -run '^$' -bench Fit ./mechanism/parts/octree
func BenchmarkFit(b *testing.B) {
	r := random.New(1, "boxes")
	for _, c := range []struct {
		name    string
		volumes []Volume
	}{{"anywhere", anywhere(&r, boxes)}, {"views", randomVolumes(&r, boxes, 1<<52)}} {
		for _, splits := range []uint8{0, 1, 2, 3, 4, 5, 6, 8, 10} {
			if splits > 6 && c.name == "views" {
				continue
			}
			b.Run(fmt.Sprintf("%s/splits=%d", c.name, splits), func(b *testing.B) {
				b.ReportAllocs()
				var dst []Code
				nodes, i := 0, 0
				for b.Loop() {
					dst = Fit(dst[:0], c.volumes[i%boxes], Limits{splits, AxisBits})
					nodes += len(dst)
					i++
				}
				b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
			})
		}
	}
}
