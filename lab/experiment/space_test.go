package experiment

import (
	"errors"
	"testing"

	"throng/catalog"
	"throng/internal/param"
	"throng/lab/churn"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

type swarmConfig struct {
	Bees                int `param:"bees" default:"8" range:"1..1024" help:"players"`
	catalog.WorldConfig `param:"-"`
}

type looseConfig struct {
	Interval            world.Time         `param:"interval" default:"350ms" range:"1ms..60s" help:"between full updates"`
	Threshold           map[string]fixed.F `param:"threshold" default:"bee=5" unit:"px" help:"per kind"`
	mechanism.Mechanism `param:"-"`
}

type optimisticConfig struct {
	LocalLag            world.Time   `param:"local-lag" range:"0s..10s" help:"of own actions"`
	States              []world.Time `param:"states" help:"ages of trailing states"`
	mechanism.Mechanism `param:"-"`
}

func (c *optimisticConfig) Validate() error {
	if c.LocalLag > 0 && len(c.States) > 0 {
		return errors.New("local-lag and states exclude each other")
	}
	return nil
}

type constantConfig struct {
	Delay          world.Time `param:"delay" default:"50ms" range:"0s..10s" help:"one way"`
	Loss           float64    `param:"loss" default:"0.1%" range:"0..1" help:"share of packets"`
	network.Config `param:"-"`
}

type matrixConfig struct {
	File           string `param:"file" file:"true" help:"latencies"`
	network.Config `param:"-"`
}

// What has no parameters.
type (
	pongConfig struct {
		catalog.WorldConfig `param:"-"`
	}
	idealConfig struct {
		mechanism.Mechanism `param:"-"`
	}
)

func testSpace() Space {
	return Space{
		Catalog: catalog.Catalog{
			Worlds: []catalog.World{
				{Name: "pong", New: func() catalog.WorldConfig { return new(pongConfig) }},
				{Name: "swarm", New: func() catalog.WorldConfig { return new(swarmConfig) }},
			},
			Mechanisms: []catalog.Mechanism{
				{Name: "ideal", New: func() mechanism.Mechanism { return new(idealConfig) }},
				{Name: "loose", New: func() mechanism.Mechanism { return new(looseConfig) }},
				{Name: "optimistic", New: func() mechanism.Mechanism { return new(optimisticConfig) }},
			},
			Networks: []network.Kind{
				{Name: "constant", Config: func() network.Config { return new(constantConfig) }},
				{Name: "matrix", Config: func() network.Config { return new(matrixConfig) }},
			},
		},
		Measures: []string{"divergence", "packets.sent", "packets.received"},
		Groups:   map[string][]string{"traffic": {"packets.sent", "packets.received"}},
	}
}

func TestSpaceCheck(t *testing.T) {
	space := testSpace()
	if err := space.Check(); err != nil {
		t.Error(err)
	}
	for _, config := range []any{new(plan), new(sim.Config), new(churn.Config)} {
		if err := param.Check(config); err != nil {
			t.Error(err)
		}
	}
}
