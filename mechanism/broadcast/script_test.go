package broadcast

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/worlds/manhattan"
	"throng/worlds/philosophers"
)

// TestScripts runs those in which everything happens by actions.
func TestScripts(t *testing.T) { runScripts(t, table, "testdata/*.txt") }

// TestMovingScripts runs those in which things move by themselves.
func TestMovingScripts(t *testing.T) { runScripts(t, mechanismtest.Marbles, "testdata/moving/*.txt") }

// TestCityScripts runs those in a city that people can leave.
func TestCityScripts(t *testing.T) { runScripts(t, city, "testdata/city/*.txt") }

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

// city is one without walls, of as many avatars as there are users.
func city(users world.User) world.World {
	c := param.Default[manhattan.Config]()
	c.Avatars, c.Walls = int(users), 0
	return must(c.World())
}

// table is where philosophers sit, as many as there are users.
func table(users world.User) world.World {
	c := param.Default[philosophers.Config]()
	c.Count = int(users)
	return must(c.World())
}

func must(w world.World, err error) world.World {
	if err != nil {
		panic(err)
	}
	return w
}
