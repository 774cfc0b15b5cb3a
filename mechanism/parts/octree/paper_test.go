package octree

import (
	"flag"
	"fmt"
	"math"
	"testing"
	"time"

	"throng/world/random"
)

// boxes is how many boxes the source fits (section 4.1.2), each between two points anywhere in the cube, and splitsMost how often it splits them at most.
const (
	boxes      = 47_000
	splitsMost = 10
)

// all fits as many boxes as the source, as closely: go test ./mechanism/parts/octree -run Precision -v -all
var all = flag.Bool("all", false, "fit as many boxes as the source does, with as many splits, though fewer and fewer beyond six; takes minutes")

// Section 4.1.3, figure 4.3: the volume selected, over that of the box, approaches one as more splits are allowed, and never falls below; the nodes
// selected, and so the time that it takes, grow exponentially.
func TestPrecisionApproachesOne(t *testing.T) {
	count, most := 2000, uint8(6)
	if *all {
		count, most = boxes, splitsMost
	}
	r := random.New(1, "boxes")
	volumes := anywhere(&r, count)
	last, nodesBefore := math.Inf(1), 0.0
	var dst []Code
	for splits := range most + 1 {
		if splits > 6 {
			count /= 4 // each takes more than four times as long
			volumes = volumes[:count]
		}
		sum, nodes := 0.0, 0.0
		began := time.Now()
		for _, v := range volumes {
			dst = Fit(dst[:0], v, Limits{splits, AxisBits})
			nodes += float64(len(dst)) / float64(count)
			p := precision(v, dst)
			if p < 1-1e-9 {
				t.Fatalf("%v is not covered", v)
			}
			sum += math.Log(p) // thin boxes are fitted by much more than their volume, and few of them would decide a mean
		}
		mean := math.Exp(sum / float64(count))
		t.Logf("%d splits: %.3f times the volume, %.1f nodes, %v for each box", splits, mean, nodes, time.Since(began)/time.Duration(count))
		if mean >= last {
			t.Errorf("%d splits select %.3f times the volume, one less %.3f", splits, mean, last)
		}
		if splits >= 3 && (nodes < 3*nodesBefore || nodes > 5*nodesBefore) {
			t.Errorf("%d splits select %.0f nodes, one less %.0f", splits, nodes, nodesBefore)
		}
		last, nodesBefore = mean, nodes
	}
	if last > 1.5 {
		t.Errorf("%d splits select %.3f times the volume", most, last)
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
