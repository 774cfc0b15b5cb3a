//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"throng/catalog"
	"throng/live/bots"
	"throng/live/hostile"
)

// attackRole is the part of a process that attacks: its arguments are an address, how many attackers of each kind there are, and which kinds.
const attackRole = "attack"

func attack(ctx context.Context, address, each, kind string) error {
	n, err := strconv.Atoi(each)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	for i, a := range hostile.Attacks {
		if !strings.Contains(a.Name, kind) {
			continue
		}
		for j := range n {
			target := hostile.NewTarget(address)
			all.Go(func() { a.Run(ctx, target, rand.New(rand.NewPCG(uint64(i), uint64(j)))) })
		}
	}
	all.Wait()
	return nil
}

// delayMax is how much later honest users may see what others do, over how late they do without attackers.
const delayMax = 1.2

// figure compares what honest users notice of others with attackers and without.
func (c *config) figure(ctx context.Context) error {
	w, err := begin(c.program, []string{"taskset", "-c", "0"})
	if err != nil {
		return err
	}
	defer w.end(context.WithoutCancel(ctx))
	if err := w.whole(ctx, 1); err != nil {
		return err
	}
	p := w.living()[0]
	var delays []bots.Spread
	for _, each := range []int{0, c.each} {
		report, err := c.watch(ctx, &p, each)
		if err != nil {
			return err
		}
		fmt.Printf("%d honest users, %d attackers of each kind: observation delay %v; updates %.1f%%, own load %.0f%%\n",
			report.Stayed, each, report.Delay, 100*report.Updates.Share(), 100*report.Load.CPU)
		delays = append(delays, report.Delay)
	}
	ratio := delays[1].P90 / delays[0].P90
	fmt.Printf("nine in ten effects are seen within %.2f times as long (median %.2f)\n", ratio, delays[1].P50/delays[0].P50)
	if ratio > delayMax {
		return fmt.Errorf("honest users notice: %.2f is more than %v", ratio, delayMax)
	}
	return nil
}

// watch has honest users be there for a while, among attackers, on the processor that the server does not run on.
func (c *config) watch(ctx context.Context, p *process, each int) (*bots.Report, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	attacked, stop := context.WithCancel(ctx)
	defer stop()
	if each > 0 {
		attackers := exec.CommandContext(attacked, "nice", "-n", "19", "taskset", "-c", "1", self, attackRole, strings.TrimPrefix(p.public, "http://"), strconv.Itoa(each), c.kind)
		attackers.Stderr = os.Stderr
		attackers.Cancel = func() error { return attackers.Process.Signal(os.Interrupt) }
		if err := attackers.Start(); err != nil {
			return nil, err
		}
		defer attackers.Wait()
		defer stop()
	}
	return bots.Run(ctx, bots.Config{
		URL: p.operators, Users: c.users, Whole: 64, Light: true, Ramp: 2 * time.Second, Settle: 2 * time.Second, Duration: c.time, Seed: c.seed,
	}, catalog.Default())
}
