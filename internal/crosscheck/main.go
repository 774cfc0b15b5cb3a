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
	"throng/lab/sim"
	"throng/world"
)

func main() {
	c := catalog.Default()
	for _, w := range c.Worlds {
		for _, m := range c.Mechanisms {
			for _, n := range c.Networks {
				if n.Name == "matrix" || n.Name == "perfect" { // one needs a file, the other has nothing to disagree on
					continue
				}
				print, err := lab.Fingerprint(context.Background(), experiment.Setup{
					World:     experiment.Chosen{Name: w.Name, Config: catalog.Defaults(w.New())},
					Mechanism: experiment.Chosen{Name: m.Name, Config: catalog.Defaults(m.New())},
					Network:   experiment.Chosen{Name: n.Name, Config: catalog.Defaults(n.Config())},
					Host:      experiment.Chosen{Name: "host", Config: catalog.Defaults(new(sim.Config))},
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
