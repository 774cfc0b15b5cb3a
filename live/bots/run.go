package bots

import (
	"context"
	"errors"
	"fmt"
	"time"

	"throng/catalog"
	"throng/live/bots/fleet"
	"throng/mechanism"
)

// joins is how many users ask for their seats at a time.
const joins = 16

// run is one run of the bots.
type run struct {
	ctx    context.Context
	config Config
	fleet  *fleet.Fleet
	crews  []*crew
	bots   []*bot

	gateways gateways
	began    time.Time // the present phase
	phase    string
}

// Run joins a server, lets users play and measures. When ctx is done it stops early and reports what it has.
func Run(ctx context.Context, config Config, c catalog.Catalog) (*Report, error) {
	if err := config.complete(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{ctx: ctx, config: config, fleet: fleet.New(config.Workers, config.Dial)}
	r.fleet.Header = config.header()
	defer r.fleet.Close()
	everybody := &roster{}
	for i := range config.Workers {
		crew := newCrew(&r.config, c, everybody)
		if config.Direct {
			crew.meeting = &meeting{config.local(), r.fleet, i}
		}
		r.crews = append(r.crews, crew)
	}
	for i := range config.Users {
		crew := r.crews[i%config.Workers]
		b := &bot{crew: crew, number: i, whole: config.whole(i), looks: config.whole(i), ways: ways{list: &r.gateways}}
		crew.bots = append(crew.bots, b)
		r.bots = append(r.bots, b)
	}
	stop := r.report()
	defer stop()

	door, err := newDoor(&config, joins)
	if err != nil {
		return nil, err
	}
	r.enter("joining")
	failures := fleet.Assemble(ctx, joins, config.Users, config.Ramp, func(ctx context.Context, i int) error { return r.join(ctx, door, i) })
	door.client.CloseIdleConnections()
	if r.fleet.Stats().Open == 0 {
		return nil, nobody(failures)
	}
	go r.gateways.follow(ctx)
	r.enter("settling")
	pause(ctx, config.Settle)
	if r.inside() == 0 && ctx.Err() == nil {
		return nil, fmt.Errorf("%d users are connected, but none of them has got into the world", r.fleet.Stats().Open)
	}
	r.enter("measuring")
	report := r.measure(ctx)
	report.Failures = failures
	r.each((*crew).end)
	r.each((*crew).stay)
	if config.Relief > 0 {
		r.dismiss(config.Stay)
		pause(ctx, config.Relief)
	}
	r.dismiss(0)
	return report, nil
}

// dismiss has all but some users leave.
func (r *run) dismiss(stay int) {
	r.each(func(c *crew) {
		for _, b := range c.bots {
			if b.number >= stay {
				b.leave()
			}
		}
	})
}

// nobody is the error when nobody got in: the reason that was given most often.
func nobody(failures map[string]int) error {
	most, why := 0, "interrupted"
	for reason, n := range failures {
		if n > most || n == most && reason < why {
			most, why = n, reason
		}
	}
	return fmt.Errorf("nobody got in: %s", why)
}

// join gets a user a seat and connects it.
func (r *run) join(ctx context.Context, d *door, i int) error {
	seat, err := d.ask(ctx, i)
	if err != nil {
		return err
	}
	b := r.bots[i]
	b.token = seat.Token
	if r.config.Direct {
		if seat.Direct == nil {
			return errors.New("the server offers no direct connections: see throng serve --direct; mechanisms whose users only speak to servers have none")
		}
		b.finders = seat.Direct.Servers
	}
	b.ways.connect = func(socket string) error { return r.fleet.Connect(r.ctx, socket, i%r.config.Workers, b) }
	if len(seat.Gateways) > 1 && !r.config.Here { // users are spread over them
		r.gateways.list.Store(&seat.Gateways)
		b.ways.next = i
		return b.ways.connect(r.gateways.socket(i))
	}
	return b.ways.connect(seat.WebSocket)
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// each calls a function with every crew, between calls of its bots.
func (r *run) each(f func(c *crew)) {
	for i, c := range r.crews {
		r.fleet.Do(i, func() { f(c) })
	}
}

// inside is how many users are in the world: their nodes take part.
func (r *run) inside() (n int) {
	r.each(func(c *crew) {
		for _, b := range c.bots {
			if b.machine != nil && b.machine.Ready() {
				n++
			}
		}
	})
	return n
}

// measure measures for as long as asked for.
func (r *run) measure(ctx context.Context) *Report {
	r.each((*crew).begin)
	r.fleet.Reset()
	cpu, began := fleet.CPU(), time.Now()
	report := &Report{Users: r.config.Users, Joined: r.inside(), Began: began, Goodbyes: map[string]int{}}
	pause(ctx, r.config.Duration)
	passed := time.Since(began)
	stats := r.fleet.Stats()
	report.Seconds = passed.Seconds()
	report.Stayed = stats.Open
	report.Load = Load{CPU: (fleet.CPU() - cpu).Seconds() / report.Seconds, Late: SpreadOf(&stats.Late)}
	perUser := 1 / (report.Seconds * float64(max(1, report.Joined)))
	report.Bytes = Bytes{In: float64(stats.BytesIn) * perUser, Out: float64(stats.BytesOut) * perUser}
	r.gather(report, passed)
	return report
}

// gather adds up what the crews have seen.
func (r *run) gather(report *Report, passed time.Duration) {
	var all findings
	var sight float64
	var served []int64
	r.each(func(c *crew) {
		for reason, n := range c.goodbyes {
			report.Goodbyes[reason] += n
		}
		if c.scene == nil {
			return
		}
		report.World, report.Mechanism = c.scene.named.World.Name, c.scene.named.Mechanism.Name
		report.Updates.Interval = milliseconds(c.scene.interval)
		sight = c.scene.sight
		for _, b := range c.bots {
			if b.machine == nil {
				continue
			}
			if b.whole {
				report.Whole++
			}
			if b.direct != nil {
				report.Direct.Add(b.direct.Counts())
			}
			if s, ok := b.machine.Node().(mechanism.Simulating); ok && s.Simulates() > 0 {
				report.Simulating++
			}
			report.Updates.Due += int64(passed / c.scene.interval)
			served = append(served, b.pulse.Take())
		}
		all.add(&c.findings)
	})
	report.Updates.count(served)
	all.describe(report, sight)
}

// enter begins a phase.
func (r *run) enter(phase string) {
	r.fleet.Do(0, func() { r.phase, r.began = phase, time.Now() })
}

// report tells of the progress once a second until the function that it returns is called.
func (r *run) report() (stop func()) {
	if r.config.Progress == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				r.config.Progress(r.progress())
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

func (r *run) progress() Progress {
	var p Progress
	r.fleet.Do(0, func() { p.Phase, p.Passed = r.phase, time.Since(r.began) })
	var delays fleet.Histogram
	r.each(func(c *crew) { delays.Add(&c.delays) })
	stats := r.fleet.Stats()
	p.Users, p.Delay, p.Late = stats.Open, SpreadOf(&delays), SpreadOf(&stats.Late)
	return p
}
