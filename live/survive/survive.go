package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"throng/catalog"
	"throng/live/bots"
	"throng/live/cluster"
	"throng/world"
	"throng/world/random"
)

// config is what is done.
type config struct {
	program          string
	world, mechanism string
	time, every      time.Duration
	users            int
	seed             uint64
	verbose          bool
	faults           []fault // what is done
	inTurn           bool    // one after the other; else they are drawn

	disks    *disks   // where processes keep the world; nil for nowhere
	replicas int      // 0 for as many as a world that is to survive
	args     []string // further ones
}

// result is what came of it.
type result struct {
	report        *bots.Report
	kills, pauses int
	fills         int  // disks that were full
	confirmed     int  // actions that users were told to be final
	lost          int  // of these, that no server remembers
	twice         int  // actions that were carried out again
	checked       bool // servers under this mechanism say what they carry out
	said          []string
	gaps          gaps
}

// gaps are the longest between two updates of users who have kept their connections, by what was last done to a process.
type gaps struct {
	mu      sync.Mutex
	last    fault // faults before anything was done
	began   time.Time
	out     io.Writer // is told of long ones; nil for nobody
	longest [faults + 1]time.Duration
}

// longGap is what users of other processes should not notice at all.
const longGap = 350 * time.Millisecond

// ended notes a gap that is over.
func (g *gaps) ended(lasted time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.longest[g.last] = max(g.longest[g.last], lasted)
	if lasted > longGap && g.out != nil {
		fmt.Fprintf(g.out, "a gap of %d ms ended %d ms later\n", lasted.Milliseconds(), time.Since(g.began).Milliseconds())
	}
}

// follow says what has just been done.
func (g *gaps) follow(what fault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last, g.began = what, time.Now()
}

func (g *gaps) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	text := fmt.Sprintf("before %d ms", g.longest[faults].Milliseconds())
	for what := range faults {
		if g.longest[what] != 0 {
			text += fmt.Sprintf(", %s %d ms", what, g.longest[what].Milliseconds())
		}
	}
	return text
}

func (r *result) String() string {
	return fmt.Sprintf("%d kills, %d pauses, %d full disks; %d of %d users stayed; longest gap %s; %d came back after p50 %.0f, p90 %.0f, at most %.0f ms, %d with a new node; %d confirmed actions, %d lost, %d done twice",
		r.kills, r.pauses, r.fills, r.report.Stayed, r.report.Joined, &r.gaps, r.report.Returns.Count, r.report.Returns.P50, r.report.Returns.P90, r.report.Returns.Max,
		r.report.Renewed, r.confirmed, r.lost, r.twice)
}

// verdict says what is wrong with a result.
func (r *result) verdict() error {
	switch {
	case r.confirmed == 0:
		return errors.New("nobody was told that anything is final")
	case r.lost > 0:
		return fmt.Errorf("%d actions were lost that somebody was told to be final", r.lost)
	case r.report.Stayed < r.report.Joined:
		return fmt.Errorf("%d users did not come back", r.report.Joined-r.report.Stayed)
	case len(r.said) > 0:
		return fmt.Errorf("a process said %q", r.said[0])
	}
	return nil
}

// diary is every action that users were told to be final.
type diary struct {
	mu    sync.Mutex
	final map[world.User]map[uint32]bool
}

func (d *diary) confirmed(u world.User, seq uint32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.final[u] == nil {
		d.final[u] = map[uint32]bool{}
	}
	d.final[u][seq] = true
}

// survive runs a world, has users act in it, does things to its processes, and looks what is left.
func survive(ctx context.Context, c config, out io.Writer) (*result, error) {
	w, err := begin(ctx, &c)
	if err != nil {
		return nil, err
	}
	defer w.end()
	d := &diary{final: map[world.User]map[uint32]bool{}}
	r := &result{gaps: gaps{last: faults}}
	if c.verbose {
		r.gaps.out = out
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var faulty sync.WaitGroup
	faulty.Go(func() { w.torment(ctx, &c, r, out) })
	r.report, err = bots.Run(ctx, bots.Config{
		URL: w.admin(), Users: c.users, Whole: c.users, Ramp: time.Second, Settle: 2 * time.Second, Duration: c.time, Seed: c.seed, Confirmed: d.confirmed,
		Gap: r.gaps.ended,
	}, catalog.Default())
	cancel()
	faulty.Wait()
	if err != nil {
		return nil, fmt.Errorf("%w; it said: %s", err, w.said.String())
	}
	r.said = w.complaints()
	return r, r.look(w.admin(), d)
}

// look looks for all actions that were final.
func (r *result) look(admin string, d *diary) error {
	answer, err := http.Get(admin + "/admin/ledger")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var list []cluster.Entry
	if err := json.NewDecoder(answer.Body).Decode(&list); err != nil {
		return fmt.Errorf("the ledger cannot be read: %w", err)
	}
	r.checked = len(list) > 0
	for u, final := range d.final {
		r.confirmed += len(final)
		at := slices.IndexFunc(list, func(e cluster.Entry) bool { return e.User == u })
		for seq := range final {
			if r.checked && (at < 0 || !list[at].Did(seq)) {
				r.lost++
			}
		}
	}
	for _, e := range list {
		if d.final[e.User] != nil { // artificial players begin anew, with their first action
			r.twice += e.Twice
		}
	}
	return nil
}

// fault is something that is done to a process.
type fault int

const (
	killed fault = iota
	paused
	filled
	faults
)

func (f fault) String() string {
	return [...]string{"after a kill", "in a pause", "with a full disk"}[f]
}

// pauseTime is for how long a process is paused.
const pauseTime = 5 * time.Second

// torment does something to one process after the other, as long as ctx lasts. There is time in between for another one to be started.
func (w *cast) torment(ctx context.Context, c *config, r *result, out io.Writer) {
	dice := random.New(c.seed, "torment")
	for i := 0; ; i++ {
		select {
		case <-time.After(c.every):
		case <-ctx.Done():
			return
		}
		if !w.whole(ctx, c.every) {
			continue
		}
		what := c.faults[dice.Below(uint64(len(c.faults)))]
		if c.inTurn {
			what = c.faults[i%len(c.faults)]
		}
		pids := w.living()
		victim := pids[dice.Below(uint64(len(pids)))]
		if i < 3 {
			victim = pids[0] // each of those that it began with, the first one first
		}
		r.gaps.follow(what)
		switch what {
		case killed:
			fmt.Fprintf(out, "%s/%s: kill %d\n", c.world, c.mechanism, victim)
			w.kill(victim)
			r.kills++
		case paused:
			fmt.Fprintf(out, "%s/%s: pause %d for %v\n", c.world, c.mechanism, victim, pauseTime)
			w.pause(ctx, victim)
			r.pauses++
		case filled:
			n := 1 + i%replicas
			fmt.Fprintf(out, "%s/%s: the disk of folder %d is full\n", c.world, c.mechanism, n)
			if err := w.fill(ctx, c.disks, n); err != nil {
				fmt.Fprintf(out, "%s/%s: %v\n", c.world, c.mechanism, err)
				continue
			}
			r.fills++
		}
	}
}
