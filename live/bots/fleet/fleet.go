// Package fleet holds thousands of WebSocket clients in one process, at as little cost as can be.
//
// Clients are spread over a few workers. A worker is a lock and an alarm clock: it calls its clients one at a time, so that
// they need no locks of their own and may share what they have with others of the same worker. All timers of a worker stand in
// one heap behind one goroutine, and another hears all its connections where the system can tell which of them something has
// come from (see direct): a message then costs one system call, and in steady state nothing is allocated. Other connections
// have a goroutine each, behind the WebSocket library (see library).
//
// Time is counted from the fleet's beginning, by one clock for all clients.
package fleet

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/lxzan/gws"

	"throng/live/socket"
)

// Client is one end of a connection. Its methods are called one at a time, and never at the same time as those of another
// client of its worker.
type Client interface {
	// Open is called first, when the connection is there.
	Open(c *Conn, now time.Duration)
	// Frame takes a message, which is valid during the call.
	Frame(frame []byte, now time.Duration)
	// Wake is called when the time has come that the client last asked for.
	Wake(now time.Duration)
	// Closed is called last, with the reason.
	Closed(err error, now time.Duration)
}

// Never is later than any time that comes.
const Never time.Duration = 1<<63 - 1

// Dial opens a connection.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Fleet is a number of clients.
type Fleet struct {
	Header http.Header // of the requests that open connections; to be set before the first

	dial    Dial
	began   time.Time
	workers []*worker
	done    chan struct{}
	open    sync.WaitGroup // connections
	all     sync.WaitGroup // goroutines
}

// worker calls its clients, one at a time.
type worker struct {
	fleet *Fleet
	rung  chan struct{} // holds a token when the first alarm has changed

	mu     sync.Mutex
	alarms alarms
	asleep time.Duration // until when the goroutine behind the alarms sleeps
	conns  map[*Conn]struct{}
	stats  Stats

	poller  *socket.Poller[*direct] // nil until there is a connection to be heard
	in, out []byte                  // what is being read and written
}

// enter counts a connection in.
func (w *worker) enter(c *Conn) {
	w.fleet.open.Add(1)
	w.conns[c] = struct{}{}
}

// ring sees to it that the first alarm is not slept through.
func (w *worker) ring() {
	if w.alarms.first() < w.asleep {
		w.asleep = 0
		select {
		case w.rung <- struct{}{}:
		default:
		}
	}
}

// Stats is what a worker or a whole fleet has done.
type Stats struct {
	Open                int   // connections
	FramesIn, FramesOut int64 // messages
	BytesIn, BytesOut   int64 // what they took on the connection, WebSocket headers included
	Late                Histogram
}

// New returns a fleet without clients. One worker for each processor is enough. With a nil dial connections are opened over
// the network.
func New(workers int, dial Dial) *Fleet {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	f := &Fleet{Header: http.Header{}, dial: dial, began: time.Now(), done: make(chan struct{})}
	for range workers {
		w := &worker{fleet: f, rung: make(chan struct{}, 1), conns: map[*Conn]struct{}{}}
		f.workers = append(f.workers, w)
		f.all.Go(w.run)
	}
	return f
}

// Now is the time since the fleet's beginning.
func (f *Fleet) Now() time.Duration { return time.Since(f.began) }

// Workers is how many there are.
func (f *Fleet) Workers() int { return len(f.workers) }

// Connect opens a connection for a client, whom a worker calls from then on.
func (f *Fleet) Connect(ctx context.Context, address string, worker int, client Client) error {
	w := f.workers[worker]
	c := &Conn{worker: w, client: client, place: unset}
	l := &library{conn: c}
	where, err := url.Parse(address)
	if err != nil {
		return err
	}
	d := &dialer{ctx: ctx, dial: f.dial, plain: where.Scheme == "ws", worker: w}
	var answer *http.Response
	l.socket, answer, err = gws.NewClient(l, &gws.ClientOption{
		Addr:               address,
		ReadBufferSize:     readBuffer,
		ReadMaxPayloadSize: messageMax,
		NewDialer:          func() (gws.Dialer, error) { return d, nil },
		NewSession:         func() gws.SessionStorage { return nil },
		RequestHeader:      f.Header.Clone(),
	})
	switch {
	case err != nil && answer != nil && answer.StatusCode >= http.StatusBadRequest:
		return fmt.Errorf("the server refused the connection: %s", answer.Status)
	case err != nil:
		return err
	}
	if d.tcp != nil {
		return w.adopt(c, d.tcp, d.early)
	}
	c.way = l
	f.Do(worker, func() { w.enter(c) })
	f.all.Go(l.socket.ReadLoop)
	return nil
}

// Do calls a function between calls of a worker's clients.
func (f *Fleet) Do(worker int, do func()) {
	w := f.workers[worker]
	w.mu.Lock()
	defer w.mu.Unlock()
	do()
}

// Stats is what the fleet has done since the last Reset.
func (f *Fleet) Stats() Stats {
	var sum Stats
	for i, w := range f.workers {
		f.Do(i, func() {
			s := &w.stats
			sum.Open += len(w.conns)
			sum.FramesIn += s.FramesIn
			sum.FramesOut += s.FramesOut
			sum.BytesIn += s.BytesIn
			sum.BytesOut += s.BytesOut
			sum.Late.Add(&s.Late)
		})
	}
	return sum
}

// Reset sets what is counted back to nothing.
func (f *Fleet) Reset() {
	for i, w := range f.workers {
		f.Do(i, func() { w.stats = Stats{} })
	}
}

// Close closes all connections and waits until their clients know.
func (f *Fleet) Close() {
	close(f.done)
	for i, w := range f.workers {
		var open []*Conn
		f.Do(i, func() {
			for c := range w.conns {
				open = append(open, c)
			}
		})
		for _, c := range open {
			c.Close()
		}
	}
	f.open.Wait()
	for _, w := range f.workers {
		if w.poller != nil {
			w.poller.Close()
		}
	}
	f.all.Wait()
}
