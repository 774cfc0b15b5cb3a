//go:build linux

// Command soak lets attackers of every kind loose on a world of three processes for as long as one likes, among hundreds of honest users,
// and stops one of the processes for a moment now and then. Honest users must stay, no node may panic, what processes hold
// when everybody has gone may not have grown, and what they have on disk must be the same world, to the last bit.
//
// With -figure it measures instead how much later honest users see what others do while they are at it: server on one processor,
// everybody else on another.
//
//	go run ./live/hostile/soak -program bin/throng -time 2m
//	go run ./live/hostile/soak -program bin/throng -figure -time 20s
//
// It is for one machine: make soak.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// config is what is done.
type config struct {
	program string
	time    time.Duration
	users   int
	each    int    // attackers of a kind
	kind    string // part of the names of the kinds there are
	seed    uint64
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "FAILED:", err)
		os.Exit(1)
	}
}

// run does what is asked for, or plays one of the parts that processes of this program have.
func run(ctx context.Context, args []string) error {
	if len(args) == 4 && args[0] == attackRole {
		return attack(ctx, args[1], args[2], args[3])
	}
	var c config
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.StringVar(&c.program, "program", "bin/throng", "the `file` of the program to be tested")
	flags.DurationVar(&c.time, "time", 10*time.Minute, "how long to go on; for the figure, with attackers and without")
	flags.IntVar(&c.users, "users", 500, "honest users")
	flags.IntVar(&c.each, "each", 10, "attackers of each kind")
	flags.StringVar(&c.kind, "kind", "", "only attackers whose `name` contains this, such as floods")
	flags.Uint64Var(&c.seed, "seed", 1, "which process is stopped when, and for how long, is drawn from it")
	figure := flags.Bool("figure", false, "measure how much honest users notice")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *figure {
		return c.figure(ctx)
	}
	return c.soak(ctx)
}
