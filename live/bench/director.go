//go:build linux

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"throng/live/bots"
)

// director has everything measured, one thing after the other.
type director struct {
	out      string
	limit    time.Duration
	duration time.Duration
	only     string
	users    int
	idle     int
	profile  string
	set      settings

	deadline time.Time
	results  Results
}

// Results is what was found, as it is written down.
type Results struct {
	Cases []*Case `json:"cases"`
	Idle  *Idle   `json:"idle,omitempty"`
}

// Case is one server with one kind of crowd.
type Case struct {
	Name   string   `json:"name"` // the workload and the server, as in "spread/bare"
	Held   int      `json:"held"` // the largest number of users that was held
	Ratio  float64  `json:"ratio,omitempty"`
	Best   *Probe   `json:"best,omitempty"` // how it was with that number
	Probes []*Probe `json:"probes"`
	guess  int      // of how many users are held
	users  int      // how many are to be measured; 0 looks for the largest number that is held
}

// parts are the workload and the variant of the server.
func (c *Case) parts() (mode, variant string) {
	mode, variant, _ = strings.Cut(c.Name, "/")
	return mode, variant
}

func (c *Case) workload() *workload {
	mode, _ := c.parts()
	return workloads[mode]
}

// Probe is one number of users on one server.
type Probe struct {
	Users     int          `json:"users"`
	Held      bool         `json:"held"`
	ServerCPU float64      `json:"server_cpu"` // processors
	PerUpdate float64      `json:"per_update"` // processor time of the server for each update delivered, in µs
	Others    float64      `json:"others"`     // processors that other programs took: more than a little spoils the figures
	Areas     *Areas       `json:"areas,omitempty"`
	Slowed    Slowed       `json:"slowed"`
	Report    *bots.Report `json:"report"`
}

// Idle is what users cost who do nothing.
type Idle struct {
	Users     int     `json:"users"`
	PerUser   float64 `json:"bytes_per_user"` // of the server's memory
	ServerCPU float64 `json:"server_cpu"`
}

// errOver says that the time is over.
var errOver = errors.New("the time is over")

func (d *director) run(ctx context.Context) error {
	if err := raiseFiles(); err != nil {
		return err
	}
	d.deadline = time.Now().Add(d.limit)
	d.results.Cases = cases()
	for _, c := range d.results.Cases {
		if !d.wants(c) {
			continue
		}
		if err := d.find(ctx, c); err != nil && !errors.Is(err, errOver) {
			return err
		}
	}
	if d.idle > 0 && (d.only == "" || d.only == "idle") {
		if err := d.measureIdle(ctx); err != nil {
			return err
		}
	}
	d.results.compare()
	if err := d.results.Write(os.Stdout); err != nil {
		return err
	}
	return d.save()
}

func (d *director) save() error {
	if err := os.MkdirAll(filepath.Dir(d.out), 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(&d.results, "", "  ")
	if err != nil {
		return err
	}
	fmt.Println("\neverything:", d.out)
	return os.WriteFile(d.out, append(text, '\n'), 0o644)
}

// wants says whether a case is asked for: by its name, by its workload, or as one of all.
func (d *director) wants(c *Case) bool {
	mode, _ := c.parts()
	return d.only == "" || d.only == c.Name || d.only == mode
}

// find measures the number of users that is asked for, or looks for the largest that is held.
func (d *director) find(ctx context.Context, c *Case) error {
	if users := cmp.Or(d.users, c.users); users > 0 {
		return d.try(ctx, c, users)
	}
	return c.workload().ladder.climb(c.guess, func(users int) (held bool, err error) {
		if time.Now().After(d.deadline) {
			return false, errOver
		}
		return d.holds(ctx, c, users)
	})
}

// tries is how often a number is tried before it counts as too large: what else runs on the host can make either server slower by a
// tenth for some seconds.
const tries = 3

// holds says whether a number of users is held.
func (d *director) holds(ctx context.Context, c *Case, users int) (bool, error) {
	for range tries {
		if err := d.try(ctx, c, users); err != nil {
			return false, err
		}
		if c.Probes[len(c.Probes)-1].Held {
			return true, nil
		}
	}
	return false, nil
}

// kindBare is the server that is none of ours.
const kindBare = "bare"

// try measures one number of users.
func (d *director) try(ctx context.Context, c *Case, users int) error {
	p := &part{users: users, duration: d.duration, set: d.set}
	p.mode, p.variant = c.parts()
	kind := "throng"
	if p.variant == kindBare {
		kind = kindBare
	}
	s, err := d.start(ctx, "serve-"+kind, d.profiled(p))
	if err != nil {
		return err
	}
	defer s.end()
	p.url = s.address
	report, err := d.load(ctx, "load-"+kind, d.profiled(p))
	if err != nil {
		return err
	}
	probe := &Probe{Users: users, Report: report}
	var all float64
	probe.ServerCPU, all = s.used(report.Began, report.Seconds)
	probe.Others = max(0, all-probe.ServerCPU-report.Load.CPU)
	if n := report.Updates.Delivered; n > 0 {
		probe.PerUpdate = probe.ServerCPU * report.Seconds / float64(n) * 1e6
	}
	if p.workload().tallied {
		probe.Areas = s.fared(report.Began, report.Seconds, report.Bytes.Said*float64(report.Joined))
	}
	probe.Slowed = s.slowed(report.Began, report.Seconds)
	probe.Held = p.workload().held(probe)
	c.Probes = append(c.Probes, probe)
	if probe.Held && users > c.Held {
		c.Held, c.Best = users, probe
	}
	fmt.Fprintln(os.Stderr, probe.line(c))
	return nil
}

// profiled is a part with the profile that was asked for.
func (d *director) profiled(p *part) *part {
	with := *p
	with.profile = d.profile
	return &with
}

// measureIdle measures what the server holds for users who do nothing: what it holds with them, less what it held before.
func (d *director) measureIdle(ctx context.Context) error {
	p := &part{mode: "spread", users: d.idle, idle: true, duration: d.duration, set: d.set}
	s, err := d.start(ctx, "serve-throng", d.profiled(p))
	if err != nil {
		return err
	}
	defer s.end()
	before, err := memoryOf(s.cmd.Process.Pid)
	if err != nil {
		return err
	}
	p.url = s.address
	report, err := d.load(ctx, "load-throng", d.profiled(p))
	if err != nil {
		return err
	}
	// Not as of now: when users leave, all at once, there is much to do for a moment.
	_, last := s.ends(report.Began, report.Seconds)
	cpu, _ := s.used(report.Began, report.Seconds)
	d.results.Idle = &Idle{Users: report.Stayed, ServerCPU: cpu, PerUser: float64(last.memory-before) / float64(max(1, report.Stayed))}
	return nil
}
