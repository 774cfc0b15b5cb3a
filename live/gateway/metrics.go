package gateway

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"throng/live/hub"
)

// metricsHandler serves what monitors have measured and how gateways and hubs stand: those of all rooms at the first, else of one.
func (g *Gateway) metricsHandler() http.Handler {
	own := prometheus.NewRegistry()
	labelled(own, g.config.Room).MustRegister(&collector{g})
	g.gathered = prometheus.Gatherers{g.config.Monitor.registry, own}
	if g.config.Beside == nil {
		own.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		list := g.gathered
		for _, room := range g.rooms() {
			if g.config.Beside == nil && room != g {
				list = append(list, room.gathered...)
			}
		}
		promhttp.HandlerFor(list, promhttp.HandlerOpts{}).ServeHTTP(w, r)
	})
}

// labelled has everything that is registered say which room it is about, where there are several.
func labelled(r prometheus.Registerer, room string) prometheus.Registerer {
	if room == "" {
		return r
	}
	return prometheus.WrapRegistererWith(prometheus.Labels{"room": room}, r)
}

// collector reads the counters of a gateway and its hub when somebody asks.
type collector struct{ gate *Gateway }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	descUsers = describe("throng_users", "Users of the world, by who plays them: a person, an artificial player, or nobody "+
		"for the moment because a person's connection was lost (away).", "kind")
	descServers     = describe("throng_server_nodes", "Server nodes in this process.")
	descConnections = describe("throng_connections", "Open connections, by transport.", "transport")
	descQueue       = describe("throng_queue_datagrams", "Datagrams that wait for nodes in this process, by kind of node.", "node")
	descWaiting     = describe("throng_waiting_bytes", "Bytes that wait to be written to clients.")
	descDatagrams   = describe("throng_datagrams_total", "Datagrams from and to clients.", "direction")
	descFrames      = describe("throng_frames_total", "Frames from and to clients; one frame holds any number of datagrams.", "direction")
	descBytes       = describe("throng_bytes_total", "Bytes of frames from and to clients, before what the transport adds.", "direction")
	descSignals     = describe("throng_signals_total", "Signals by which clients connect to each other.")
	descBetween     = describe("throng_between_clients_total", "Datagrams from client to client, by way: direct (as clients say) or relayed here.", "way")
	descPartners    = describe("throng_direct_connections", "Connections between clients, as they say; each counts at both ends.")
	descRouted      = describe("throng_routed_datagrams_total", "Datagrams handed to their receiver, whether it runs here or at a client.")
	descForwarded   = describe("throng_forwarded_datagrams_total", "Datagrams handed to other processes.")
	descDrops       = describe("throng_drops_total", "Datagrams (frames where they could not be read) that were dropped, by reason: "+
		"queue (a client's was full), mailbox (a node's was full), away (nobody is connected), unknown (no such node), "+
		"rate (a client sent more than it may), stray (to a node that clients do not speak to), malformed.", "reason")
	descRefused = describe("throng_refused_total", "Clients that were refused, by reason: connections (there are too many), address (too many "+
		"from there), joins (too many have asked for a seat from there), full (all seats are taken), busy (servers do not keep up), evicted (a connection did nothing, "+
		"and others needed the place).", "reason")
	descSlowed     = describe("throng_slowed_ratio", "How long servers in this process let pass between updates, over how long it ought to be: 1 unless they do not keep up.")
	descOverloaded = describe("throng_overloaded", "Whether a server in this process does not keep up: 1 if so, and nobody is let in.")
	descPanics     = describe("throng_node_panics_total", "Calls that nodes in this process did not survive unharmed, each a bug; see /admin/panics.")
	descEnded      = describe("throng_connections_ended_total", "Connections that have ended, by reason.", "reason")
	descBusy       = describe("throng_busy_seconds_total", "How long the nodes that now run in this process have worked.", "node")
)

// Describe says nothing in advance: what is collected does not clash with anything.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

func (c *collector) Collect(out chan<- prometheus.Metric) {
	put := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, kind, value, labels...)
	}
	gauge := func(d *prometheus.Desc, value int, labels ...string) {
		put(d, prometheus.GaugeValue, float64(value), labels...)
	}
	counter := func(d *prometheus.Desc, value int64, labels ...string) {
		put(d, prometheus.CounterValue, float64(value), labels...)
	}

	counters, totals := c.gate.hub.Counters(), c.gate.totals()
	gauge(descUsers, counters.People, string(hub.Person))
	gauge(descUsers, counters.Artificial, string(hub.Artificial))
	gauge(descUsers, counters.Away, string(hub.Away))
	gauge(descServers, counters.Servers)
	for kind, n := range totals.open {
		gauge(descConnections, n, kind)
	}
	gauge(descWaiting, totals.waiting)
	c.collectNodes(gauge, put)

	counter(descDatagrams, totals.DatagramsIn, "in")
	counter(descDatagrams, totals.DatagramsOut, "out")
	counter(descFrames, totals.FramesIn, "in")
	counter(descFrames, totals.FramesOut, "out")
	counter(descBytes, totals.BytesIn, "in")
	counter(descBytes, totals.BytesOut, "out")
	counter(descSignals, c.gate.meeting.signals.Load())
	counter(descBetween, c.gate.meeting.direct.Load(), "direct")
	counter(descBetween, c.gate.meeting.relayed.Load(), "relayed")
	gauge(descPartners, totals.partners)
	counter(descRouted, counters.Routed-counters.Full)
	counter(descForwarded, counters.Forwarded)

	drops := &c.gate.drops
	counter(descDrops, totals.Dropped, "queue")
	counter(descDrops, counters.Runners.Dropped, "mailbox")
	counter(descDrops, counters.Missed, "away")
	counter(descDrops, counters.Unknown, "unknown")
	counter(descDrops, drops.rate.Load(), "rate")
	counter(descDrops, drops.stray.Load(), "stray")
	counter(descDrops, drops.malformed.Load(), "malformed")

	overloaded := 0
	if c.gate.hub.Overloaded() {
		overloaded = 1
	}
	gauge(descOverloaded, overloaded)
	put(descSlowed, prometheus.GaugeValue, c.gate.hub.Slowed())
	_, panics := c.gate.hub.Failures()
	counter(descPanics, panics)
	for r := range reasons {
		if c.gate.config.Beside != nil {
			break // the first room's gateway counts for all
		}
		counter(descRefused, c.gate.admission.refused[r].Load(), r.String())
	}
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	for _, e := range endings {
		counter(descEnded, c.gate.ended[e], e.code)
	}
}

// collectNodes sums up what nodes that run here have to do.
func (c *collector) collectNodes(gauge func(*prometheus.Desc, int, ...string),
	put func(*prometheus.Desc, prometheus.ValueType, float64, ...string)) {
	var queue [2]int
	var busy [2]float64
	for _, n := range c.gate.hub.Nodes() {
		kind := 0
		if n.Place.User == 0 {
			kind = 1
		}
		queue[kind] += n.Runner.Queue
		busy[kind] += seconds(n.Runner.Busy)
	}
	for i, kind := range [...]string{"artificial", "server"} {
		gauge(descQueue, queue[i], kind)
		put(descBusy, prometheus.CounterValue, busy[i], kind)
	}
}
