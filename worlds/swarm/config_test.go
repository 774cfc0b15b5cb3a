package swarm

import (
	"testing"

	"throng/internal/param"
	"throng/world/fixed"
	"throng/world/worldtest"
)

func TestValidate(t *testing.T) {
	worldtest.Refuses(t, param.Default[Config](), map[string][]func(*Config){
		"area": {func(c *Config) { c.Area = 1000 * fixed.One }},
	})
}
