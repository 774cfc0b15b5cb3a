package network

import (
	"fmt"
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// BenchmarkFate sends packets round a full mesh of nodes, with loss and with all faults.
func BenchmarkFate(b *testing.B) {
	for _, kind := range Kinds() {
		for _, nodes := range []int{8, 256} {
			b.Run(fmt.Sprintf("%s/%d", kind.Name, nodes), func(b *testing.B) {
				benchmarkFate(b, build(b, kind.Name, nodes, ""), nodes)
			})
		}
	}
	b.Run("exponential, all faults/8", func(b *testing.B) {
		benchmarkFate(b, build(b, "exponential", 8, allFaults), 8)
	})
}

func benchmarkFate(b *testing.B, m Model, nodes int) {
	from, to := uint32(1), uint32(1)
	send := func(now world.Time) {
		if to++; to > uint32(nodes) {
			to = 1
			if from++; from > uint32(nodes) {
				from = 1
			}
		}
		m.Fate(now, from, to, 100)
	}
	for range nodes * nodes {
		send(0)
	}
	b.ReportAllocs()
	now := world.Time(0)
	for b.Loop() {
		now += world.Microsecond
		send(now)
	}
}

func BenchmarkDepart(b *testing.B) {
	l := Link{BitsPerSecond: 10_000_000, QueueBytes: 64 << 10}
	b.ReportAllocs()
	now := world.Time(0)
	for b.Loop() {
		now += 70 * world.Microsecond
		l.Depart(now, 100)
	}
}

func BenchmarkLocal(b *testing.B) {
	c := ClockConfig{Offset: world.Second, Drift: 100 * fixed.One}.Clock(1, 1)
	now := world.Time(0)
	for b.Loop() {
		now += c.Global(c.Local(now)) - now + 1
	}
}

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		Generate(1, 256, 80*world.Millisecond)
	}
}
