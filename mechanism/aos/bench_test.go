package aos

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/memo"
	"throng/world"
)

// BenchmarkTick lets a tick pass for a whole group, whose replicas share their steps.
func BenchmarkTick(b *testing.B) {
	for _, users := range []world.User{6, 60} {
		b.Run(fmt.Sprint(users), func(b *testing.B) {
			config := param.Default[Config]()
			rig, err := mechanismtest.NewRig(sharing{&config, memo.NewPool()}, mechanismtest.Marbles(users), 1)
			if err != nil {
				b.Fatal(err)
			}
			rig.Network = mechanismtest.Constant(10 * world.Millisecond)
			rig.Start()
			rig.Play(200)
			b.ReportAllocs()
			for b.Loop() {
				rig.Play(1)
			}
		})
	}
}
