//go:build linux

// Command bench measures how many users a server holds on one processor, beside a bare server that does as little as can be
// (package bare), in one run on one machine.
//
// Server and load have a processor each. A number of users counts as held if, while every one of them acts and is sent
// updates ten times a second, nine in ten of the effects that others receive do so within 100 ms of the action, and nine in
// ten of the updates due arrive. The largest such number is looked for on a ladder of numbers, each a twelfth above the
// one before.
//
// In a dense crowd all see all. The bare server sends each of them everybody, every time. The other has a budget for each user
// which is far too small for that, and chooses: what it does not send in time is not counted as delay but shows in how old
// and how wrong what users see is, which is measured beside it.
//
// Run it by `make bench-live`. It takes some minutes, prints a table, and writes everything it found to out/bench/live.json.
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
	flags.DurationVar(&d.limit, "limit", 8*time.Minute, "how long all may take; what is found until then counts")
	flags.DurationVar(&d.duration, "duration", 4*time.Second, "how long each number of users is measured")
	flags.StringVar(&d.only, "only", "", "measure just one `case`: spread or dense, a stroke, and bare or throng; or idle")
	flags.IntVar(&d.users, "users", 0, "measure just this number of users instead of looking for the largest")
	flags.IntVar(&d.idle, "idle", 10_000, "how many users are idle when memory is measured; 0 for none")
	flags.Var(&d.set, "set", "a `parameter` of central, such as slots=20; may be given several times")
	flags.StringVar(&d.profile, "profile", "", "`folder` for the servers' CPU profiles")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return d.run(ctx)
}
