package bare

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"throng/live/bots"
	"throng/live/bots/fleet"
)

// Load is a crowd of users for the bare server.
type Load struct {
	URL       string // of its WebSocket
	Field     Field
	Users     int
	Observers int           // of them, who look at what they get
	Ramp      time.Duration // until all are there
	Settle    time.Duration // after that, until measuring begins
	Duration  time.Duration // of measuring
	Dial      fleet.Dial    // opens connections; nil for over the network
}

const (
	speed     = 20  // how far a user walks between two records, in centimetres
	turnMost  = 0.2 // by how much users turn, in radians
	remembers = 16  // of how many records it is known when they were sent
	connects  = 16  // connections that are opened at a time
)

// crowd is what all users share.
type crowd struct {
	load      *Load
	users     []*user
	measuring bool
	delays    fleet.Histogram
	lost      map[string]int
}

// user is one of them.
type user struct {
	crowd   *crowd
	conn    *fleet.Conn
	id      uint32 // its number among all
	x, y    float64
	heading float64
	record  record
	seq     uint32
	sent    [remembers]time.Duration
	next    time.Duration
	pulse   fleet.Pulse
	newest  []uint32 // for observers: the number of each other's last record
}

// Run lets the users do their thing, from a single worker, and reports what they saw. When ctx is done it stops early.
func (l *Load) Run(ctx context.Context) *bots.Report {
	f := fleet.New(1, l.Dial)
	defer f.Close()
	c := &crowd{load: l, lost: map[string]int{}}
	for i := range l.Users {
		u := &user{crowd: c, id: uint32(i), x: rand.Float64() * float64(l.Field.Side), y: rand.Float64() * float64(l.Field.Side), heading: rand.Float64() * 2 * math.Pi}
		if i < l.Observers {
			u.newest = make([]uint32, l.Users)
		}
		c.users = append(c.users, u)
	}
	r := &bots.Report{World: "field", Mechanism: "bare", Users: l.Users, Whole: l.Observers, Goodbyes: c.lost}
	r.Failures = fleet.Assemble(ctx, connects, l.Users, l.Ramp, func(ctx context.Context, i int) error {
		return f.Connect(ctx, l.URL, 0, c.users[i])
	})
	pause(ctx, l.Settle)
	f.Do(0, c.begin)
	f.Reset()
	runtime.GC()
	cpu := fleet.CPU()
	r.Began, r.Joined = time.Now(), f.Stats().Open
	pause(ctx, l.Duration)
	spent := time.Since(r.Began)
	stats := f.Stats()
	r.Seconds = spent.Seconds()
	r.Stayed = stats.Open
	r.Load = bots.Load{CPU: (fleet.CPU() - cpu).Seconds() / r.Seconds, Late: bots.SpreadOf(&stats.Late)}
	perUser := 1 / (r.Seconds * float64(max(1, r.Joined)))
	r.Bytes = bots.Bytes{In: float64(stats.BytesIn) * perUser, Out: float64(stats.BytesOut) * perUser}
	f.Do(0, func() { c.end(r, spent) })
	return r
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func (c *crowd) begin() {
	c.measuring = true
	for _, u := range c.users {
		u.pulse.Take()
	}
}

func (c *crowd) end(r *bots.Report, spent time.Duration) {
	c.measuring = false
	r.Updates.Interval = float64(Interval.Milliseconds())
	r.Updates.Due = int64(r.Joined) * int64(spent/Interval)
	for _, u := range c.users {
		r.Updates.Delivered += u.pulse.Take()
	}
	r.Delay = bots.SpreadOf(&c.delays)
}

// Open has the user send at a moment of its own within the interval.
func (u *user) Open(c *fleet.Conn, now time.Duration) {
	u.conn = c
	u.next = now + rand.N(Interval)
	c.WakeAt(u.next)
}

// Wake sends where the user has walked.
func (u *user) Wake(now time.Duration) {
	side := float64(u.crowd.load.Field.Side)
	u.heading += (2*rand.Float64() - 1) * turnMost
	dx, dy := speed*math.Cos(u.heading), speed*math.Sin(u.heading)
	if u.x+dx < 0 || u.x+dx > side || u.y+dy < 0 || u.y+dy > side {
		u.heading += math.Pi
		dx, dy = -dx, -dy
	}
	u.x, u.y = u.x+dx, u.y+dy
	u.seq++
	u.record.set(u.id, int32(u.x), int32(u.y), u.seq)
	u.sent[u.seq%remembers] = now
	u.conn.Send(u.record[:])
	for u.next <= now {
		u.next += Interval
	}
	u.conn.WakeAt(u.next)
}

// Frame takes the records of those in sight.
func (u *user) Frame(frame []byte, now time.Duration) {
	u.pulse.Beat(now, Interval)
	if u.newest == nil {
		return
	}
	for ; len(frame) >= RecordSize; frame = frame[RecordSize:] {
		r := (*record)(frame)
		id, seq := r.user(), r.seq()
		if id == u.id || int(id) >= len(u.newest) || seq <= u.newest[id] {
			continue
		}
		known := u.newest[id] != 0 // else it has just come into sight, and may have been sent long ago
		u.newest[id] = seq
		if other := u.crowd.users[id]; known && u.crowd.measuring && other.seq-seq < remembers {
			u.crowd.delays.Record(now - other.sent[seq%remembers])
		}
	}
}

// Closed counts who drops out while it matters.
func (u *user) Closed(err error, _ time.Duration) {
	if u.crowd.measuring {
		u.crowd.lost[err.Error()]++
	}
}
