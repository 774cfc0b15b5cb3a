// Package testworlds builds worlds for the tests of mechanisms, which know none by themselves.
package testworlds

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/worlds/crowd"
)

// Dense is a field on which some users, all in sight of one another, turn about ten times a second. Others can come, and all can
// leave.
func Dense(t testing.TB, users int) world.World {
	t.Helper()
	c := param.Default[crowd.Config]()
	c.Walkers, c.Mode, c.Restless = users, "dense", true
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	return w
}
