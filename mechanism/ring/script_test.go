package ring

import (
	"testing"

	"throng/internal/param/paramtest"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/relay"
	"throng/world"
	"throng/worlds/philosophers"
	"throng/worlds/shooters"
)

// TestShooterScripts runs those that take place in the shooters' yard.
func TestShooterScripts(t *testing.T) {
	runScripts(t, func(world.User) world.World { c := shooters.Default(); return must(c.World()) }, "testdata/shooters-*.txt")
}

// TestTableScripts runs those around the philosophers' table, where everybody sees their neighbours.
func TestTableScripts(t *testing.T) {
	runScripts(t, func(users world.User) world.World {
		c := philosophers.Default()
		c.Count = int(users)
		return must(c.World())
	}, "testdata/table-*.txt")
}

// TestMovingScripts runs those in which things move by themselves.
func TestMovingScripts(t *testing.T) { runScripts(t, mechanismtest.Marbles, "testdata/moving-*.txt") }

func must(w world.World, err error) world.World {
	if err != nil {
		panic(err)
	}
	return w
}

func runScripts(t *testing.T, w func(world.User) world.World, pattern string) {
	var cfg Config
	mechanismtest.Script{
		World: w,
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			cfg = Default()
			return &cfg, paramtest.Set(&cfg, keys)
		},
		Describe: func(s *mechanism.Session, m mechanism.Message) string {
			return relay.Describe(cfg.Link, s.World.Schema(), m.Payload)
		},
	}.Run(t, pattern)
}
