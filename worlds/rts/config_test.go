package rts

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/worldtest"
)

func TestConfig(t *testing.T) {
	var c Config
	if err := param.Check(&c); err != nil {
		t.Fatal(err)
	}
	if err := param.Defaults(&c); err != nil {
		t.Fatal(err)
	}
	if c != Default() {
		t.Errorf("the tags say %+v, Default says %+v", c, Default())
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
			c.Game, c.Users, c.Width, c.Height, c.Tick, c.Skill = gamePlay, 3, 64, 40, 100*world.Millisecond, skill
			w, err := c.World()
			if err != nil {
				t.Fatal(err)
			}
			worldtest.Run(t, w, worldtest.Ticks(900))
		})
	}
}
