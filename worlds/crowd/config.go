package crowd

import (
	"fmt"

	"throng/world"
	"throng/world/fixed"
)

// Config are the parameters of a crowd.
type Config struct {
	Walkers int        `param:"walkers" default:"500" range:"0..100000" help:"how many walkers there are at the start, each with their user"`
	Mode    string     `param:"mode" default:"town" options:"town|spread|dense" help:"a town with streets and squares, a field where each sees about as many others, or one where all see all"`
	Tick    world.Time `param:"tick" default:"100ms" range:"10ms..1s" help:"how much time a step lets pass"`

	Speed      fixed.F `param:"speed" default:"2" range:"0.1..10" unit:"m/s" help:"how fast anybody can walk"`
	Sight      fixed.F `param:"sight" default:"50" range:"5..500" unit:"m" help:"how far a user sees; in a dense crowd at least as far as anybody is"`
	Room       fixed.F `param:"room" default:"320" range:"50..10000" unit:"m²" help:"area of the town for each walker, houses included"`
	Neighbours int     `param:"neighbours" default:"10" range:"1..1000" help:"how many others a walker sees in a spread crowd, on average"`
	Restless   bool    `param:"restless" default:"false" help:"whether artificial users change direction ten times a second instead of running errands"`

	Earshot    fixed.F    `param:"earshot" default:"25" range:"1..500" unit:"m" help:"how far a shout is heard; not beyond sight"`
	ShoutLasts world.Time `param:"shout-lasts" default:"6s" range:"100ms..1m" help:"how long a shout hangs in the air"`
	ShoutEvery world.Time `param:"shout-every" default:"3s" range:"0s..1m" help:"how long a walker must be quiet after a shout"`

	EventLasts world.Time `param:"event-lasts" default:"3m" range:"1s..1h" help:"how long a square's fountain, market or concert goes on, on average"`
	EventPause world.Time `param:"event-pause" default:"6m" range:"1s..1h" help:"how long a square is without one, on average"`
}

// The modes.
const (
	modeTown   = "town"
	modeSpread = "spread"
	modeDense  = "dense"
)

// Validate finds parameters that do not go together.
func (c *Config) Validate() error {
	switch {
	case c.Speed.Mul(world.Seconds(c.Tick)) > street:
		return fmt.Errorf("speed: at %v m/s nobody crosses a street in a sensible number of ticks", c.Speed)
	case c.Earshot > c.Sight:
		return fmt.Errorf("earshot: a shout is heard at some distance, but not beyond the %v m that one sees", c.Sight)
	}
	return nil
}

// World returns the world with these parameters.
func (c *Config) World() (world.World, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return newTown(*c), nil
}

// plan lays out the ground on which the walkers live.
func (c *Config) plan() plan {
	switch c.Mode {
	case modeSpread:
		return newField(c.spreadSide())
	case modeDense:
		return newField(max(c.Sight/4, denseRoom.MulInt(int64(c.Walkers)).Sqrt()))
	}
	side := c.Room.MulInt(int64(c.Walkers)).Sqrt()
	return newStreets(max(leastBlocks, (side - street).Div(pitch).Round()))
}

// denseRoom is the area in m² that a walker has in a dense crowd.
const denseRoom = 2 * fixed.One

// spreadSide is the side of the square field on which walkers scattered at random see the wanted number of others.
func (c *Config) spreadSide() fixed.F {
	others := int64(c.Walkers) - 1
	// At a side equal to sight nearly all see all. Without the bend at the edges, the side would be sight·√(π·others/
	// neighbours), and the edges only make it smaller.
	low := c.Sight
	if seen(low, c.Sight, others) <= fixed.FromInt(int64(c.Neighbours)) {
		return c.Sight.MulInt(7).DivInt(10) // the diagonal is just within sight
	}
	high := c.Sight.Mul(fixed.Ratio(4*others, int64(c.Neighbours)).Sqrt())
	for high-low > metre/64 {
		side := (low + high) / 2
		if seen(side, c.Sight, others) > fixed.FromInt(int64(c.Neighbours)) {
			low = side
		} else {
			high = side
		}
	}
	return high
}

// seen is how many of the others a walker sees on average where all are scattered at random over a square with a side of
// at least sight. Two random points of the unit square are less than a apart with probability πa² − 8a³/3 + a⁴/2: the
// area of the circle less what of it lies beyond the edges.
func seen(side, sight fixed.F, others int64) fixed.F {
	pi := fixed.Ratio(355, 113)
	a := sight.Div(side)
	share := pi - a.MulInt(8).DivInt(3) + a.Mul(a)/2 // of a², which alone would lose its digits on a large field
	return a.MulInt(others).Mul(a).Mul(share)
}
