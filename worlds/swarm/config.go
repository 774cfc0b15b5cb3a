package swarm

import (
	"fmt"

	"throng/world"
	"throng/world/fixed"
)

// maxBees is how many bees there can be.
const maxBees = 1024

// Config are the parameters of a swarm.
type Config struct {
	Bees int        `param:"bees" default:"8" range:"1..1024" help:"how many bees there are, each with its user"`
	Tick world.Time `param:"tick" default:"50ms" range:"5ms..100ms" help:"how much time a step lets pass"`
	Area fixed.F    `param:"area" default:"60000" range:"1000..1000000" unit:"px²" help:"room in the box for each bee"`

	BeeRadius    fixed.F    `param:"bee-radius" default:"12" range:"1..100" unit:"px" help:"how large a bee is"`
	QueenRadius  fixed.F    `param:"queen-radius" default:"20" range:"1..100" unit:"px" help:"how large the queen is"`
	Acceleration fixed.F    `param:"acceleration" default:"200" range:"1..5000" unit:"px/s²" help:"how strongly a bee can accelerate"`
	Speed        fixed.F    `param:"speed" default:"300" range:"1..1000" unit:"px/s" help:"how fast anything can be"`
	QueenSpeed   fixed.F    `param:"queen-speed" default:"100" range:"0..1000" unit:"px/s" help:"how fast the queen wants to be at most"`
	QueenTurn    world.Time `param:"queen-turn" default:"1s" range:"100ms..1m" help:"how often the queen chooses a new way"`
	QueenPass    world.Time `param:"queen-pass" default:"2s" range:"100ms..1m" help:"how long one user answers for the queen"`

	Dead   world.Time `param:"dead" default:"3s" range:"100ms..1m" help:"how long a bee is dead after a crash"`
	Honey  fixed.F    `param:"honey" default:"10" range:"0..1000" unit:"1/s" help:"what a bee would earn at the queen's very place"`
	Forage fixed.F    `param:"forage" default:"400" range:"1..100000" unit:"px" help:"distance from the queen at which a bee earns nothing"`
}

// Validate finds parameters that do not go together.
func (c *Config) Validate() error {
	// Balls start in cells of their own, where they touch nobody.
	_, _, cell := c.cells()
	if largest := max(c.BeeRadius, c.QueenRadius); min(cell.X, cell.Y) < 3*largest {
		return fmt.Errorf("area: %v px² for each bee are too few for balls of a radius of %v px", c.Area, largest)
	}
	return nil
}

// box is the walled space: 4 to 3, with the area that the number of bees demands.
func (c *Config) box() fixed.Box {
	unit := c.Area.MulInt(int64(c.Bees)).DivInt(12).Sqrt().Floor()
	return fixed.Box{Max: fixed.Vec{X: fixed.FromInt(4 * unit), Y: fixed.FromInt(3 * unit)}}
}

// cells divides the box into at least as many cells as there are balls.
func (c *Config) cells() (columns, rows int, size fixed.Vec) {
	for columns*rows <= c.Bees {
		columns++
		rows = (3*columns + 3) / 4
	}
	box := c.box().Size()
	return columns, rows, fixed.Vec{X: box.X.DivInt(int64(columns)), Y: box.Y.DivInt(int64(rows))}
}

// World returns the world with these parameters.
func (c *Config) World() (world.World, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return newHive(*c), nil
}
