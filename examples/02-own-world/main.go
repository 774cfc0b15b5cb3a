// A world of one's own under every mechanism.
//
// The world is in world.go: rules, how it begins, and players. Added to what throng comes with, it can be run like any
// other. Without arguments this program compares all mechanisms on it; with arguments it is throng with one more world:
//
//	go run ./examples/02-own-world explain crown
//	go run ./examples/02-own-world compare --world crown --network internet --set world.runners=16
package main

import (
	"context"
	"os"
	"path/filepath"

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
	if len(os.Args) > 1 {
		app.Main(program)
	}
	results := filepath.Join(os.TempDir(), "throng-own-world")
	args := []string{"compare", "--world", "crown", "--quick", "--out", results}
	os.Exit(app.Run(context.Background(), program, args, os.Stdout, os.Stderr))
}
