package rts

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
)

func TestValidate(t *testing.T) {
	measured, play := param.Default[Config](), param.Default[Config]()
	play.Play()
	worldtest.Refuses(t, measured, map[string][]func(*Config){
		"width, height:": {func(c *Config) { c.Width = 31 }, func(c *Config) { c.Height = 1 }},
		"speed:":         {func(c *Config) { c.Speed = c.Vision + 1 }},
		"columns, rows:": {func(c *Config) { c.Columns = 81 }, func(c *Config) { c.Rows = 81 }},
	})
	worldtest.Refuses(t, play, map[string][]func(*Config){
		"vision:": {func(c *Config) { c.Vision = 5 * tile }},
		"users:":  {func(c *Config) { c.Users = 41 }},
	})
}

// What is left to the game is what suits it.
func TestZeroesAreLeftToTheGame(t *testing.T) {
	for game, want := range map[string]fixed.Vec{gameMeasured: at(1280, 512), gamePlay: at(256, 160)} {
		c := param.Default[Config]()
		c.Game = game
		if got := worldtest.Make[world.World](t, &c).Schema().Bounds.Max; got != want {
			t.Errorf("%s: a map of %v", game, got)
		}
	}
}

// TestMeasuredWorld puts the measured game through the suite under every workload, in a narrow place, so that avatars touch.
func TestMeasuredWorld(t *testing.T) {
	for _, workload := range []string{modelWI, modelWD, modelWW, modelSamovar, modelWW50, modelWWG} {
		t.Run(workload, func(t *testing.T) {
			c := param.Default[Config]()
			c.Users, c.Avatars, c.Width, c.Height, c.Command, c.Workload = 6, 8, 80, 64, 2, workload
			worldtest.Run(t, worldtest.Make[*march](t, &c))
		})
	}
}

// TestPlayableWorld puts the playable game through the suite, with users who know one another's places.
func TestPlayableWorld(t *testing.T) {
	for _, skill := range []string{skillEasy, skillNormal, skillHard} {
		t.Run(skill, func(t *testing.T) {
			c := param.Default[Config]()
			c.Game, c.Users, c.Width, c.Height, c.Tick, c.Skill = gamePlay, 3, 64, 48, 100*world.Millisecond, skill
			worldtest.Run(t, worldtest.Make[*realm](t, &c), worldtest.Ticks(900))
		})
	}
}

// Nobody is nobody; only who leaves it to the game gets its number.
func TestUsersAreAsManyAsAskedFor(t *testing.T) {
	for _, game := range []string{gameMeasured, gamePlay} {
		for users, want := range map[int]world.User{0: 0, 3: 3, -1: map[string]world.User{gameMeasured: 60, gamePlay: 4}[game]} {
			c := param.Default[Config]()
			c.Game, c.Users = game, users
			w, err := c.World()
			if err != nil {
				t.Fatal(err)
			}
			s := world.NewState(w.Schema(), 1)
			w.Populate(s)
			if w.Users() != want {
				t.Errorf("%s with users: %d has %d", game, users, w.Users())
			}
		}
	}
}
