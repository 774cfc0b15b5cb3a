package gateway

import (
	"sync"
	"time"

	"throng/live/protocol"
	"throng/live/thin"
	"throng/mechanism"
)

// pipe is how bytes get to a client. One goroutine at a time sends; shut may be called by any, and more than once.
type pipe interface {
	// wrap appends a frame as it goes out.
	wrap(dst, frame []byte) []byte
	// farewell appends what the transport itself says at the end, if anything.
	farewell(dst []byte, e *ending) []byte
	// probe is something that the client's side answers by itself, wrapped; empty if the transport sees to that.
	probe() string
	// begin sends frames that are wrapped and then a data frame that is not, as far as it goes without waiting, and reports
	// whether that was all. Either may be nil. They hold until everything is sent.
	begin(control, data *buffer) (all bool, err error)
	// later has resume called when more can be sent. It reports false if that cannot be: then wait is called.
	later() bool
	// resume sends on, and reports whether that was the end of it.
	resume() (done bool, err error)
	// wait sends the rest, however long it takes.
	wait() error
	// finish says that nothing more will be sent.
	finish()
	// shut ends the connection at once.
	shut()
	// end lets go of a connection that was shut, when nobody uses it any more.
	end()
}

// outgoing is what goes to a client.
//
// Datagrams gather in one data frame until it is the client's turn to be written to. Writers take clients off one queue and
// never wait for one: what a socket does not take at once is left to the poller that hears the client or, where there is none, to
// a goroutine that lives for as long as it takes. A client at rest thus has neither a goroutine for writing nor a buffer; and the more there is to do, the more datagrams
// share a frame.
type outgoing struct {
	mu       sync.Mutex
	data     *buffer   // a data frame in the making; nil for none
	control  *buffer   // wrapped frames, of other kinds or full; nil for none
	welcomed bool      // data may go out
	busy     bool      // the client is in the writers' queue or being written to
	stuck    time.Time // since when it has not taken what is being written; zero if it takes it
	end      *ending   // why the connection is being closed; nil while it is not
	endSince time.Time
	unread   bool // nothing more comes from the client
	traffic  Traffic

	// For whoever is writing:
	nowData, nowControl *buffer
	waiting             func() // the method wait, made into a function once
}

// Traffic counts what went to and came from clients. Bytes are those of frames, before what the transport adds.
type Traffic struct {
	DatagramsIn, DatagramsOut int64
	FramesIn, FramesOut       int64
	BytesIn, BytesOut         int64
	Dropped                   int64 // datagrams that there was no room for
}

func (t *Traffic) add(u *Traffic) {
	t.DatagramsIn += u.DatagramsIn
	t.DatagramsOut += u.DatagramsOut
	t.FramesIn += u.FramesIn
	t.FramesOut += u.FramesOut
	t.BytesIn += u.BytesIn
	t.BytesOut += u.BytesOut
	t.Dropped += u.Dropped
}

// Send implements hub.Conn.
func (c *client) Send(m mechanism.Message) bool {
	c.mu.Lock()
	if !c.talks() {
		c.mu.Unlock()
		return false
	}
	more := protocol.ItemOverhead + len(m.Payload)
	if c.control.size()+c.data.size()+more > c.gate.config.Limits.Queue {
		c.traffic.Dropped++
		c.mu.Unlock()
		return false
	}
	if c.welcomed && c.data.size() > 0 && c.data.size()+more > frameFull {
		c.wrapData()
	}
	if c.data == nil {
		c.data = c.data.ready()
		c.data.b = protocol.AppendData(c.data.b)
	}
	c.data.b = protocol.AppendItem(c.data.b, m.From, m.Class, m.Payload)
	c.traffic.DatagramsOut++
	c.schedule()
	c.mu.Unlock()
	return true
}

// frameFull is how long a data frame gets if it has more than one datagram. Clients have nothing of a frame until they have
// all of it: over a narrow line what comes first would wait for what comes last.
const frameFull = 8 << 10

// wrapData ends the data frame in the making: it goes out before the next. The caller holds the lock.
func (c *client) wrapData() {
	c.control = c.control.ready()
	c.control.b = c.pipe.wrap(c.control.b, c.data.b[headMax:])
	c.data = c.data.free()
}

// say queues a frame of another kind than data, unless too many wait already.
func (c *client) say(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.talks() && c.control.size() < c.gate.config.Limits.Queue {
		c.control = c.control.ready()
		c.control.b = c.pipe.wrap(c.control.b, frame)
		c.schedule()
	}
}

// welcome queues the first frame. Datagrams that came before it follow.
func (c *client) welcome(frame []byte) {
	c.mu.Lock()
	c.welcomed = true
	c.mu.Unlock()
	c.say(frame)
}

// raw queues bytes that are wrapped already, unless too many wait.
func (c *client) raw(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.talks() && c.control.size() < c.gate.config.Limits.Queue {
		c.control = c.control.ready()
		c.control.b = append(c.control.b, b...)
		c.schedule()
	}
}

// talks reports whether anything is still to be said to the client. The caller holds the lock.
func (c *client) talks() bool { return c.end == nil && !c.unread }

// Close implements hub.Conn.
func (c *client) Close(reason string) { c.dismiss(endingOf(reason), time.Now()) }

// dismiss tells the client why it has to go. Its connection is closed once it has heard, or has had time enough.
func (c *client) dismiss(e *ending, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.talks() {
		return
	}
	c.end, c.endSince = e, now
	c.closing.Store(true)
	if c.data != nil && c.welcomed { // nothing may follow the goodbye
		c.wrapData()
	}
	c.control, c.data = c.control.ready(), c.data.free()
	c.control.b = c.pipe.wrap(c.control.b, c.goodbye(e))
	c.control.b = c.pipe.farewell(c.control.b, e)
	c.schedule()
}

// goodbye is the last frame.
func (c *client) goodbye(e *ending) []byte {
	if c.thin != nil {
		return thin.Goodbye(c.thin.format, e.code, e.text)
	}
	return protocol.AppendGoodbye(nil, e.text)
}

// probe asks the client for a sign of life.
func (c *client) probe(now time.Time) {
	if ping := c.pipe.probe(); ping != "" {
		c.raw([]byte(ping))
		return
	}
	c.heard.Store(monotonic(now)) // the transport asks by itself, and would have ended the connection
}

// schedule has the client written to if anything waits and nobody is at it. The caller holds the lock. The queue has room:
// it has for as many as there can be connections, and nobody is in it twice.
func (c *client) schedule() {
	if !c.busy && (c.control != nil || c.data != nil && c.welcomed) {
		c.busy = true
		c.gate.ready <- c
	}
}

// flush writes what waits, or begins to.
func (c *client) flush() {
	c.mu.Lock()
	c.nowControl, c.control = c.control, nil
	if c.welcomed {
		c.nowData, c.data = c.data, nil
	}
	c.count()
	c.mu.Unlock()
	all, err := c.pipe.begin(c.nowControl, c.nowData)
	if all || err != nil {
		c.sent(err)
		return
	}
	c.mu.Lock()
	c.stuck = time.Now()
	c.mu.Unlock()
	if c.pipe.later() {
		return
	}
	if c.waiting == nil {
		c.waiting = c.wait
	}
	go c.waiting()
}

// resume goes on with what could not be written at once.
func (c *client) resume() {
	if done, err := c.pipe.resume(); done {
		c.sent(err)
	}
}

func (c *client) count() {
	for _, b := range [...]*buffer{c.nowControl, c.nowData} {
		if b != nil {
			c.traffic.FramesOut++
			c.traffic.BytesOut += int64(b.size())
		}
	}
}

func (c *client) wait() { c.sent(c.pipe.wait()) }

// sent goes on after everything was written, or could not be.
func (c *client) sent(err error) {
	c.nowControl, c.nowData = c.nowControl.free(), c.nowData.free()
	c.mu.Lock()
	c.busy, c.stuck = false, time.Time{}
	if err != nil {
		c.control, c.data = c.control.free(), c.data.free()
	}
	c.schedule()
	over := !c.busy && c.unread
	finish := !c.busy && c.end != nil
	c.mu.Unlock()
	switch {
	case over:
		c.release()
	case err != nil:
		c.pipe.shut()
	case finish:
		c.pipe.finish()
	}
}

// finishReading says that nothing more comes from the client. What has been said to it still goes out, if it goes at once.
func (c *client) finishReading() {
	c.mu.Lock()
	c.unread = true
	c.data = c.data.free()
	over := !c.busy
	c.mu.Unlock()
	if over {
		c.release()
	}
}

// release ends the connection, when nothing comes from it any more and nobody writes to it.
func (c *client) release() {
	c.pipe.shut()
	c.pipe.end()
	c.gate.remove(c)
}
