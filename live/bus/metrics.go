package bus

import "github.com/prometheus/client_golang/prometheus"

var (
	descDatagrams = prometheus.NewDesc("throng_bus_datagrams_total", "Datagrams to and from other processes.", []string{"direction"}, nil)
	descDrops     = prometheus.NewDesc("throng_bus_drops_total", "Datagrams on the way to or from other processes that were dropped, "+
		"by reason: queue (too many waited for the bus), disconnected, idle (for a node that is nowhere), refused (by the node, or it "+
		"is no longer here), overrun (they came faster than they were taken), malformed (requests included).", []string{"reason"}, nil)
	descQueue   = prometheus.NewDesc("throng_bus_queue_datagrams", "Datagrams that wait for the bus.", nil, nil)
	descMembers = prometheus.NewDesc("throng_bus_members", "Processes that have joined this one.", nil, nil)
	descLost    = prometheus.NewDesc("throng_bus_lost_processes", "Processes that the world began with and that are gone.", nil, nil)
	descGone    = prometheus.NewDesc("throng_bus_lost_server_nodes", "Server nodes that are gone with the processes they ran in.", nil, nil)
)

// Describe says nothing in advance: what is collected does not clash with anything.
func (b *Bus) Describe(chan<- *prometheus.Desc) {}

// Collect has Prometheus see the counters.
func (b *Bus) Collect(out chan<- prometheus.Metric) {
	c := b.Counters()
	counter := func(d *prometheus.Desc, value int64, label string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), label)
	}
	counter(descDatagrams, c.Sent, "out")
	counter(descDatagrams, c.Received, "in")
	counter(descDrops, c.Dropped, "queue")
	counter(descDrops, c.Failed, "disconnected")
	counter(descDrops, c.Idle, "idle")
	counter(descDrops, c.Refused, "refused")
	counter(descDrops, c.Missed, "overrun")
	counter(descDrops, c.Malformed, "malformed")
	gauge := func(d *prometheus.Desc, value int) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value))
	}
	gauge(descQueue, c.Waiting)
	gauge(descMembers, c.Members)
	gauge(descLost, c.Lost)
	gauge(descGone, c.LostServers)
}
