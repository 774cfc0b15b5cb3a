// Package logging writes a log without making anybody wait for whoever reads it.
//
// A server that writes to standard error itself is at the mercy of the other end: when that stops reading, a pipe's buffer fills
// and the next line blocks, with whatever lock is held at the time. Here lines wait in a queue of bounded size; what does not
// fit is dropped and counted, and the log says so once it gets through again.
package logging

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

const (
	linesMax = 1024    // that wait
	lineMax  = 4 << 10 // beyond which a line is cut
)

// Queue is a writer that never blocks and never fails. Each Write is a line, or several.
type Queue struct {
	handle  func(io.Writer) slog.Handler
	to      io.Writer
	dropped atomic.Int64 // in all

	mu     sync.Mutex
	closed bool
	lines  chan []byte
	ended  chan struct{}
}

// NewQueue returns a queue in front of a writer. Handle makes what lines are written by, here and by Logger.
func NewQueue(to io.Writer, handle func(io.Writer) slog.Handler) *Queue {
	q := &Queue{handle: handle, to: to, lines: make(chan []byte, linesMax), ended: make(chan struct{})}
	go q.run()
	return q
}

// Logger returns a logger that writes to the queue.
func (q *Queue) Logger() *slog.Logger { return slog.New(q.handle(q)) }

// Dropped is how many lines were lost so far.
func (q *Queue) Dropped() int64 { return q.dropped.Load() }

// Write implements io.Writer.
func (q *Queue) Write(line []byte) (int, error) {
	kept := bytes.Clone(line[:min(len(line), lineMax)])
	if len(kept) < len(line) {
		kept[lineMax-1] = '\n'
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		select {
		case q.lines <- kept:
			return len(line), nil
		default:
		}
	}
	q.dropped.Add(1)
	return len(line), nil
}

// run writes lines until the queue is closed and empty.
func (q *Queue) run() {
	defer close(q.ended)
	log := slog.New(q.handle(q.to))
	told := int64(0)
	for line := range q.lines {
		if _, err := q.to.Write(line); err != nil {
			q.dropped.Add(1) // it may get better: a disk that was full, a pipe with a new reader
			continue
		}
		if dropped := q.dropped.Load(); dropped > told {
			log.Warn("lines of the log were lost: nobody took them in time", "lines", dropped-told)
			told = dropped
		}
	}
}

// Close takes no more lines and waits until those that there are have been written, but not for longer than limit.
func (q *Queue) Close(limit time.Duration) {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.lines)
	}
	q.mu.Unlock()
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	select {
	case <-q.ended:
	case <-timeout.C:
	}
}

var descDropped = prometheus.NewDesc("throng_log_lines_lost_total", "Lines of the log that were lost since nobody took them in time.", nil, nil)

// Describe implements prometheus.Collector.
func (q *Queue) Describe(out chan<- *prometheus.Desc) { out <- descDropped }

// Collect implements prometheus.Collector.
func (q *Queue) Collect(out chan<- prometheus.Metric) {
	out <- prometheus.MustNewConstMetric(descDropped, prometheus.CounterValue, float64(q.Dropped()))
}
