package bus

import (
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go"

	"throng/live/driver"
	"throng/live/hub"
	"throng/mechanism"
)

const (
	// arrivalsMax is how many messages may wait to be handed to the hub, which takes them at once.
	arrivalsMax = 1 << 14

	// subjectsMax bounds the memory for names of nodes, which clients can make up.
	subjectsMax = 1 << 16
)

// carrier carries datagrams between a hub and the bus.
type carrier struct {
	nc       *nats.Conn
	prefix   string // of nodes' subjects
	queue    *queue
	arrivals chan *nats.Msg
	hub      atomic.Pointer[hub.Hub]
	open     atomic.Bool // there are other processes; written under the lock

	mu   sync.Mutex
	here map[mechanism.NodeID]*nats.Subscription // of nodes that can be reached here; nil until open

	sent, dropped, failed, idle          atomic.Int64
	received, malformed, refused, missed atomic.Int64

	quit  chan struct{}
	ended sync.WaitGroup
}

func newCarrier(nc *nats.Conn, prefix string, limits driver.Limits) *carrier {
	c := &carrier{
		nc:       nc,
		prefix:   prefix,
		queue:    newQueue(limits),
		arrivals: make(chan *nats.Msg, arrivalsMax),
		here:     map[mechanism.NodeID]*nats.Subscription{},
		quit:     make(chan struct{}),
	}
	c.ended.Go(c.publish)
	c.ended.Go(c.deliver)
	return c
}

// close ends the goroutines. Nothing may be routed any more.
func (c *carrier) close() {
	close(c.quit)
	c.ended.Wait()
}

// Route is for hub.Config: it takes what is for nodes elsewhere. It never blocks.
func (c *carrier) Route(m mechanism.Message) bool {
	switch {
	case !c.open.Load() || !known(m.To):
		c.idle.Add(1)
		return false
	case headerSize+len(m.Payload) > messageMax || !c.queue.put(&m):
		c.dropped.Add(1)
		return false
	}
	return true
}

// publish sends what waits.
func (c *carrier) publish() {
	subjects := map[mechanism.NodeID]string{}
	for {
		select {
		case <-c.queue.ring:
		case <-c.quit:
			return
		}
		p := c.queue.take()
		start := 0
		for _, one := range p.list {
			subject, ok := subjects[one.to]
			if !ok {
				if len(subjects) == subjectsMax {
					clear(subjects)
				}
				subject = c.subject(one.to)
				subjects[one.to] = subject
			}
			if c.nc.Publish(subject, p.buf[start:one.end]) == nil {
				c.sent.Add(1)
			} else {
				c.failed.Add(1)
			}
			start = one.end
		}
		c.queue.done()
	}
}

func (c *carrier) subject(id mechanism.NodeID) string {
	return c.prefix + strconv.FormatUint(uint64(id), 10)
}

// Present is for hub.Config: it keeps the subscriptions to what the hub holds.
func (c *carrier) Present(id mechanism.NodeID, here bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch sub, was := c.here[id]; {
	case here == was:
	case here:
		c.here[id] = c.subscribe(id)
	default:
		c.unsubscribe(sub)
		delete(c.here, id)
	}
}

// start begins to carry: there are other processes from now on.
func (c *carrier) start(h *hub.Hub) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open.Load() {
		return
	}
	c.hub.Store(h)
	c.open.Store(true)
	for id := range c.here {
		c.here[id] = c.subscribe(id)
	}
}

// subscribe hears what is for a node. The caller holds the lock, here and below.
func (c *carrier) subscribe(id mechanism.NodeID) *nats.Subscription {
	if !c.open.Load() {
		return nil
	}
	sub, err := c.nc.ChanSubscribe(c.subject(id), c.arrivals)
	if err != nil {
		return nil // the connection is closed, and with it everything
	}
	return sub
}

func (c *carrier) unsubscribe(sub *nats.Subscription) {
	if sub == nil {
		return
	}
	c.missed.Add(missed(sub))
	sub.Unsubscribe() // fails only if it has ended already
}

// missed is how many messages came faster than they were taken.
func missed(sub *nats.Subscription) int64 {
	n, err := sub.Dropped()
	if err != nil {
		return 0
	}
	return int64(n)
}

// deliver hands what arrives to the hub.
func (c *carrier) deliver() {
	for {
		select {
		case msg := <-c.arrivals:
			c.receive(msg)
		case <-c.quit:
			return
		}
	}
}

func (c *carrier) receive(msg *nats.Msg) {
	to, err := strconv.ParseUint(msg.Subject[len(c.prefix):], 10, 32)
	m, ok := readDatagram(mechanism.NodeID(to), msg.Data)
	switch {
	case err != nil || !ok:
		c.malformed.Add(1)
	case c.hub.Load().Receive(m):
		c.received.Add(1)
	default:
		c.refused.Add(1)
	}
}

// Counters is what a bus has done so far.
type Counters struct {
	Sent      int64 // datagrams handed to the bus
	Dropped   int64 // for which the queue had no room, or which were too large
	Failed    int64 // that the bus did not take, since the connection is lost
	Idle      int64 // for nodes that cannot be anywhere
	Received  int64 // datagrams handed to nodes here
	Refused   int64 // that the node here had no room for, or that came for one that is not here any more
	Malformed int64 // messages that could not be read, among them requests
	Missed    int64 // that came faster than they could be taken
	Waiting   int   // datagrams in the queue
	Members   int   // processes that have joined this one

	Lost        int // processes that the world began with and that are gone
	LostServers int // servers' nodes that ran there
}

func (c *carrier) counters() Counters {
	count := Counters{
		Sent:      c.sent.Load(),
		Dropped:   c.dropped.Load(),
		Failed:    c.failed.Load(),
		Idle:      c.idle.Load(),
		Received:  c.received.Load(),
		Refused:   c.refused.Load(),
		Malformed: c.malformed.Load(),
		Missed:    c.missed.Load(),
		Waiting:   c.queue.waiting(),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, sub := range c.here {
		if sub != nil {
			count.Missed += missed(sub)
		}
	}
	return count
}
