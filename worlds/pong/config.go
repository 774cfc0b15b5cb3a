package pong

import (
	"errors"
	"fmt"

	"throng/world"
	"throng/world/fixed"
)

// Config are the parameters of a game.
type Config struct {
	Tick   world.Time `param:"tick" default:"50ms" range:"5ms..100ms" help:"how much time a step lets pass"`
	Width  fixed.F    `param:"width" default:"640" range:"100..10000" unit:"px" help:"from line to line"`
	Height fixed.F    `param:"height" default:"480" range:"100..10000" unit:"px" help:"from wall to wall"`

	Racket      fixed.F `param:"racket" default:"80" range:"10..5000" unit:"px" help:"how long a racket is"`
	RacketSpeed fixed.F `param:"racket-speed" default:"300" range:"1..10000" unit:"px/s" help:"how fast a racket moves"`
	Inset       fixed.F `param:"inset" default:"20" range:"1..1000" unit:"px" help:"how far in front of its line a racket stands"`
	Radius      fixed.F `param:"radius" default:"6" range:"1..50" unit:"px" help:"how large the ball is"`

	Serve      fixed.F `param:"serve" default:"250" range:"1..1000" unit:"px/s" help:"how fast the ball is tossed in"`
	Gain       fixed.F `param:"gain" default:"1.05" range:"1..2" help:"how many times as fast a stroke makes the ball"`
	Top        fixed.F `param:"top" default:"1000" range:"1..1000" unit:"px/s" help:"how fast the ball can become"`
	Deflection int     `param:"deflection" default:"20" range:"0..60" unit:"°" help:"by how much a racket's outer thirds turn the ball"`
	Steepest   int     `param:"steepest" default:"60" range:"45..80" unit:"°" help:"how steep the ball can become"`
}

// Validate finds parameters that do not go together.
func (c *Config) Validate() error {
	switch {
	case c.Racket >= c.Height:
		return fmt.Errorf("racket: %v px do not fit between walls %v px apart", c.Racket, c.Height)
	case c.Width <= 4*(c.Inset+c.Radius) || c.Height <= 4*c.Radius:
		return errors.New("width and height leave the ball no room")
	case c.Top < c.Serve:
		return fmt.Errorf("top: the ball is tossed in at %v px/s, which is more than %v", c.Serve, c.Top)
	}
	return nil
}

// World returns the world with these parameters.
func (c *Config) World() (world.World, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return newCourt(*c), nil
}
