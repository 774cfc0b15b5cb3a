package rts

import (
	"strings"
	"testing"

	"throng/internal/param/paramtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
)

func TestConfig(t *testing.T) {
	paramtest.Defaults(t, Default())
}

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		game, want string
		spoil      func(*Config)
	}{
		{"draughts", "game", func(*Config) {}},
		{gameMeasured, "users", func(c *Config) { c.Users = -1 }},
		{gameMeasured, "width, height", func(c *Config) { c.Width = 31 }},
		{gameMeasured, "width, height", func(c *Config) { c.Height = 20_000 }},
		{gameMeasured, "tick", func(c *Config) { c.Tick = 0 }},
		{gameMeasured, "vision", func(c *Config) { c.Vision = 0 }},
		{gameMeasured, "avatars", func(c *Config) { c.Avatars = 0 }},
		{gameMeasured, "speed", func(c *Config) { c.Speed = 0 }},
		{gameMeasured, "speed", func(c *Config) { c.Speed = c.Vision + 1 }},
		{gameMeasured, "command", func(c *Config) { c.Command = 0 }},
		{gameMeasured, "workload", func(c *Config) { c.Workload = "xx" }},
		{gameMeasured, "columns, rows", func(c *Config) { c.Columns = 81 }},
		{gameMeasured, "columns, rows", func(c *Config) { c.Rows = 0 }},
		{gamePlay, "vision", func(c *Config) { c.Vision = 5 * tile }},
		{gamePlay, "users", func(c *Config) { c.Users = 41 }},
		{gamePlay, "skill", func(c *Config) { c.Skill = "godlike" }},
	} {
		c := Default()
		c.Game = test.game
		test.spoil(&c)
		if _, err := c.World(); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("want an error about %s, got %v", test.want, err)
		}
	}
}

// What is left to the game is what suits it.
func TestZeroesAreLeftToTheGame(t *testing.T) {
	for game, want := range map[string]fixed.Vec{gameMeasured: at(1280, 512), gamePlay: at(256, 160)} {
		c := Default()
		c.Game = game
		w, err := c.World()
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Schema().Bounds.Max; got != want {
			t.Errorf("%s: a map of %v", game, got)
		}
	}
}

// TestMeasuredWorld puts the measured game through the suite under every workload, in a narrow place, so that avatars touch.
func TestMeasuredWorld(t *testing.T) {
	for _, workload := range []string{modelWI, modelWD, modelWW, modelSamovar, modelWW50, modelWWG} {
		t.Run(workload, func(t *testing.T) {
			c := Default()
			c.Users, c.Avatars, c.Width, c.Height, c.Command, c.Workload = 6, 8, 80, 64, 2, workload
			w, err := c.World()
			if err != nil {
				t.Fatal(err)
			}
			worldtest.Run(t, w)
		})
	}
}

// TestPlayableWorld puts the playable game through the suite, with users who know one another's places.
func TestPlayableWorld(t *testing.T) {
	for _, skill := range []string{skillEasy, skillNormal, skillHard} {
		t.Run(skill, func(t *testing.T) {
			c := Default()
			c.Game, c.Users, c.Width, c.Height, c.Tick, c.Skill = gamePlay, 3, 64, 48, 100*world.Millisecond, skill
			w, err := c.World()
			if err != nil {
				t.Fatal(err)
			}
			worldtest.Run(t, w, worldtest.Ticks(900))
		})
	}
}
