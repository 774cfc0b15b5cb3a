package measure

import (
	"math"
	"slices"

	"throng/lab/churn"
	"throng/lab/sim"
	"throng/lab/stats"
	"throng/mechanism"
	"throng/world"
)

var lifeFigures = []string{
	"join.mean", "join.p50", "join.p90", "join.p99", "join.failed",
	"outage.mean", "outage.max", "silence.mean", "silence.max",
	"thrown", "actions.lost", "recovery.bytes",
}

// What a failure does to others is looked for within these times.
const (
	acquaintance = world.Second      // who heard from a node so shortly before it failed is concerned
	aftermath    = 10 * world.Second // for how long after a failure the others' silence counts
)

// Life measures what coming, going and failing costs: how long it takes to join, how long those concerned by a failure and
// everybody else hear nothing, who is thrown out, what is lost and what recovery takes on the wire.
type Life struct {
	now   func() world.Time
	quiet bool // nothing happens in this run
	nodes []life
	heard map[hearing]world.Time // when a user's node last got news from another
	open  []failure

	join              series
	joins, failed     int
	outages, silences stats.Running
	thrown, lost      int
	confirmed         int  // actions that are final, since the world last began
	told              bool // whether nodes say what is final
	recovery          stats.Running
}

// life is what is known of one node.
type life struct {
	host    *sim.Host
	up      bool
	inside  bool // its user is in the world, and it takes part
	starts  bool // it has begun and does not take part yet
	began   world.Time
	bytes   int64      // sent and received since it began
	news    world.Time // when it last got some
	counted bool       // its start counts, since it was after the warm-up
	waits   []wait     // for news from nodes that have failed
}

type wait struct {
	from  mechanism.NodeID
	since world.Time
}

type hearing struct{ from, to mechanism.NodeID }

// failure is a node's end whose effect on others is still being looked at.
type failure struct {
	at, until world.Time
	gaps      map[mechanism.NodeID]world.Time // of those not concerned, the longest time without news so far
}

// NewLife watches r.
func NewLife(r *sim.Run) *Life {
	l := &Life{now: r.Now, quiet: len(r.Setup().Timeline.Events) == 0, heard: map[hearing]world.Time{}}
	for _, h := range r.Hosts() {
		n := l.of(h)
		n.up = h.Node != nil
		n.inside = n.up && h.Place.User != 0
	}
	return l
}

// of is what is known of a host's node.
func (l *Life) of(h *sim.Host) *life {
	for len(l.nodes) < int(h.Place.ID) {
		l.nodes = append(l.nodes, life{})
	}
	n := &l.nodes[h.Place.ID-1]
	n.host = h
	return n
}

// Begin implements sim.Beginner. What began before does not count.
func (l *Life) Begin(world.Time) {
	l.join, l.outages, l.silences, l.recovery = series{}, stats.Running{}, stats.Running{}, stats.Running{}
	l.joins, l.failed, l.thrown, l.lost = 0, 0, 0, 0 // what is confirmed can be lost later, and counts
	l.open = nil
	for i := range l.nodes {
		l.nodes[i].counted, l.nodes[i].waits = false, nil
	}
}

// Started implements sim.LifeObserver.
func (l *Life) Started(h *sim.Host, now world.Time, e *churn.Event) {
	n := l.of(h)
	n.up, n.news = true, now // what it missed while it was away is no silence
	if e.Kind.Keeps() {
		return
	}
	n.starts, n.counted, n.inside, n.began, n.bytes = true, true, false, now, 0
	if h.Place.User != 0 {
		l.joins++
	}
}

// Stopped implements sim.LifeObserver.
func (l *Life) Stopped(h *sim.Host, now world.Time, e *churn.Event) {
	n := l.of(h)
	if n.starts && n.counted && h.Place.User != 0 {
		l.failed++
	}
	l.gap(n, now)
	n.up, n.starts = false, n.starts && e.Kind.Keeps()
	if !e.Kind.Keeps() {
		n.inside = false
	}
	l.giveUp(n, now)
	if e.Kind != churn.Leave || h.Place.User == 0 {
		l.fail(h, now)
	}
}

// giveUp ends a node's waiting, since it or the run is over.
func (l *Life) giveUp(n *life, now world.Time) {
	for _, w := range n.waits {
		l.outages.Add(seconds(now - w.since))
	}
	n.waits = nil
}

// fail notes who is concerned by a node's end, and looks at everybody else from now on.
func (l *Life) fail(h *sim.Host, now world.Time) {
	f := failure{at: now, until: now + aftermath, gaps: map[mechanism.NodeID]world.Time{}}
	for i := range l.nodes {
		n := &l.nodes[i]
		if !n.up || n.host == nil || n.host.Place.User == 0 {
			continue
		}
		id := n.host.Place.ID
		if last, ok := l.heard[hearing{h.Place.ID, id}]; ok && now-last <= acquaintance {
			n.waits = append(n.waits, wait{h.Place.ID, now})
		} else {
			f.gaps[id] = 0
		}
	}
	l.open = append(l.open, f)
}

// Sent implements sim.PacketObserver.
func (l *Life) Sent(h *sim.Host, _ mechanism.Message, size int) {
	if n := l.of(h); n.starts {
		n.bytes += int64(size)
	}
}

// Received implements sim.PacketObserver.
func (l *Life) Received(h *sim.Host, m mechanism.Message, size int) {
	n := l.of(h)
	if n.starts {
		n.bytes += int64(size)
	}
	if l.quiet || h.Place.User == 0 || m.Class == mechanism.Control || m.Class == mechanism.Receipt {
		return
	}
	now := l.now()
	l.heard[hearing{m.From, h.Place.ID}] = now
	n.waits = slices.DeleteFunc(n.waits, func(w wait) bool {
		// What was on the way when the node failed says nothing of its return.
		back := w.from == m.From && int(m.From) <= len(l.nodes) && l.nodes[m.From-1].up
		if back {
			l.outages.Add(seconds(now - w.since))
		}
		return back
	})
	l.gap(n, now)
	n.news = now
}

// gap notes how long a node has been without news, with all failures that are looked at.
func (l *Life) gap(n *life, now world.Time) {
	for i := range l.open {
		f := &l.open[i]
		if longest, other := f.gaps[n.host.Place.ID]; other {
			f.gaps[n.host.Place.ID] = max(longest, min(now, f.until)-max(n.news, f.at))
		}
	}
}

// Tick implements sim.TickObserver.
func (l *Life) Tick(now world.Time) {
	if l.quiet {
		return
	}
	for i := range l.nodes {
		if n := &l.nodes[i]; n.up && n.host != nil {
			l.look(n, now)
		}
	}
	for len(l.open) > 0 && l.open[0].until <= now {
		l.close(now)
	}
}

// look finds out whether a node takes part, and whether its user has come into the world or was thrown out of it.
func (l *Life) look(n *life, now world.Time) {
	part := true
	if a, ok := n.host.Node.(mechanism.Arriving); ok {
		part = a.Ready()
	}
	user := n.host.Place.User
	inside := part && (user == 0 || inWorld(n.host.View(), user))
	switch {
	case n.starts && inside:
		n.starts = false
		if n.counted {
			l.recovery.Add(float64(n.bytes))
			if user != 0 {
				l.join.add(now - n.began)
			}
		}
	case user != 0 && n.inside && !inside:
		l.thrown++
	}
	n.inside = inside
}

// inWorld reports whether anything in a view is a user's.
func inWorld(view *world.State, u world.User) bool {
	if view == nil {
		return false
	}
	for o := range view.All() {
		if o.User == u {
			return true
		}
	}
	return false
}

// close ends looking at the first failure.
func (l *Life) close(now world.Time) {
	for i := range l.nodes {
		if n := &l.nodes[i]; n.up && n.host != nil {
			l.gap(n, now)
		}
	}
	for id := range mechanism.NodeID(len(l.nodes) + 1) { // in the order of nodes: sums of floats depend on it
		if gap, ok := l.open[0].gaps[id]; ok {
			l.silences.Add(seconds(gap))
		}
	}
	l.open = l.open[1:]
}

// Event implements sim.EventObserver.
func (l *Life) Event(_ *sim.Host, _ world.Time, e mechanism.Event) {
	switch e.Name {
	case mechanism.Confirmed:
		l.told = true
		l.confirmed++
	case mechanism.Restarted:
		l.lost += l.confirmed
		l.confirmed = 0
	}
}

// Report implements Probe.
func (l *Life) Report(_ world.Time, emit Emit) {
	now := l.now()
	for len(l.open) > 0 {
		l.close(now)
	}
	unfinished := l.failed
	for i := range l.nodes {
		l.giveUp(&l.nodes[i], now) // what lasts still, lasts until now at least
		if n := &l.nodes[i]; n.up && n.starts && n.counted && n.host.Place.User != 0 {
			unfinished++
		}
	}
	l.join.report("join", emit)
	emit("join.failed", "", share(unfinished, l.joins))
	emit("outage.mean", "s", l.outages.Mean())
	emit("outage.max", "s", l.outages.Max())
	emit("silence.mean", "s", l.silences.Mean())
	emit("silence.max", "s", l.silences.Max())
	thrown, lost := math.NaN(), math.NaN()
	if !l.quiet {
		thrown = float64(l.thrown)
	}
	if l.told {
		lost = float64(l.lost)
	}
	emit("thrown", "users", thrown)
	emit("actions.lost", "actions", lost)
	emit("recovery.bytes", "B", l.recovery.Mean())
}

// share is a part of a whole, or NaN if there is none.
func share(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}
