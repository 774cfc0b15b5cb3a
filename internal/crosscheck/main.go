// Crosscheck plays every world under every mechanism for a while and prints what came of it, one line each. The lines must
// be the same whatever processor runs the program; its test compares them.
package main

import (
	"context"
	"fmt"
	"os"

	"throng/catalog"
	"throng/lab"
	"throng/lab/experiment"
	"throng/world"
)

func main() {
	c := catalog.Default()
	space := c.Space()
	for _, w := range space.Worlds {
		for _, m := range space.Mechanisms {
			for _, n := range space.Networks {
				if n.Name == "matrix" || n.Name == "perfect" { // one needs a file, the other differs from none
					continue
				}
				print, err := lab.Fingerprint(context.Background(), experiment.Setup{
					World:     experiment.Chosen{Name: w.Name, Config: w.New()},
					Mechanism: experiment.Chosen{Name: m.Name, Config: m.New()},
					Network:   experiment.Chosen{Name: n.Name, Config: n.New()},
					Host:      experiment.Chosen{Name: space.Host.Name, Config: space.Host.New()},
					Duration:  20 * world.Second,
					Seed:      7,
				})
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				fmt.Println(w.Name, m.Name, n.Name, print)
			}
		}
	}
}
