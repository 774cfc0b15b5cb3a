// Crosscheck plays every world under every mechanism for a while and prints what came of it, one line each. The lines must
// be the same whatever processor runs the program; its test compares them.
package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"throng/catalog"
	"throng/internal/param"
	"throng/lab"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/sim"
	"throng/world"
)

// small are parameters that make a world small enough to be played by every mechanism in a moment.
var small = map[string][][2]string{
	"crowd":     {{"walkers", "16"}},
	"rts":       {{"users", "4"}, {"avatars", "10"}, {"width", "320"}, {"height", "128"}},
	"manhattan": {{"avatars", "12"}, {"walls", "2000"}, {"side", "150"}},
}

// few are the networks that all worlds are played on. What the others draw at random the first world brings out as well.
var few = []string{"spike", "internet"}

func main() {
	c := catalog.Default()
	for i, w := range c.Worlds {
		for _, m := range c.Mechanisms {
			for _, n := range c.Networks {
				if n.Name == "matrix" || n.Name == "perfect" { // one needs a file, the other has nothing to disagree on
					continue
				}
				if i > 0 && !slices.Contains(few, n.Name) {
					continue
				}
				setup := experiment.Setup{
					World:     catalog.ChosenWorld{Name: w.Name, Config: smallWorld(w)},
					Mechanism: catalog.ChosenMechanism{Name: m.Name, Config: catalog.Defaults(m.New())},
					Network:   catalog.ChosenNetwork{Name: n.Name, Config: catalog.Defaults(n.Config())},
					Host:      catalog.Defaults(new(sim.Config)),
					Duration:  3 * world.Second,
					Seed:      7,
				}
				print, figures, err := play(setup)
				if err != nil {
					print = err.Error() // which is to be the same everywhere, too
				}
				fmt.Printf("%s %s %s %s %016x\n", w.Name, m.Name, n.Name, print, figures)
			}
		}
	}
}

// play runs a set-up twice: for a fingerprint of all that happened, and for a hash of every digit that was measured.
func play(s experiment.Setup) (print string, figures uint64, err error) {
	if print, err = lab.Fingerprint(context.Background(), s); err != nil {
		return "", 0, err
	}
	measures, err := lab.Trial(measure.All())(context.Background(), s)
	if err != nil {
		return "", 0, err
	}
	sum := fnv.New64a()
	for _, m := range measures {
		fmt.Fprintln(sum, m.Name, strconv.FormatFloat(m.Value, 'g', -1, 64), m.Unit)
	}
	return print, sum.Sum64(), nil
}

func smallWorld(w catalog.World) catalog.WorldConfig {
	config := catalog.Defaults(w.New())
	for _, p := range small[w.Name] {
		if err := param.Set(config, p[0], p[1]); err != nil {
			panic(err)
		}
	}
	return config
}
