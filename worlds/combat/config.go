package combat

import (
	"fmt"

	"throng/world"
	"throng/world/fixed"
)

// Config are the parameters of a battle.
type Config struct {
	Units  int        `param:"units" default:"32" range:"1..100000" help:"how many units there are at the start, each with a user"`
	Planes fixed.F    `param:"planes" default:"0.25" range:"0..1" help:"share of the units that are planes; the others are tanks"`
	Side   fixed.F    `param:"side" default:"4000" range:"200..100000" unit:"m" help:"how long and how wide the map is"`
	Tick   world.Time `param:"tick" default:"50ms" range:"5ms..1s" help:"how much time a step lets pass"`

	TankSight  fixed.F `param:"tank-sight" default:"300" range:"10..10000" unit:"m" help:"how far tanks see"`
	PlaneSight fixed.F `param:"plane-sight" default:"600" range:"10..10000" unit:"m" help:"how far planes see"`
	Vision     string  `param:"vision" default:"half" options:"half|circle" help:"users look ahead over a half circle, or all around"`
	Hills      int     `param:"hills" default:"0" range:"0..1000" help:"hills, which hide from tanks what is behind them"`

	Spread fixed.F `param:"spread" default:"0" range:"0..10000" unit:"m" help:"who is called to a place has a spot of its own this far from it at most"`

	Peace bool   `param:"peace" default:"false" help:"artificial users move but do not fire"`
	Walk  string `param:"walk" default:"random" options:"random|border" help:"artificial users go from place to place, or up and down the middle of the map, where zones border on each other"`
}

// The settings that are words.
const (
	visionHalf = "half"
	walkBorder = "border"
)

// Play sets what is usual for play: somebody to meet, and something to hide behind.
func (c *Config) Play() { c.Units, c.Side, c.Hills = 40, 2000*metre, 40 }

var _ world.Playable = (*Config)(nil)

// Validate finds parameters that do not go together.
func (c *Config) Validate() error {
	if most := c.Side / 2; c.TankSight > most || c.PlaneSight > most {
		return fmt.Errorf("tank-sight, plane-sight: units cannot see farther than %v on a map of %v", most, c.Side)
	}
	return nil
}

// World returns the world with these parameters.
func (c *Config) World() (world.World, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return newBattle(*c), nil
}
