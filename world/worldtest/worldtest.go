// Package worldtest holds a world to what everything that shares it relies on.
//
// Whoever writes a world puts one line into its tests:
//
//	func TestWorld(t *testing.T) { worldtest.Run(t, myworld.New()) }
//
// The suite plays the world with its own players, once alone and once with users who do whatever is allowed at random, and
// checks that
//
//   - the schema is sound, and the world begins the same way for the same seed;
//   - the same game gives the same states: played twice, rolled back and stepped again, moved to another memory, or sent
//     over a wire and read back;
//   - objects keep to what their kinds declare: numbers within their ranges, all other slots zero;
//   - players take only actions that a server would let through, and look without touching;
//   - no allowed action and no absent object makes the rules panic;
//   - an action reads and writes what Reach says and nothing else, so that it can be carried out where only that is known;
//   - rules change nothing that is closed to them, and nothing through pointers that are for reading;
//   - Extrapolate leaves an object as it is for no time, and what it is for any.
//
// It does not step the two halves of a world apart and compare them with the whole: rules may let objects meet within a
// step, so that a half stepped alone is an approximation, whose error is a matter of measuring rather than of testing.
//
// A failure names the tick, the object, its kind and the variable, and both values.
//
// For what only a world's own tests can check, its rules and players, there is [Game]; for its parameters, [Refuses].
package worldtest

import (
	"fmt"
	"testing"

	"throng/world"
)

// Option changes how the suite runs.
type Option func(*options)

type options struct {
	ticks int
	seeds []uint64
}

// Ticks sets how long each game is played. The default is 300 ticks.
func Ticks(n int) Option { return func(o *options) { o.ticks = n } }

// Seeds sets which games are played. The default is one game, from seed 1.
func Seeds(seeds ...uint64) Option { return func(o *options) { o.seeds = seeds } }

// Run puts a world through the suite.
func Run(t *testing.T, w world.World, opts ...Option) {
	t.Helper()
	o := options{ticks: 300, seeds: []uint64{1}}
	for _, opt := range opts {
		opt(&o)
	}
	for _, seed := range o.seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			for _, c := range checks {
				ok := t.Run(c.name, func(t *testing.T) {
					if err := c.run(w, seed, o.ticks); err != nil {
						t.Error(err)
					}
				})
				if !ok && c.vital {
					return
				}
			}
		})
	}
}

// Hash plays a world with its own players and returns the hash of how it ends. It is the same on every kind of machine, or
// the world is not deterministic.
func Hash(w world.World, seed uint64, ticks int) uint64 {
	g := newTrial(w, seed, false)
	for range ticks {
		g.decide()
		g.step()
	}
	return g.State.Hash()
}
