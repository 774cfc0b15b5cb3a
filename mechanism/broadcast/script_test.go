package broadcast

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/relay"
	"throng/world"
	"throng/worlds/philosophers"
)

// TestScripts runs those in which everything happens by actions.
func TestScripts(t *testing.T) { runScripts(t, table, "testdata/*.txt") }

// TestMovingScripts runs those in which things move by themselves.
func TestMovingScripts(t *testing.T) { runScripts(t, mechanismtest.Marbles, "testdata/moving/*.txt") }

func runScripts(t *testing.T, w func(world.User) world.World, pattern string) {
	var cfg Config
	mechanismtest.Script{
		World: w,
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			cfg = Default()
			for key, value := range keys {
				if err := param.Set(&cfg, key, value); err != nil {
					return nil, err
				}
			}
			return &cfg, nil
		},
		Describe: func(s *mechanism.Session, m mechanism.Message) string {
			return relay.Describe(cfg.Link, s.World.Schema(), m.Payload)
		},
	}.Run(t, pattern)
}

// table is where philosophers sit, as many as there are users.
func table(users world.User) world.World {
	c := philosophers.Default()
	c.Count = int(users)
	w, err := c.World()
	if err != nil {
		panic(err)
	}
	return w
}
