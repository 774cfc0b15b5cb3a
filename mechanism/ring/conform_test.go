package ring

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

func TestConform(t *testing.T) {
	cfg := param.Default[Config]()
	mechanismtest.Conform(t, &cfg, mechanismtest.Options{
		Heartbeat: 50 * world.Millisecond, Wakes: 2, Settle: 10 * world.Second, Blind: true,
	})
}
