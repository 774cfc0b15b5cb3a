package octree

import (
	"math"
	"math/bits"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"throng/world/random"
)

func blockLimits() *rapid.Generator[Limits] {
	return rapid.Custom(func(t *rapid.T) Limits {
		return Limits{uint8(rapid.IntRange(0, 5).Draw(t, "splits")), uint8(rapid.IntRange(0, AxisBits).Draw(t, "depth"))}
	})
}

// Every node of a block is there if the volume reaches into it, and only then.
func TestBlocksAreWhatBruteForceFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, l := volume().Draw(t, "volume"), blockLimits().Draw(t, "limits")
		for _, b := range FitBlocks(nil, v, l) {
			if b.Code.Depth > l.Depth || b.Mask == 0 {
				t.Fatalf("%v is too deep, or empty", b)
			}
			if l.Splits < blockLevels || b.Code.Depth >= l.Depth {
				if b.Mask != All {
					t.Fatalf("%v is not whole", b)
				}
				continue
			}
			for i := range 64 {
				c := b.Code.child(i >> 3)
				if c.Depth < l.Depth && c.Depth < AxisBits {
					c = c.child(i & 7)
				}
				if got := b.Mask>>i&1 != 0; got != meet(volumeOf(c), v) && b.Mask != All {
					t.Fatalf("%v of %v is there: %t", c, b.Code, got)
				}
			}
		}
	})
}

func TestBlocksCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, l := volume().Draw(t, "volume"), blockLimits().Draw(t, "limits")
		blocks := FitBlocks(nil, v, l)
		var nodes []Code
		for i, b := range blocks {
			if i > 0 && (Compare(blocks[i-1].Code, b.Code) >= 0 || blocks[i-1].Code.Covers(b.Code)) {
				t.Fatalf("%v comes after %v", b, blocks[i-1])
			}
			nodes = b.Nodes(nodes)
		}
		if !slices.IsSortedFunc(nodes, Compare) {
			t.Fatal("not in order")
		}
		for _, c := range Fit(nil, v, l) {
			if !slices.ContainsFunc(blocks, func(b Block) bool { return b.Covers(c) }) {
				t.Fatalf("%v is not covered by %v", c, blocks)
			}
			if !slices.ContainsFunc(nodes, func(n Code) bool { return n.Covers(c) }) {
				t.Fatalf("%v is not covered by %v", c, nodes)
			}
		}
	})
}

func TestBlocksByHand(t *testing.T) {
	// Half of the cube along x and y, and a quarter along z: the lower half of the lowest child.
	v := Volume{Point{}, Point{1<<61 - 1, 1<<61 - 1, 1<<60 - 1}}
	if got, want := FitBlocks(nil, v, Limits{2, AxisBits}), []Block{{Code{Depth: 1}, 0xffffffff}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if nodes := (Block{Code{}, 0xff<<8 | 1}).Nodes(nil); len(nodes) != 2 || nodes[0].Depth != 2 || nodes[1] != (Code{Point{X: 1 << 61}, 1}) {
		t.Errorf("got %v", nodes)
	}
}

// blockPrecision is the volume of blocks over that of a box.
func blockPrecision(v Volume, blocks []Block) float64 {
	sum := 0.0
	for _, b := range blocks {
		sum += math.Pow(0.125, float64(b.Code.Depth)) * float64(bits.OnesCount64(b.Mask)) / 64
	}
	side := func(low, high uint64) float64 { return float64(high-low+1) / (axisMax + 1) }
	return sum / (side(v.Low.X, v.High.X) * side(v.Low.Y, v.High.Y) * side(v.Low.Z, v.High.Z))
}

func TestBlocksGetCloserToo(t *testing.T) {
	r := random.New(1, "boxes")
	volumes := anywhere(&r, 2000)
	last := math.Inf(1)
	for splits := uint8(2); splits < 7; splits++ {
		sum := 0.0
		for _, v := range volumes {
			p := blockPrecision(v, FitBlocks(nil, v, Limits{splits, AxisBits}))
			if p < 1-1e-9 {
				t.Fatalf("%v is not covered", v)
			}
			sum += math.Log(p)
		}
		mean := math.Exp(sum / float64(len(volumes)))
		t.Logf("%d splits: %.3f times the volume", splits, mean)
		if mean >= last {
			t.Errorf("%d splits select %.3f times the volume, one less %.3f", splits, mean, last)
		}
		last = mean
	}
	if last > 1.6 {
		t.Errorf("six splits select %.3f times the volume", last)
	}
}

func TestFittingBlocksAllocatesNothing(t *testing.T) {
	r := random.New(1, "boxes")
	volumes := anywhere(&r, 100)
	dst := make([]Block, 0, 512)
	if n := testing.AllocsPerRun(10, func() {
		for _, v := range volumes {
			dst = FitBlocks(dst[:0], v, Limits{5, AxisBits})
		}
	}); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
}

// What a fit at five splits takes: the mean, and the median over boxes, each timed over many fits of its own:
// go test -run '^$' -bench Blocks ./mechanism/parts/octree
func BenchmarkFitBlocks(b *testing.B) {
	r := random.New(1, "boxes")
	for _, c := range []struct {
		name    string
		volumes []Volume
	}{{"anywhere", anywhere(&r, boxes)}, {"views", randomVolumes(&r, boxes, 1<<52)}} {
		b.Run(c.name+"/splits=5", func(b *testing.B) {
			b.ReportAllocs()
			dst := make([]Block, 0, 1024)
			blocks, i := 0, 0
			for b.Loop() {
				dst = FitBlocks(dst[:0], c.volumes[i%boxes], Limits{5, AxisBits})
				blocks += len(dst)
				i++
			}
			b.ReportMetric(float64(blocks)/float64(b.N), "blocks/op")
			b.ReportMetric(float64(medianFit(c.volumes[:500]).Nanoseconds()), "median-ns")
		})
	}
}

func medianFit(volumes []Volume) time.Duration {
	const rounds = 100
	dst := make([]Block, 0, 1024)
	took := make([]time.Duration, len(volumes))
	for i, v := range volumes {
		begin := time.Now()
		for range rounds {
			dst = FitBlocks(dst[:0], v, Limits{5, AxisBits})
		}
		took[i] = time.Since(begin) / rounds
	}
	slices.Sort(took)
	return took[len(took)/2]
}
