package cluster

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

var (
	descProcesses = prometheus.NewDesc("throng_cluster_processes", "Processes that the world lives on.", nil, nil)
	descLeads     = prometheus.NewDesc("throng_cluster_leads", "1 if this process leads: what the world's servers send leaves it.", nil, nil)
	descApplied   = prometheus.NewDesc("throng_cluster_applied_entries_total", "Entries of the log that this process has applied. How far it lags is the difference to the leader's.", nil, nil)
	descDropped   = prometheus.NewDesc("throng_cluster_drops_total", "What was dropped: datagrams to servers for which there was no room or nobody who led (inbox), or to other processes (mesh).", []string{"at"}, nil)
)

// newAgreement measures how long it takes to agree on a batch.
func newAgreement() prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "throng_cluster_agreement_seconds",
		Help:    "How long after it was proposed a batch of what servers are handed was agreed on, at the leader: what replicas add to the time of an answer, besides the wait for the batch before.",
		Buckets: prometheus.ExponentialBuckets(50e-6, 1.5, 24), // 50 µs to 0.5 s
	})
}

func (k *Cluster) agreed(took time.Duration) { k.agreement.Observe(took.Seconds()) }

// Describe says nothing in advance: what is collected does not clash with anything.
func (k *Cluster) Describe(chan<- *prometheus.Desc) {}

// Collect has Prometheus see how this process stands.
func (k *Cluster) Collect(out chan<- prometheus.Metric) {
	k.agreement.Collect(out)
	leads := 0.0
	if k.leader() == k.self.number {
		leads = 1
	}
	gauge := func(d *prometheus.Desc, value float64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value)
	}
	gauge(descProcesses, float64(len(k.Processes())))
	gauge(descLeads, leads)
	counter := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
	}
	counter(descApplied, float64(k.group.applied.Load()))
	k.inbox.mu.Lock()
	dropped := k.inbox.dropped
	k.inbox.mu.Unlock()
	counter(descDropped, float64(dropped), "inbox")
	counter(descDropped, float64(k.mesh.dropped.Load()), "mesh")
}
