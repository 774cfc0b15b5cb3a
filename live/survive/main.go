// Command survive kills and pauses the processes of a world that is meant to survive it, while artificial users act in it over all of its
// gateways, and then looks for every action that one of them was told to be final.
//
//	go run ./live/survive -program bin/throng                             ten minutes of each world
//	go run ./live/survive -program bin/throng -worlds crowd/central -time 20s
//	go run ./live/survive -program bin/throng -disk -only full -time 1m        disks fill up
//	go run ./live/survive -program bin/throng -restart                         how soon a large world is there again
//	go run ./live/survive -program bin/throng -bench -users 1000 -time 15s     what replicas cost
//
// It is for one machine: make survive.
package main

import (
	"context"
	"errors"
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
	only := flag.String("only", "", "do nothing but `kill`, pause or full")
	disk := flag.Bool("disk", false, "keep the world on disks, which are also filled up; they are mounted (tmpfs), which takes root")
	restart := flag.Bool("restart", false, "measure instead how soon a world of 100,000 objects is there again that was killed")
	flag.BoolVar(&c.verbose, "v", false, "show what the processes say")
	flag.Parse()
	c.faults = map[string][]fault{"": {killed, paused}, "kill": {killed}, "pause": {paused}, "full": {filled}}[*only]
	if *disk && *only == "" {
		c.faults = append(c.faults, filled)
	}
	if len(c.faults) == 0 || *only == "full" && !*disk {
		fmt.Fprintln(os.Stderr, "survive: -only is kill, pause or, with -disk, full")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch {
	case *bench:
		err = measure(ctx, c, os.Stdout)
	case *restart:
		err = measureRestart(ctx, c, os.Stdout)
	default:
		for _, name := range strings.Split(worlds, ",") {
			c.world, c.mechanism, _ = strings.Cut(name, "/")
			err = errors.Join(err, report(ctx, c, *disk))
		}
	}
	if err != nil {
		fmt.Println("FAILED:", err)
		os.Exit(1)
	}
}

// report does things to a world and prints what came of it.
func report(ctx context.Context, c config, disk bool) error {
	if disk {
		var err error
		if c.disks, err = mount(); err != nil {
			return err
		}
		defer c.disks.unmount()
	}
	r, err := survive(ctx, c, os.Stdout)
	if r != nil {
		fmt.Printf("%s/%s: %s\n", c.world, c.mechanism, r)
	}
	if err == nil {
		err = r.verdict()
	}
	if err == nil && disk {
		err = c.disks.verify(c.program)
	}
	if err != nil {
		return fmt.Errorf("%s/%s: %w", c.world, c.mechanism, err)
	}
	return nil
}
