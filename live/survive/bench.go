package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"throng/catalog"
	"throng/live/bots"
)

// measure has users walk about in a town whose servers have no replicas, three in memory and three on disk, all of them at the process
// that leads, and writes what each costs.
func measure(ctx context.Context, c config, out io.Writer) error {
	c.world, c.mechanism = "crowd", "central"
	data, err := os.MkdirTemp("", "throng-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "replicas\tusers\tupdates\tobservation p50\tp90\tp99\tresponse p50\tp99\tCPU of the leader\tper user\tagreement p50\tp99")
	for _, one := range []struct {
		name     string
		replicas int
		args     []string
	}{
		{"none", 1, nil}, {"3, memory", 3, nil}, {"3, disk", 3, []string{"--data", data}},
	} {
		c.replicas = one.replicas
		c.args = append([]string{"--players", "2", "--set", "world.restless=true"}, one.args...)
		row, err := measureOne(ctx, c)
		if err != nil {
			return fmt.Errorf("replicas %s: %w", one.name, err)
		}
		fmt.Fprintf(t, "%s\t%d\t%s\n", one.name, c.users, row)
	}
	return t.Flush()
}

func measureOne(ctx context.Context, c config) (string, error) {
	w, err := begin(ctx, &c)
	if err != nil {
		return "", err
	}
	defer w.end()
	leader := w.leader()
	const settle = 3 * time.Second
	began, finished := make(chan metrics, 1), make(chan metrics, 1)
	go func() { // while users are measured
		time.Sleep(settle + 3*time.Second)
		began <- read(leader)
		time.Sleep(c.time - 2*time.Second)
		finished <- read(leader)
	}()
	r, err := bots.Run(ctx, bots.Config{
		URL: leader, Users: c.users, Light: true, Ramp: 3 * time.Second, Settle: settle, Duration: c.time, Seed: c.seed, Here: true,
	}, catalog.Default())
	if err != nil {
		return "", err
	}
	a, b := <-began, <-finished
	cpu := (b["process_cpu_seconds_total"] - a["process_cpu_seconds_total"]) / (c.time - 2*time.Second).Seconds()
	return fmt.Sprintf("%.1f%%\t%.1f ms\t%.1f\t%.1f\t%.1f ms\t%.1f\t%.1f%%\t%.1f µs/update\t%s\t%s", 100*r.Updates.Share(), r.Delay.P50, r.Delay.P90, r.Delay.P99,
		r.Response.P50, r.Response.P99, 100*cpu, 1e6*cpu/(float64(c.users)*1000/r.Updates.Interval), b.since(a).quantile(0.5), b.since(a).quantile(0.99)), nil
}

// metrics are what a process says of itself, by name and labels.
type metrics map[string]float64

func read(url string) metrics {
	m := metrics{}
	answer, err := client.Get(url + "/metrics")
	if err != nil {
		return m
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			m[name] = v
		}
	}
	return m
}

func (m metrics) since(before metrics) metrics {
	d := metrics{}
	for name, v := range m {
		d[name] = v - before[name]
	}
	return d
}

// quantile is how long it took to agree, up to the end of the bucket that it is in.
func (m metrics) quantile(q float64) string {
	const bucket = `throng_cluster_agreement_seconds_bucket{le="`
	all := m["throng_cluster_agreement_seconds_count"]
	if all == 0 {
		return "–"
	}
	least := math.Inf(1)
	for name, n := range m {
		text, ok := strings.CutPrefix(name, bucket)
		if le, err := strconv.ParseFloat(strings.TrimSuffix(text, `"}`), 64); ok && err == nil && n >= q*all {
			least = min(least, le)
		}
	}
	return fmt.Sprintf("< %.2f ms", 1e3*least)
}

// leader is where operators reach the process that leads, or the only one.
func (w *cast) leader() string {
	for _, pid := range w.living() {
		if m := read(w.urls[pid]); m["throng_cluster_leads"] == 1 {
			return w.urls[pid]
		}
	}
	return w.admin()
}
