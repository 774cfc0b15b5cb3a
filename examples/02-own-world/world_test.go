package main

import (
	"testing"

	"throng/world/worldtest"
)

// One line finds out whether a world keeps what all mechanisms rely on.
func TestWorld(t *testing.T) {
	w, err := (&Config{Runners: 6, Speed: 5 * metre}).World()
	if err != nil {
		t.Fatal(err)
	}
	worldtest.Run(t, w)
}
