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
func (p *Probe) line(c *Case) string {
	verdict := "held"
	if !p.Held {
		verdict = "not held"
	}
	text := fmt.Sprintf("%-16s %5d users %-8s", c.Name, p.Users, verdict)
	for _, column := range c.workload().table {
		text += "  " + column.head + " " + column.cell(p)
	}
	return text
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

// Write writes the results as tables: one for workloads in a row of which the same is told.
func (r *Results) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	var last table
	for _, c := range r.Cases {
		b := c.typical()
		if b == nil {
			continue
		}
		if now := c.workload().table; last == nil || &now[0] != &last[0] {
			if last != nil {
				t.Flush()
				fmt.Fprintln(w)
			}
			last = now
			fmt.Fprint(t, "workload/server\tusers\tof bare\twanted\t")
			for _, column := range now {
				fmt.Fprint(t, column.head, "\t")
			}
			fmt.Fprintln(t)
		}
		held := "none"
		if c.Held > 0 {
			held = strconv.Itoa(c.Held)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t", c.Name, held, ratio(c.Ratio), wanted(c.Name))
		for _, column := range last {
			fmt.Fprint(t, column.cell(b), "\t")
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if i := r.Idle; i != nil {
		fmt.Fprintf(w, "\n%d idle users: %.1f KB each (wanted: under %d KB), server CPU %.0f%%\n", i.Users, i.PerUser/1024, wantedIdle>>10, 100*i.ServerCPU)
	}
	for _, c := range r.Cases {
		b := c.typical()
		if b == nil || len(b.Report.Shown) == 0 || !c.workload().shows {
			continue
		}
		fmt.Fprintf(w, "\n%s, %d users: how others are shown, by how far away they are\n", c.Name, b.Users)
		if err := b.Report.WriteShown(w); err != nil {
			return err
		}
	}
	return nil
}

// table is what is told of each case of a workload.
type table []column

type column struct {
	head string
	cell func(p *Probe) string
}

// figure is a column of numbers in a format.
func figure(head, format string, value func(p *Probe) float64) column {
	return column{head, func(p *Probe) string { return fmt.Sprintf(format, value(p)) }}
}

// processors are what all tables end with: a load that wants a whole processor, or others that take some, spoil the figures.
var processors = table{
	figure("server CPU", "%.0f%%", func(p *Probe) float64 { return 100 * p.ServerCPU }),
	figure("load CPU", "%.0f%%", func(p *Probe) float64 { return 100 * p.Report.Load.CPU }),
	figure("load late p90", "%.1f ms", func(p *Probe) float64 { return p.Report.Load.Late.P90 }),
	figure("others", "%.0f%%", func(p *Probe) float64 { return 100 * p.Others }),
}

var crowdTable = append(table{
	figure("delay p50", "%.1f ms", func(p *Probe) float64 { return p.Report.Delay.P50 }),
	figure("delay p90", "%.1f ms", func(p *Probe) float64 { return p.Report.Delay.P90 }),
	figure("updates", "%.1f%%", func(p *Probe) float64 { return 100 * p.Report.Updates.Share() }),
	figure("per update", "%.1f µs", func(p *Probe) float64 { return p.PerUpdate }),
	figure("to a user", "%.1f KB/s", func(p *Probe) float64 { return p.Report.Bytes.In / 1000 }),
	figure("from a user", "%.2f KB/s", func(p *Probe) float64 { return p.Report.Bytes.Out / 1000 }),
}, processors...)

var overloadTable = append(crowdTable[:len(crowdTable):len(crowdTable)],
	figure("least tenth", "%.2f", func(p *Probe) float64 { return p.Report.Updates.Least }),
	figure("slowed to", "%.2f", func(p *Probe) float64 { return p.Slowed.Mean }),
	figure("most", "%.2f", func(p *Probe) float64 { return p.Slowed.Max }),
	figure("recovered in", "%.1f s", func(p *Probe) float64 { return p.Slowed.Until }),
)

var areasTable = append(table{
	area("slowest", "%.1f ticks/s", func(a *Areas) float64 { return a.Slowest }),
	area("mean", "%.1f ticks/s", func(a *Areas) float64 { return a.Mean }),
	area("to clients", "%.0f B/tick", func(a *Areas) float64 { return a.Clients }),
	area("in datagrams", "%.1f /tick", func(a *Areas) float64 { return a.Datagrams }),
	area("between servers", "%.0f B/tick", func(a *Areas) float64 { return a.Between }),
	area("servers stood still", "%.0f ms", func(a *Areas) float64 { return a.Stalled.Sum }),
	area("lost", "%.0f", func(a *Areas) float64 { return float64(a.Lost) }),
	figure("response p50", "%.0f ms", func(p *Probe) float64 { return p.Report.Response.P50 }),
	figure("p90", "%.0f ms", func(p *Probe) float64 { return p.Report.Response.P90 }),
	figure("simulating", "%.0f", func(p *Probe) float64 { return float64(p.Report.Simulating) }),
	figure("demoted", "%.0f", func(p *Probe) float64 { return float64(p.Report.Demotions) }),
}, processors...)

var orderingTable = append(table{
	figure("response p50", "%.1f ms", func(p *Probe) float64 { return p.Report.Response.P50 }),
	figure("p90", "%.1f ms", func(p *Probe) float64 { return p.Report.Response.P90 }),
	figure("moves", "%.0f /s", func(p *Probe) float64 { return float64(p.Report.Response.Count) / max(p.Report.Seconds, 1) }),
	figure("given up", "%.1f%%", func(p *Probe) float64 {
		return 100 * float64(p.Report.Dropped) / float64(max(1, p.Report.Response.Count+p.Report.Dropped))
	}),
	figure("per move", "%.1f µs", func(p *Probe) float64 {
		return p.ServerCPU * p.Report.Seconds / float64(max(1, p.Report.Response.Count)) * 1e6
	}),
	figure("to a user", "%.2f KB/s", func(p *Probe) float64 { return p.Report.Bytes.In / 1000 }),
	figure("from a user", "%.2f KB/s", func(p *Probe) float64 { return p.Report.Bytes.Out / 1000 }),
}, processors...)

var promotionTable = append(table{
	figure("promotions", "%.0f", func(p *Probe) float64 { return float64(p.Report.Promotions.Count) }),
	figure("longest", "%.0f ms", func(p *Probe) float64 { return p.Report.Promotions.Max }),
	area("area stood still", "%.0f ms", func(a *Areas) float64 { return a.Paused.Max }),
}, processors...)

// area is a figure of the servers of areas, where there are such.
func area(head, format string, value func(a *Areas) float64) column {
	return column{head, func(p *Probe) string {
		if p.Areas == nil {
			return "?"
		}
		return fmt.Sprintf(format, value(p.Areas))
	}}
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
