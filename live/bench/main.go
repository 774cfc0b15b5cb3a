//go:build linux

// Command bench measures what a server holds on one processor, over real sockets, with the load on another. What is measured
// has names such as spread/throng: a workload and a server.
//
// Spread and dense are crowds, beside a bare server that does as little as can be (package bare), in one run on one machine. A
// number of users counts as held if, while every one of them acts and is sent updates ten times a second, nine in ten of the
// effects that others receive do so within 100 ms of the action, and nine in ten of the updates due arrive. In a dense crowd
// all see all. The bare server sends each of them everybody, every time. The other has a budget for each user which is far
// too small for that, and chooses: what it does not send in time is not counted as delay but shows in how old and how wrong
// what users see is, which is measured beside it.
//
// Rts is the strategy game as the source of Area of Simulation measures it, with all area servers in one process: under aos with
// shared zones in full, as differences, and compressed, and under lockstep. A number of users counts as held if every
// area server keeps at least 24 ticks a second and every client simulates its area. Clients do so, but those in the same state
// share the work: the load stands for as many machines as there are users.
//
// Ordering is avatars that make a move every 300 ms under action, whose server only orders. A number counts as held if nine
// in ten moves are certain within 100 ms of the next push and nine in ten moves due are made. Here the load, whose clients do
// the work of the world, is what ends first: BenchmarkServer of mechanism/action has the server alone.
//
// Promotion is a client that begins to simulate an area of a megabyte which changes by a kilobyte a second, over a line with
// 50 ms one way and some Mbit/s to the client.
//
// The largest number that is held is looked for until it is known to two in a hundred.
//
// Run it by `make bench-live`. All of it takes some twenty minutes; it prints tables, and writes everything it found to
// out/bench/live.json.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run plays one of the roles that the benchmark's own processes have, or directs them all.
func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		if role, ok := roles[args[0]]; ok {
			return play(ctx, role, args)
		}
	}
	var d director
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&d.out, "out", "out/bench/live.json", "`file` for the results")
	flags.DurationVar(&d.limit, "limit", 25*time.Minute, "how long all may take; what is found until then counts")
	flags.DurationVar(&d.duration, "duration", 4*time.Second, "how long each number of users is measured")
	flags.StringVar(&d.only, "only", "", "measure just one `case`, such as spread/throng; those of one workload, such as rts-100; or idle")
	flags.IntVar(&d.users, "users", 0, "measure just this number of users instead of looking for the largest")
	flags.IntVar(&d.idle, "idle", 10_000, "how many users are idle when memory is measured; 0 for none")
	flags.Var(&d.set, "set", "a `parameter` of the mechanism, such as slots=20; may be given several times")
	flags.StringVar(&d.profile, "profile", "", "`folder` for the CPU profiles of servers and load")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return d.run(ctx)
}
