package experiment

import (
	"errors"
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
)

type swarmConfig struct {
	Bees int `param:"bees" default:"8" range:"1..1024" help:"players"`
}

type looseConfig struct {
	Interval  world.Time         `param:"interval" default:"350ms" range:"1ms..60s" help:"between full updates"`
	Threshold map[string]fixed.F `param:"threshold" default:"bee=5" unit:"px" help:"per kind"`
}

type optimisticConfig struct {
	LocalLag world.Time   `param:"local-lag" range:"0s..10s" help:"of own actions"`
	States   []world.Time `param:"states" help:"ages of trailing states"`
}

func (c *optimisticConfig) Validate() error {
	if c.LocalLag > 0 && len(c.States) > 0 {
		return errors.New("local-lag and states exclude each other")
	}
	return nil
}

type constantConfig struct {
	Delay world.Time `param:"delay" default:"50ms" range:"0s..10s" help:"one way"`
	Loss  float64    `param:"loss" default:"0.1%" range:"0..1" help:"share of packets"`
}

type matrixConfig struct {
	File string `param:"file" file:"true" help:"latencies"`
}

type hostConfig struct {
	CPU struct {
		Speed float64 `param:"speed" default:"1" help:"of a standard processor"`
	} `param:"cpu"`
	A int `param:"a" help:"something to vary"`
	B int `param:"b" help:"something to vary"`
	C int `param:"c" help:"something to vary"`
	D int `param:"d" help:"something to vary"`
}

// fresh returns a New for a config.
func fresh[T any]() func() any {
	return func() any {
		config := new(T)
		if err := param.Defaults(config); err != nil {
			panic(err)
		}
		return config
	}
}

func testSpace() Space {
	return Space{
		Worlds:     []Entry{{Name: "pong"}, {Name: "swarm", New: fresh[swarmConfig]()}},
		Mechanisms: []Entry{{Name: "ideal"}, {Name: "loose", New: fresh[looseConfig]()}, {Name: "optimistic", New: fresh[optimisticConfig]()}},
		Networks:   []Entry{{Name: "constant", New: fresh[constantConfig]()}, {Name: "matrix", New: fresh[matrixConfig]()}},
		Host:       Entry{Name: "host", New: fresh[hostConfig]()},
		Measures:   []string{"divergence", "packets.sent"},
	}
}

func TestSpaceCheck(t *testing.T) {
	if err := testSpace().Check(); err != nil {
		t.Error(err)
	}
	if err := param.Check(new(plan)); err != nil {
		t.Error(err)
	}
	type named struct {
		Name string `param:"name" help:"not possible"`
	}
	type helpless struct {
		N int `param:"n"`
	}
	s := Space{
		Worlds:     []Entry{{Name: "pong"}, {Name: "pong"}},
		Mechanisms: []Entry{{Name: "loose", New: fresh[named]()}},
		Networks:   []Entry{{Name: "constant", New: fresh[helpless]()}},
	}
	want := "world pong is there twice\nmechanism loose: a parameter cannot be called name\nnetwork constant: n: has no help"
	if err := s.Check(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
