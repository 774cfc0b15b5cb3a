package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

// restarts is how often a world is killed and started again.
const restarts = 3

// measureRestart has a world of two thousand armies of fifty live for a while, kills it, and says how long it takes after the start of a new
// process until that lets people in.
func measureRestart(ctx context.Context, c config, out io.Writer) error {
	data, err := os.MkdirTemp("", "throng-restart-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	c.world, c.mechanism, c.replicas = "rts", "central", 1
	c.args = []string{"--data", data, "--set", "world.game=measured", "--set", "world.users=2000", "--set", "world.avatars=50",
		"--set", "world.width=8192", "--set", "world.height=8192", "--set", "world.columns=64", "--set", "world.rows=64",
		"--set", "world.tick=1s", "--set", "world.vision=5", "--set", "world.workload=wi"}
	for i := range restarts + 1 {
		began := time.Now()
		w, err := begin(ctx, &c)
		if err != nil {
			return err
		}
		took := time.Since(began)
		m := read(w.admin())
		fmt.Fprintf(out, "start %d: %.2f s, %.0f MB, %.0f entries of the log\n", i, took.Seconds(), m["process_resident_memory_bytes"]/1e6, m["throng_cluster_applied_entries_total"])
		select {
		case <-time.After(10 * time.Second):
		case <-ctx.Done():
		}
		for _, pid := range w.living() {
			w.kill(pid)
		}
		<-w.exited
	}
	return nil
}
