// Command survive kills and pauses the processes of a world that is meant to survive it, while artificial users act in it over all of its
// gateways, and then looks for every action that one of them was told to be final.
//
//	go run ./live/survive -program bin/throng                             ten minutes of each world
//	go run ./live/survive -program bin/throng -worlds crowd/central -time 20s
//	go run ./live/survive -program bin/throng -bench -users 1000 -time 15s     what replicas cost
//
// It is for one machine: make survive.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	c := config{}
	var worlds string
	flag.StringVar(&c.program, "program", "bin/throng", "the `file` of the program to be tested")
	flag.StringVar(&worlds, "worlds", "crowd/central,crowd/octree,rts/aos,manhattan/action,swarm/lockstep", "`world/mechanism,…`")
	flag.DurationVar(&c.time, "time", 10*time.Minute, "how long to go on with each")
	flag.DurationVar(&c.every, "every", 6*time.Second, "how often something is done to a process")
	flag.IntVar(&c.users, "users", 30, "users who join")
	flag.Uint64Var(&c.seed, "seed", 1, "what is done to whom, and when, is drawn from it")
	bench := flag.Bool("bench", false, "measure what replicas cost instead, in crowd/central")
	only := flag.String("only", "", "do nothing but `kill` or pause")
	flag.BoolVar(&c.verbose, "v", false, "show what the processes say")
	flag.Parse()
	switch *only {
	case "":
	case "kill":
		c.faults = []fault{killed}
	case "pause":
		c.faults = []fault{paused}
	default:
		fmt.Fprintln(os.Stderr, "survive: -only is kill or pause")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *bench {
		if err := measure(ctx, c, os.Stdout); err != nil {
			fmt.Println("FAILED:", err)
			os.Exit(1)
		}
		return
	}
	failed := false
	for _, name := range strings.Split(worlds, ",") {
		c.world, c.mechanism, _ = strings.Cut(name, "/")
		r, err := survive(ctx, c, os.Stdout)
		if err == nil {
			err = r.verdict()
		}
		if r != nil {
			fmt.Printf("%s: %s\n", name, r)
		}
		if err != nil {
			fmt.Printf("%s: FAILED: %v\n", name, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}
