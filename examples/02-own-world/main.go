// A world of one's own: measured under every mechanism, served, and played in the browser.
//
// The world is in world.go: rules, how it begins, and players. Added to what throng comes with, it can be run like any
// other: this program is throng with one more world.
//
//	go run ./examples/02-own-world explain crown
//	go run ./examples/02-own-world compare --world crown --network internet --set world.runners=16
//	go run ./examples/02-own-world serve --world crown
package main

import (
	"throng/app"
	"throng/catalog"
)

func main() {
	program := app.Default()
	program.Worlds = append(program.Worlds, catalog.World{
		Name:  "crown",
		About: "runners who snatch a crown from one another",
		New:   func() catalog.WorldConfig { return new(Config) },
	})
	app.Main(program)
}
