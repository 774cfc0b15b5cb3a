package ring

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/worldtest"
	"throng/worlds/philosophers"
	"throng/worlds/shooters"
)

// TestShooterScripts runs those that take place in the shooters' yard.
func TestShooterScripts(t *testing.T) {
	c := param.Default[shooters.Config]()
	runScripts(t, func(world.User) world.World { return worldtest.Make[world.World](t, &c) }, "testdata/shooters-*.txt")
}

// TestTableScripts runs those around the philosophers' table, where everybody sees their neighbours.
func TestTableScripts(t *testing.T) {
	runScripts(t, func(users world.User) world.World {
		c := param.Default[philosophers.Config]()
		c.Count = int(users)
		return worldtest.Make[world.World](t, &c)
	}, "testdata/table-*.txt")
}

// TestMovingScripts runs those in which things move by themselves.
func TestMovingScripts(t *testing.T) { runScripts(t, mechanismtest.Marbles, "testdata/moving-*.txt") }

func runScripts(t *testing.T, w func(world.User) world.World, pattern string) {
	var cfg Config
	mechanismtest.Script{
		World: w,
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			cfg = param.Default[Config]()
			return &cfg, param.SetAll(&cfg, keys)
		},
		Describe: cfg.Describe,
	}.Run(t, pattern)
}
