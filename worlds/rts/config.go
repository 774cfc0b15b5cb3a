package rts

import (
	"cmp"
	"fmt"

	"throng/world"
	"throng/world/fixed"
)

// Config are the parameters of both games. What suits the two differently is left to the game where it is zero.
type Config struct {
	Game   string     `param:"game" default:"measured" options:"measured|play" help:"avatars that only walk, as the measurements have it, or a game to play"`
	Users  int        `param:"users" default:"-1" range:"-1..4096" help:"how many users there are at the start; -1: 60 when measured, 4 in play"`
	Width  int        `param:"width" default:"0" range:"0..16384" unit:"tiles" help:"the map's extent along x; 0: 1280 when measured, 256 in play"`
	Height int        `param:"height" default:"0" range:"0..16384" unit:"tiles" help:"the map's extent along y; 0: 512 when measured, 160 in play"`
	Tick   world.Time `param:"tick" default:"25ms" range:"5ms..1s" help:"how much time a step lets pass"`
	Vision fixed.F    `param:"vision" default:"10" range:"2..100" unit:"tiles" help:"how far an avatar sees, and how far anything it does reaches at most"`

	Avatars  int     `param:"avatars" default:"50" range:"1..10000" help:"measured: how many avatars a user has"`
	Speed    fixed.F `param:"speed" default:"1" range:"0.01..10" unit:"tiles/tick" help:"measured: how fast an avatar walks"`
	Command  int     `param:"command" default:"10" range:"1..10000" unit:"ticks" help:"measured: how often a user sends an avatar somewhere"`
	Workload string  `param:"workload" default:"wd" options:"wi|wd|ww|samovar|ww-50|wwg" help:"measured: the mobility model by which users choose where to send avatars"`
	Collide  bool    `param:"collisions" default:"true" help:"measured: avatars step aside for one another and count whom they meet; the source has them walk through each other"`
	Columns  int     `param:"columns" default:"5" range:"1..256" help:"measured: how many sub-maps the mobility model has along x"`
	Rows     int     `param:"rows" default:"2" range:"1..256" help:"measured: how many sub-maps the mobility model has along y"`

	Skill string `param:"skill" default:"normal" options:"easy|normal|hard" help:"play: how good artificial opponents are"`
}

var _ world.Playable = (*Config)(nil)

// Play chooses the game that people play.
func (c *Config) Play() { c.Game = gamePlay }

// The games.
const (
	gameMeasured = "measured"
	gamePlay     = "play"
)

// tile is the unit of all lengths.
const tile = fixed.One

// leastSide is the least extent of a map along either axis, in tiles.
const leastSide = 32

// suited returns the parameters with what was left to the game filled in.
func (c Config) suited() Config {
	own := Config{Users: 60, Width: 1280, Height: 512}
	if c.Game == gamePlay {
		own = Config{Users: 4, Width: 256, Height: 160}
	}
	if c.Users < 0 {
		c.Users = own.Users
	}
	c.Width, c.Height = cmp.Or(c.Width, own.Width), cmp.Or(c.Height, own.Height)
	return c
}

// Validate finds parameters that do not go together.
func (c *Config) Validate() error {
	full := c.suited()
	if full.Width < leastSide || full.Height < leastSide {
		return fmt.Errorf("width, height: a map of %d by %d tiles has fewer than %d along a side", full.Width, full.Height, leastSide)
	}
	if c.Game == gamePlay {
		return full.validatePlay()
	}
	return full.validateMeasured()
}

func (c *Config) validateMeasured() error {
	switch {
	case c.Speed > c.Vision:
		return fmt.Errorf("speed: avatars walk no farther in a tick than the %v tiles that they see, not %v", c.Vision, c.Speed)
	case c.Columns > c.Width/grid || c.Rows > c.Height/grid:
		return fmt.Errorf("columns, rows: a map of %d by %d tiles does not have %d by %d sub-maps of at least a grid of %d tiles",
			c.Width, c.Height, c.Columns, c.Rows, grid)
	}
	return nil
}

// visionLeast is what everybody must see in play: as far as a tower shoots at a base, and where fields are.
const visionLeast = 9 * tile

// userTiles is how many tiles of the map there must be for each user in play.
const userTiles = 32 * 32

func (c *Config) validatePlay() error {
	switch {
	case c.Vision < visionLeast:
		return fmt.Errorf("vision: in play everybody sees at least %v tiles far, not %v", visionLeast, c.Vision)
	case c.Users*userTiles > c.Width*c.Height:
		return fmt.Errorf("users: a map of %d by %d tiles has room for %d in play, not %d", c.Width, c.Height, c.Width*c.Height/userTiles, c.Users)
	}
	return nil
}

// bounds is where objects may be.
func (c *Config) bounds() fixed.Box {
	return fixed.Box{Max: fixed.Vec{X: fixed.FromInt(int64(c.Width)), Y: fixed.FromInt(int64(c.Height))}}
}

// World returns the world with these parameters.
func (c *Config) World() (world.World, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Game == gamePlay {
		return newRealm(c.suited()), nil
	}
	return newMarch(c.suited()), nil
}
