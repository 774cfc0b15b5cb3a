// Command mutants finds out what tests do not notice. It breaks the code in one small place at a time (a condition negated, an
// operator or a constant taken for another, a statement dropped, a function that returns at once), runs the tests that should
// mind, and reports the share of breakages that some test caught, with every one that none did.
//
//	go run ./internal/mutants                                   what is in the pure part and the measures, at random
//	go run ./internal/mutants -n 40 -seed 7 ./mechanism/aos     one package
//
// The places are drawn from the seed that is printed first: the same seed on the same code breaks the same places. A change
// that does not compile is no mutation, and the next one drawn takes its place. The code itself is not touched: the changed file
// is laid over it (go test -overlay).
//
// A package's own tests are asked, and for a part of mechanisms also those of the mechanisms made of it. What changes speed or
// memory alone no test can notice; such survivors are for the reader to tell.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// usual are the packages whose tests are to notice: the pure part, and what says how good it is.
var usual = []string{"./world/...", "./worlds/...", "./mechanism/...", "./lab/check", "./lab/measure", "./lab/serial", "./lab/sim", "./lab/stats"}

type options struct {
	n        int
	seed     uint64
	slowest  time.Duration
	with     []string
	packages []string
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 60, "how many mutations to try")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "which ones; as it was printed")
	flag.DurationVar(&o.slowest, "limit", 5*time.Minute, "the longest that the tests of one package may take")
	with := flag.String("with", "", "packages whose tests are asked too, separated by commas")
	flag.Parse()
	if *with != "" {
		o.with = strings.Split(*with, ",")
	}
	if o.packages = flag.Args(); len(o.packages) == 0 {
		o.packages = usual
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	fmt.Printf("seed %d\n", o.seed)
	m, err := load(ctx, o.packages)
	if err != nil {
		return err
	}
	found, err := m.mutations()
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(o.seed, 0))
	r.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	t, err := newTester(m, o)
	if err != nil {
		return err
	}
	defer t.close()
	var tried []outcome
	for i := range found {
		if len(tried) == o.n || ctx.Err() != nil {
			break
		}
		out, err := t.try(ctx, &found[i])
		if err != nil {
			return err
		}
		if out.verdict == unfit || ctx.Err() != nil {
			continue
		}
		tried = append(tried, out)
		fmt.Printf("%-8s %s\n", out.verdict, out.headline())
	}
	summarise(tried, len(found))
	return nil
}

// summarise prints the share that was caught, by package and in all, and every survivor as a difference.
func summarise(tried []outcome, of int) {
	caught, byFolder := 0, map[string][2]int{}
	for _, out := range tried {
		count := byFolder[out.folder]
		count[1]++
		if out.verdict == survived {
			fmt.Printf("\n%s:%d: nobody noticed (%s)\n- %s\n+ %s\n", out.file, out.line, out.kind, out.before, out.after)
		} else {
			caught++
			count[0]++
		}
		byFolder[out.folder] = count
	}
	fmt.Println()
	var folders []string
	for folder := range byFolder {
		folders = append(folders, folder)
	}
	slices.Sort(folders)
	for _, folder := range folders {
		fmt.Printf("%4d of %-4d %s\n", byFolder[folder][0], byFolder[folder][1], folder)
	}
	if len(tried) > 0 {
		fmt.Printf("%4d of %-4d caught (%.0f%%), of %d possible\n", caught, len(tried), 100*float64(caught)/float64(len(tried)), of)
	}
}
