//go:build linux

package main

import (
	"testing"

	"throng/world"
	"throng/world/worldtest"
)

// TestEveryCaseCanBeBuilt finds workloads and variants that do not exist, and settings that are wrong.
func TestEveryCaseCanBeBuilt(t *testing.T) {
	for _, c := range cases() {
		if c.workload() == nil {
			t.Errorf("%s: there is no such workload", c.Name)
			continue
		}
		p := part{users: 4}
		p.mode, p.variant = c.parts()
		d, err := p.description()
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		for _, place := range d.Places {
			if place.User != 0 {
				t.Errorf("%s: user %d has a place before joining", c.Name, place.User)
			}
		}
	}
}

func TestQuarry(t *testing.T) {
	config := quarryConfig{Stones: 11_500, Wear: 12}
	w := worldtest.Make[world.World](t, &config)
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	if size := len(start.Append(nil)); size < 1_000_000 || size > 1_050_000 {
		t.Errorf("an area takes %d bytes", size)
	}
	later := start.Clone()
	window := world.NewWindow(later)
	for range 40 {
		window.Advance(w)
	}
	if size := len(world.AppendDiff(nil, start, later)); size < 900 || size > 1200 {
		t.Errorf("%d bytes change in a second", size)
	}
	config.Stones = 50
	worldtest.Run(t, worldtest.Make[world.World](t, &config))
}
