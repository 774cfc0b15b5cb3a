package gateway

import (
	"time"

	"throng/world"
)

// window is what servers' wake-ups were like since it was last looked at.
type window struct {
	count               int
	took, tookMax, late world.Time // late is the greatest
}

func (w *window) add(late, took world.Time) {
	w.count++
	w.took += took
	w.tookMax = max(w.tookMax, took)
	w.late = max(w.late, late)
}

// Sample is how a world stood at one moment, and what happened since the one before.
type Sample struct {
	At         int64      `json:"at"` // milliseconds since 1970
	People     int        `json:"people"`
	Away       int        `json:"away"`
	Artificial int        `json:"artificial"`
	TickMean   float64    `json:"tick_mean"` // of servers' wake-ups, in milliseconds
	TickMax    float64    `json:"tick_max"`
	LateMax    float64    `json:"late_max"`
	Datagrams  [2]float64 `json:"datagrams"` // in and out, per second
	Bytes      [2]float64 `json:"bytes"`
	Dropped    float64    `json:"dropped"` // datagrams, for whatever reason, per second
	Queue      int        `json:"queue"`   // datagrams that wait for nodes here
	Waiting    int        `json:"waiting"` // bytes that wait for clients
}

// historySize is how many samples are kept: twenty minutes.
const historySize = 240

// history keeps the last samples.
type history struct {
	samples []Sample
	next    int // where the next one goes once all places are taken

	at      time.Time
	traffic Traffic
	dropped int64
}

func (h *history) add(s Sample) {
	if len(h.samples) < historySize {
		h.samples = append(h.samples, s)
		return
	}
	h.samples[h.next] = s
	h.next = (h.next + 1) % historySize
}

// list returns the samples in the order of time.
func (h *history) list() []Sample {
	return append(append([]Sample(nil), h.samples[h.next:]...), h.samples[:h.next]...)
}

// sample notes how things stand.
func (m *Monitor) sample(g *Gateway, now time.Time) {
	counters := g.hub.Counters()
	totals := g.totals()
	dropped := totals.Dropped + counters.Full + counters.Missed + counters.Unknown + g.drops.rate.Load() + g.drops.stray.Load()

	m.mu.Lock()
	defer m.mu.Unlock()
	w, h := m.window, &m.history
	m.window = window{}
	s := Sample{
		At: now.UnixMilli(), People: counters.People, Away: counters.Away, Artificial: counters.Artificial,
		TickMax: 1e3 * seconds(w.tookMax), LateMax: 1e3 * seconds(w.late),
		Queue: counters.Runners.Queue, Waiting: totals.waiting,
	}
	if w.count > 0 {
		s.TickMean = 1e3 * seconds(w.took) / float64(w.count)
	}
	if passed := now.Sub(h.at).Seconds(); !h.at.IsZero() && passed > 0 {
		rate := func(now, before int64) float64 { return float64(now-before) / passed }
		s.Datagrams = [2]float64{rate(totals.DatagramsIn, h.traffic.DatagramsIn), rate(totals.DatagramsOut, h.traffic.DatagramsOut)}
		s.Bytes = [2]float64{rate(totals.BytesIn, h.traffic.BytesIn), rate(totals.BytesOut, h.traffic.BytesOut)}
		s.Dropped = rate(dropped, h.dropped)
	}
	h.at, h.traffic, h.dropped = now, totals.Traffic, dropped
	h.add(s)
}

// totals are sums over all clients, those that are gone included.
type totals struct {
	Traffic
	waiting  int            // bytes that wait for clients
	partners int            // connections between clients, as they say
	open     map[string]int // connections by their kind
}

func (g *Gateway) totals() totals {
	t := totals{open: map[string]int{"websocket": 0, "webtransport": 0}}
	g.mu.Lock()
	defer g.mu.Unlock()
	t.Traffic = g.past
	for c := range g.clients {
		c.mu.Lock()
		t.add(&c.traffic)
		t.waiting += c.waitingBytes()
		t.partners += int(c.partners.Load())
		c.mu.Unlock()
		t.open[c.kind]++
	}
	return t
}

// waitingBytes is how much is to be written to the client. The caller holds the lock.
func (c *client) waitingBytes() int { return c.data.size() + c.control.size() }
