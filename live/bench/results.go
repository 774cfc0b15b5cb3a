//go:build linux

package main

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// The figures that are wanted of the server beside the bare one.
const (
	wantedSpread = 0.6
	wantedDense  = 1.0
	wantedIdle   = 12 << 10
)

func (r *Results) find(name string) *Case {
	for _, c := range r.Cases {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// compare sets the server's numbers in relation to the bare one's.
func (r *Results) compare() {
	for _, mode := range []string{"spread", "dense"} {
		bare, full := r.find(mode+"/bare"), r.find(mode+"/throng")
		if bare.Held > 0 && full.Held > 0 {
			full.Ratio = float64(full.Held) / float64(bare.Held)
		}
	}
}

// line is a probe in one line, for whoever watches.
func (p *Probe) line(name string) string {
	verdict := "held"
	if !p.Held {
		verdict = "not held"
	}
	r := p.Report
	return fmt.Sprintf("%-14s %6d users %-8s  delay p50 %5.1f p90 %5.1f p99 %6.1f ms  updates %5.1f%%  %6.1f KB/s each  server %3.0f%% load %3.0f%% (late p90 %.1f ms) others %3.0f%%",
		name, p.Users, verdict, r.Delay.P50, r.Delay.P90, r.Delay.P99, 100*r.Updates.Share(), r.Bytes.In/1000,
		100*p.ServerCPU, 100*r.Load.CPU, r.Load.Late.P90, 100*p.Others)
}

// typical is the probe that stands for a case: that with the most users that were held or, if none were, the first.
func (c *Case) typical() *Probe {
	switch {
	case c.Best != nil:
		return c.Best
	case len(c.Probes) > 0:
		return c.Probes[0]
	}
	return nil
}

// Write writes the results as tables.
func (r *Results) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "crowd/server\tusers\tof bare\twanted\tdelay p90\tupdates\tserver CPU\tper update\tto a user\tfrom a user\tload CPU\tothers\t")
	for _, c := range r.Cases {
		b := c.typical()
		if b == nil {
			continue
		}
		held := "none"
		if c.Held > 0 {
			held = strconv.Itoa(c.Held)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%.1f ms\t%.1f%%\t%.0f%%\t%.1f µs\t%.1f KB/s\t%.2f KB/s\t%.0f%%\t%.0f%%\t\n", c.Name, held, ratio(c.Ratio), wanted(c.Name),
			b.Report.Delay.P90, 100*b.Report.Updates.Share(), 100*b.ServerCPU, b.PerUpdate,
			b.Report.Bytes.In/1000, b.Report.Bytes.Out/1000, 100*b.Report.Load.CPU, 100*b.Others)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if i := r.Idle; i != nil {
		fmt.Fprintf(w, "\n%d idle users: %.1f KB each (wanted: under %d KB), server CPU %.0f%%\n", i.Users, i.PerUser/1024, wantedIdle>>10, 100*i.ServerCPU)
	}
	for _, c := range r.Cases {
		b := c.typical()
		if b == nil || len(b.Report.Shown) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s, %d users: how others are shown, by how far away they are\n", c.Name, b.Users)
		if err := b.Report.WriteShown(w); err != nil {
			return err
		}
	}
	return nil
}

func ratio(r float64) string {
	if r == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", r)
}

func wanted(name string) string {
	switch name {
	case "spread/throng":
		return fmt.Sprintf("%.1f", wantedSpread)
	case "dense/throng":
		return fmt.Sprintf("%.1f", wantedDense)
	}
	return ""
}
