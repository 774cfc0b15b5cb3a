package octree

import (
	"fmt"
	"testing"
)

// A tick of a town with everybody in it, servers, storage nodes and clients: go test -bench . ./mechanism/octree
func BenchmarkTick(b *testing.B) {
	for _, users := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("users=%d", users), func(b *testing.B) {
			r := newRig(b, town(b, users, false), nil)
			r.Play(20)
			b.ReportAllocs()
			for b.Loop() {
				r.Play(1)
			}
		})
	}
}
