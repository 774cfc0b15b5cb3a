package gateway

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"throng/mechanism"
	"throng/world"
)

// Monitor measures a live world. It is made before the hub, whose configuration takes the methods Acted, Event and Woken.
type Monitor struct {
	registry *prometheus.Registry
	into     prometheus.Registerer // the same, with the room's name

	took, late    [2]prometheus.Observer // by whether it is a server's
	events        *prometheus.CounterVec
	confirmed     prometheus.Observer
	reached, seen prometheus.Observer
	actions       actions

	mu      sync.Mutex
	window  window
	history history
}

// NewMonitor returns a monitor of a room, or of the only one if it has no name, that has seen nothing.
func NewMonitor(room string) *Monitor {
	m := &Monitor{registry: prometheus.NewRegistry()}
	m.into = labelled(m.registry, room)

	fine := prometheus.ExponentialBuckets(20e-6, 2, 17) // 20 µs to 1.3 s
	took := m.histogram("throng_wake_duration_seconds", "How long a wake-up of a node took, by what kind of node it was. "+
		"A server's is a tick: when it comes near the length of a tick, the server is at its limit.", fine, "node")
	late := m.histogram("throng_wake_lateness_seconds", "How much later than it asked for a node was woken.", fine, "node")
	for i, kind := range [...]string{"artificial", "server"} {
		m.took[i], m.late[i] = took.WithLabelValues(kind), late.WithLabelValues(kind)
	}

	coarse := prometheus.ExponentialBuckets(1e-3, 1.6, 18) // 1 ms to 3 s
	delay := m.histogram("throng_observation_delay_seconds", "How long after an artificial player acted the "+
		"action took effect: at a server, in the view of another user, or for good in the player's own view. Of the nodes in this "+
		"process only, so without the way over the network, and as far as the mechanism reports it. A sample of all actions.",
		coarse, "at")
	m.reached, m.seen, m.confirmed = delay.WithLabelValues("server"), delay.WithLabelValues("other"), delay.WithLabelValues("own")

	m.events = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "throng_node_events_total",
		Help: "What nodes in this process have reported: messages that were malformed, late or repeated, rollbacks, dropped actions."},
		[]string{"event"})
	m.into.MustRegister(m.events)
	return m
}

// Register has /metrics show what somebody else has counted.
func (m *Monitor) Register(c prometheus.Collector) { m.into.MustRegister(c) }

func (m *Monitor) histogram(name, help string, buckets []float64, label string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, []string{label})
	m.into.MustRegister(h)
	return h
}

// Woken is for hub.Config.
func (m *Monitor) Woken(p mechanism.Place, late, took world.Time) {
	kind := 0
	if p.User == 0 {
		kind = 1
		m.mu.Lock()
		m.window.add(late, took)
		m.mu.Unlock()
	}
	m.took[kind].Observe(seconds(took))
	m.late[kind].Observe(seconds(late))
}

// Acted is for hub.Config.
func (m *Monitor) Acted(p mechanism.Place, a *world.Action) {
	if sampled(a.User, a.Seq) {
		m.actions.put(a.User, a.Seq, time.Now())
	}
}

// Event is for hub.Config.
func (m *Monitor) Event(p mechanism.Place, e mechanism.Event) {
	switch e.Name {
	case mechanism.Applied, mechanism.Confirmed, mechanism.Executed:
		m.follow(p, e)
	default:
		m.events.WithLabelValues(e.Name).Inc()
	}
}

// follow measures how long after it was taken an action has an effect.
func (m *Monitor) follow(p mechanism.Place, e mechanism.Event) {
	if e.User == 0 || !sampled(e.User, e.Seq) {
		return
	}
	began, ok := m.actions.get(e.User, e.Seq)
	if !ok {
		return
	}
	passed := time.Since(began).Seconds()
	switch own := p.User == e.User; {
	case p.User == 0:
		if e.Name == mechanism.Executed {
			m.reached.Observe(passed)
		}
	case own && e.Name == mechanism.Confirmed:
		m.confirmed.Observe(passed)
	case !own && e.Name == mechanism.Applied:
		m.seen.Observe(passed)
	}
}

// seconds is a time as Prometheus likes it.
func seconds(t world.Time) float64 { return time.Duration(t).Seconds() }

const (
	actionsMax = 1 << 12 // how many actions are followed at a time; later ones push out earlier ones
	sampleOf   = 8       // of so many actions one is followed
)

// actions remembers when actions were taken.
type actions struct {
	shards [64]struct {
		sync.Mutex
		slots [actionsMax / 64]action
	}
}

type action struct {
	user world.User
	seq  uint32
	at   time.Time
}

func mix(u world.User, seq uint32) uint64 {
	h := (uint64(u)<<32 | uint64(seq)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// sampled decides which actions are followed: the same at every node.
func sampled(u world.User, seq uint32) bool { return mix(u, seq)>>8%sampleOf == 0 }

func (a *actions) put(u world.User, seq uint32, at time.Time) {
	h := mix(u, seq)
	s := &a.shards[h>>58]
	s.Lock()
	s.slots[h>>12%uint64(len(s.slots))] = action{u, seq, at}
	s.Unlock()
}

func (a *actions) get(u world.User, seq uint32) (at time.Time, ok bool) {
	h := mix(u, seq)
	s := &a.shards[h>>58]
	s.Lock()
	x := s.slots[h>>12%uint64(len(s.slots))]
	s.Unlock()
	return x.at, x.user == u && x.seq == seq && u != 0
}
