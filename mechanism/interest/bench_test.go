package interest

import (
	"fmt"
	"testing"

	"throng/world"
)

// BenchmarkTick is what a tick costs all servers and clients together, of nomads who are all in motion and see five others
// each.
func BenchmarkTick(b *testing.B) {
	for _, interest := range []string{Multiple, Single} {
		for _, users := range []world.User{20, 60} {
			b.Run(fmt.Sprintf("%s/users=%d", interest, users), func(b *testing.B) {
				r := newRig(b, settled{newNomads(users, 10)}, func(c *Config) { c.Interest = interest })
				r.Play(100)
				b.ReportAllocs()
				for b.Loop() {
					r.Play(1)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(users), "ns/user")
			})
		}
	}
}
