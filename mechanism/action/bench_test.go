package action

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"throng/internal/param"
	"throng/world"
)

// BenchmarkClosure is what it takes to find what an entry depends on, for a client that knows nothing of what is under way: with
// as many clients as there may be at the source's density, and with ever more of them in sight of each other.
func BenchmarkClosure(b *testing.B) {
	for _, x := range []struct {
		clients int
		others  int64 // in sight, in hundredths
	}{{100, 687}, {1000, 687}, {10_000, 687}, {1000, 1401}, {1000, 3500}, {1000, 6000}} {
		b.Run(fmt.Sprintf("clients=%d/others=%d", x.clients, x.others/100), func(b *testing.B) {
			config := param.Default[Config]()
			config.Protocol, config.RTT, config.Link.Timeout = Incomplete, 476*ms, 2*world.Second
			c := newCrew(&config, newSquare(x.clients, x.others))
			c.run(0, 2*world.Second)
			o := &c.server.order
			stranger := &member{slot: x.clients, base: 1 << 60}
			took := make([]time.Duration, 0, b.N)
			size, p := 0, o.installed
			b.ReportAllocs()
			for b.Loop() {
				if p++; p == o.next {
					p = o.installed + 1
				}
				begun := time.Now()
				o.begin(&c.server.closure)
				o.gather(stranger, p, &c.server.closure)
				took = append(took, time.Since(begun))
				size += len(c.server.closure.positions)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "median-ns")
			b.ReportMetric(float64(size)/float64(b.N), "entries/closure")
		})
	}
}
