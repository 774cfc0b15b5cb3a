package bus

import (
	"fmt"
	"testing"
	"throng/catalog"

	"throng/live/driver"
	"throng/live/hub"
	"throng/mechanism"
)

func TestQueueIsBounded(t *testing.T) {
	q := newQueue(driver.Limits{Datagrams: 3, Bytes: 100})
	m := mechanism.Message{From: 1, To: 2, Payload: make([]byte, 20)}
	for i := range 5 {
		if got, want := q.put(&m), i < 3; got != want {
			t.Errorf("datagram %d: %v, want %v", i, got, want)
		}
	}
	p := q.take()
	if len(p.list) != 3 || q.put(&m) {
		t.Errorf("%d taken; they count until they are published", len(p.list))
	}
	q.done()
	large := mechanism.Message{From: 1, To: 2, Payload: make([]byte, 100-headerSize+1)}
	if q.put(&large) || !q.put(&m) || q.waiting() != 1 {
		t.Errorf("%d wait; want the small one, not the one beyond all bytes", q.waiting())
	}
}

// A bus that does not take anything holds nobody up: what does not fit is dropped.
func TestFullQueueDrops(t *testing.T) {
	c := &carrier{queue: newQueue(driver.Limits{Datagrams: 10, Bytes: 1 << 10})} // nobody publishes
	c.open.Store(true)
	m := mechanism.Message{From: 1, To: 2, Payload: []byte("hello")}
	for range 25 {
		c.Route(m)
	}
	c.Route(mechanism.Message{From: 1, To: 0})
	c.Route(mechanism.Message{From: 1, To: 2, Payload: make([]byte, messageMax)})
	if got, want := c.counters(), (Counters{Waiting: 10, Dropped: 16, Idle: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestRoutingDoesNotAllocate(t *testing.T) {
	c := &carrier{queue: newQueue(DefaultQueue)}
	c.open.Store(true)
	m := mechanism.Message{From: 1, To: 2, Payload: make([]byte, 100)}
	for range 2 { // both halves of the queue get their memory
		for range 200 {
			c.Route(m)
		}
		c.queue.take()
		c.queue.done()
	}
	if n := testing.AllocsPerRun(100, func() { c.Route(m) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// catcher takes what comes for a person, and has room for so many more on the way.
type catcher struct{ room chan struct{} }

func (c *catcher) Send(mechanism.Message) bool { c.room <- struct{}{}; return true }
func (c *catcher) Close(string)                {}

// alone starts a process without anybody but one person, who says nothing by themselves.
func alone(b *testing.B, bus *Bus, conn hub.Conn) (*process, *hub.Seat) {
	b.Helper()
	p := run(b, bus, func(c *hub.Config) { c.Local = func(mechanism.Place) bool { return false } })
	seat, err := p.hub.Join("")
	if err == nil {
		_, err = p.hub.Attach(seat, conn, true)
	}
	if err != nil {
		b.Fatal(err)
	}
	return p, seat
}

// BenchmarkRoute sends datagrams from one process's hub to another's, so many at a time: one at a time it tells the delay, with
// many the rate. The first process has the NATS server, the second one is connected to it by TCP.
func BenchmarkRoute(b *testing.B) {
	config := Config{Catalog: catalog.Default(), Listen: "127.0.0.1:0"}
	for _, flying := range []int{1, 4096} {
		b.Run(fmt.Sprintf("flying=%d", flying), func(b *testing.B) {
			catch := &catcher{make(chan struct{}, flying)}
			one, err := Begin(dense("central"), config)
			if err != nil {
				b.Fatal(err)
			}
			first, ada := alone(b, one, catch)
			two, err := Join(b.Context(), one.JoinURL(), config)
			if err != nil {
				b.Fatal(err)
			}
			_, ben := alone(b, two, catch)
			if err := two.nc.Flush(); err != nil { // the server knows who is where
				b.Fatal(err)
			}
			m := mechanism.Message{To: ben.Place().ID, Payload: make([]byte, 100)}
			for range flying {
				catch.room <- struct{}{}
			}
			b.ReportAllocs()
			for b.Loop() {
				<-catch.room
				first.hub.Deliver(ada, m)
			}
			for range flying { // the last ones have come
				<-catch.room
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "msg/s")
		})
	}
}
