package link

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/world"
)

const ms = world.Millisecond

// end is one end of a link in the hands of a test.
type end struct {
	*Layer
	id      mechanism.NodeID
	out     mechanism.Outbox
	got     []string // messages handed over
	answer  string   // what to answer to every message, if anything
	refuse  bool     // whether to find every message unreadable
	forgets bool     // whether to forget the sender of every message
}

// newEnd returns an end that expects everybody.
func newEnd(cfg Config, id mechanism.NodeID, epoch uint32) *end {
	e := &end{Layer: New(cfg, id, epoch), id: id}
	e.Expect(anybody)
	return e
}

func anybody(mechanism.NodeID) bool { return true }

// pair returns two ends that are configured alike.
func pair(cfg Config) (a, b *end) {
	return newEnd(cfg, 1, 0), newEnd(cfg, 2, 0)
}

func (e *end) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	if e.refuse {
		return false
	}
	e.got = append(e.got, string(m.Payload))
	if e.answer != "" {
		e.Send(now, m.From, mechanism.Command, []byte(e.answer), Reliable, out)
	}
	if e.forgets {
		e.Forget(m.From)
	}
	return true
}

// send sends text to the other end and returns the datagrams that go at once.
func (e *end) send(now world.Time, mode Mode, text string) []mechanism.Message {
	e.Send(now, 3-e.id, mechanism.Command, []byte(text), mode, &e.out)
	return e.sent()
}

// take hands over datagrams and returns those that answer them.
func (e *end) take(now world.Time, datagrams ...mechanism.Message) []mechanism.Message {
	for _, m := range datagrams {
		e.Receive(now, m, e, &e.out)
	}
	return e.sent()
}

// wake wakes the layer and returns what it sends.
func (e *end) wake(now world.Time) []mechanism.Message {
	e.Wake(now, e, &e.out)
	return e.sent()
}

// sent takes the datagrams out of the outbox. Events stay.
func (e *end) sent() []mechanism.Message {
	var all []mechanism.Message
	for i := range e.out.Sends() {
		m := e.out.Message(i, e.id)
		m.Payload = bytes.Clone(m.Payload)
		all = append(all, m)
	}
	events := append([]mechanism.Event(nil), e.out.Events()...)
	e.out.Reset()
	for _, x := range events {
		e.out.Report(x)
	}
	return all
}

// events returns what was reported since it was last asked, as text.
func (e *end) events() string {
	var all []string
	for _, x := range e.out.Events() {
		all = append(all, fmt.Sprintf("%s %d", x.Name, x.Value))
	}
	e.out.Reset()
	return strings.Join(all, ", ")
}

func (e *end) wants(t *testing.T, texts ...string) {
	t.Helper()
	if got, want := strings.Join(e.got, " "), strings.Join(texts, " "); got != want {
		t.Errorf("node %d got %q, not %q", e.id, got, want)
	}
	e.got = nil
}

func wantDatagrams(t *testing.T, got []mechanism.Message, classes ...mechanism.Class) {
	t.Helper()
	var have []mechanism.Class
	for _, m := range got {
		have = append(have, m.Class)
	}
	if fmt.Sprint(have) != fmt.Sprint(classes) {
		t.Fatalf("datagrams of classes %v, not %v", have, classes)
	}
}

func wantNext(t *testing.T, e *end, want world.Time) {
	t.Helper()
	if got := e.Next(); got != want {
		t.Errorf("node %d wants to be woken at %v, not %v", e.id, got, want)
	}
}

func TestOverhead(t *testing.T) {
	a, b := pair(param.Default[Config]())
	for i, want := range []int{3, 2, 2} { // the first says that the link is new
		d := a.send(0, Reliable, "text")
		wantDatagrams(t, d, mechanism.Command)
		if got := len(d[0].Payload) - len("text"); got != want {
			t.Errorf("message %d costs %d bytes more than it has, not %d", i, got, want)
		}
		r := b.take(0, d...)
		wantDatagrams(t, r, mechanism.Receipt)
		if got := len(r[0].Payload); got != 2 {
			t.Errorf("receipt %d has %d bytes, not 2", i, got)
		}
		a.take(0, r...)
	}
	if d := a.send(0, Unreliable, "text"); len(d[0].Payload) != 5 {
		t.Errorf("an unreliable message of 4 bytes takes %d", len(d[0].Payload))
	}
	wantNext(t, a, world.Never)
	wantNext(t, b, world.Never)
}

func TestLostMessageIsRepeated(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.Adaptive = false
	a, b := pair(cfg)
	a.send(10*ms, Reliable, "x")
	wantNext(t, a, 260*ms)
	wantDatagrams(t, a.wake(259*ms))
	wantDatagrams(t, a.wake(260*ms), mechanism.Command)
	d := a.wake(510 * ms)
	wantDatagrams(t, d, mechanism.Command)
	if got := a.events(); got != "repeated 1, repeated 2" {
		t.Errorf("reported %q", got)
	}
	a.take(600*ms, b.take(550*ms, d...)...)
	b.wants(t, "x")
	wantNext(t, a, world.Never)
	wantDatagrams(t, a.wake(760*ms))
}

func TestOnlyTheLostMessageIsRepeated(t *testing.T) {
	a, b := pair(param.Default[Config]())
	var receipts []mechanism.Message
	for i, text := range []string{"1", "2", "3", "4"} {
		d := a.send(world.Time(i)*ms, Reliable, text)
		if text != "2" {
			receipts = append(receipts, b.take(50*ms, d...)...)
		}
	}
	a.take(100*ms, receipts[2]) // the last receipt speaks for all
	wantNext(t, a, 251*ms)
	d := a.wake(300 * ms)
	wantDatagrams(t, d, mechanism.Command)
	a.take(400*ms, b.take(350*ms, d...)...)
	b.wants(t, "1", "3", "4", "2")
	wantNext(t, a, world.Never)
}

func TestCopiesAreSuppressedAndAcknowledged(t *testing.T) {
	a, b := pair(param.Default[Config]())
	d := a.send(0, Reliable, "x")
	b.take(1*ms, d...)
	wantDatagrams(t, b.take(2*ms, d...), mechanism.Receipt) // the first receipt may have been lost
	late := a.send(3*ms, Reliable, "y")
	b.take(4*ms, late...)
	b.take(5*ms, late...)
	b.wants(t, "x", "y")
}

func TestMessagesThatTimeOutTogetherShareADatagram(t *testing.T) {
	a, b := pair(param.Default[Config]())
	for _, text := range []string{"1", "2", "3"} {
		a.send(0, Reliable, text)
	}
	d := a.wake(250 * ms)
	wantDatagrams(t, d, mechanism.Bundle)
	wantDatagrams(t, b.take(300*ms, d...), mechanism.Receipt)
	b.wants(t, "1", "2", "3")
}

func TestReceiptRidesOnAnAnswer(t *testing.T) {
	a, b := pair(param.Default[Config]())
	b.answer = "pong"
	d := b.take(0, a.send(0, Reliable, "ping")...)
	wantDatagrams(t, d, mechanism.Command)
	wantDatagrams(t, a.take(0, d...), mechanism.Receipt)
	a.wants(t, "pong")
	wantNext(t, a, world.Never)
}

func TestBatching(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.Batching = 30 * ms
	a, b := pair(cfg)
	wantDatagrams(t, a.send(0, Reliable, "1"))
	wantDatagrams(t, a.send(10*ms, Unreliable, "2"))
	wantDatagrams(t, a.send(20*ms, Ordered, "3"))
	wantNext(t, a, 30*ms)
	d := a.wake(30 * ms)
	wantDatagrams(t, d, mechanism.Bundle)

	// The receipt waits for a message to go with.
	wantDatagrams(t, b.take(80*ms, d...))
	b.wants(t, "1", "2", "3")
	b.send(90*ms, Reliable, "4")
	wantNext(t, b, 110*ms)
	d = b.wake(110 * ms)
	wantDatagrams(t, d, mechanism.Command)

	// Time-outs count from when the datagram went, and allow for the receipt's own wait.
	wantNext(t, a, 30*ms+250*ms+30*ms)
	a.take(160*ms, d...)
	a.wants(t, "4")
	wantNext(t, a, 190*ms)
	wantDatagrams(t, a.wake(190*ms), mechanism.Receipt)
	wantNext(t, a, world.Never)
}

func TestReceiptsWaitForCompany(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.Receipts = 100 * ms
	a, b := pair(cfg)

	// One goes with a message that happens to be sent.
	d := a.send(0, Reliable, "1")
	wantDatagrams(t, d, mechanism.Command)
	wantNext(t, a, 350*ms) // the time-out allows for the wait
	wantDatagrams(t, b.take(50*ms, d...))
	b.wants(t, "1")
	wantNext(t, b, 150*ms)
	d = b.send(60*ms, Unreliable, "2")
	wantDatagrams(t, d, mechanism.Command)
	wantNext(t, b, world.Never)
	a.take(110*ms, d...)
	a.wants(t, "2")
	wantNext(t, a, world.Never)

	// Another goes alone when nothing else does.
	b.take(200*ms, a.send(200*ms, Reliable, "3")...)
	b.wants(t, "3")
	wantDatagrams(t, b.wake(299*ms))
	wantDatagrams(t, b.wake(300*ms), mechanism.Receipt)
	wantNext(t, b, world.Never)

	// A stream is not held up.
	for range debtsMax - 1 {
		wantDatagrams(t, b.take(400*ms, a.send(400*ms, Reliable, "4")...))
	}
	wantDatagrams(t, b.take(400*ms, a.send(400*ms, Reliable, "4")...), mechanism.Receipt)
	wantNext(t, b, world.Never)
}

func TestAFullBatchGoesAtOnce(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.Batching = world.Second
	a, b := pair(cfg)
	text := strings.Repeat("x", 400)
	wantDatagrams(t, a.send(0, Reliable, text))
	wantDatagrams(t, a.send(0, Reliable, text))
	d := a.send(0, Reliable, text)
	wantDatagrams(t, d, mechanism.Bundle, mechanism.Command)
	for _, m := range d {
		if len(m.Payload) > datagramMax {
			t.Errorf("a datagram of %d bytes", len(m.Payload))
		}
	}
	b.take(0, d...)
	b.wants(t, text, text, text)

	// Nor does one that is too long for any datagram hold up others.
	long := strings.Repeat("y", 2*datagramMax)
	d = a.send(world.Second, Unreliable, long)
	wantDatagrams(t, d, mechanism.Command)
	b.take(world.Second, d...)
	b.wants(t, long)
}

func TestReceptionDelay(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.ReceptionDelay = 100 * ms
	for _, c := range []struct {
		sent, came, handed world.Time
	}{
		{0, 40 * ms, 100 * ms},
		{0, 100 * ms, 100 * ms},
		{0, 170 * ms, 170 * ms},
		{65_500 * ms, 65_560 * ms, 65_600 * ms}, // the stamp wraps round
		{10*ms + 1, 20 * ms, 111 * ms},          // stamps are whole milliseconds
		{50 * ms, 20 * ms, 120 * ms},            // the sender's clock is ahead: it waits no longer than the delay
	} {
		a, b := pair(cfg)
		b.take(c.came, a.send(c.sent, Reliable, "x")...)
		if c.handed > c.came {
			b.wants(t)
			wantNext(t, b, c.handed)
			b.wake(c.handed - 1)
			b.wants(t)
			b.wake(c.handed)
		}
		b.wants(t, "x")
		wantNext(t, b, world.Never)
	}
}

func TestReceptionDelayEvensOutJitter(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.ReceptionDelay = 100 * ms
	a, b := pair(cfg)
	first := a.send(0, Unreliable, "1")
	second := a.send(10*ms, Unreliable, "2")
	b.take(30*ms, second...)
	b.take(90*ms, first...)
	wantNext(t, b, 100*ms)
	b.wake(100 * ms)
	b.wants(t, "1")
	wantNext(t, b, 110*ms)
	b.wake(200 * ms)
	b.wants(t, "2")
}

func TestOrderedMessagesWaitForTheirTurn(t *testing.T) {
	a, b := pair(param.Default[Config]())
	var d [6][]mechanism.Message
	for i := range d {
		mode := Ordered
		if i == 3 {
			mode = Reliable
		}
		d[i] = a.send(0, mode, fmt.Sprint(i))
	}
	for _, i := range []int{1, 5, 3, 2} {
		wantDatagrams(t, b.take(0, d[i]...), mechanism.Receipt)
	}
	b.wants(t, "3") // which is not ordered
	b.take(0, d[0]...)
	b.wants(t, "0", "1", "2")
	b.take(0, d[4]...)
	b.wants(t, "4", "5")
	if b.bodies.bytes != 0 {
		t.Errorf("%d bytes are still held", b.bodies.bytes)
	}
}

func TestSendAll(t *testing.T) {
	for _, batching := range []world.Time{0, 10 * ms} {
		for _, mode := range []Mode{Unreliable, Reliable} {
			cfg := param.Default[Config]()
			cfg.Batching = batching
			l := New(cfg, 1, 0)
			var out mechanism.Outbox
			l.SendAll(0, []mechanism.NodeID{2, 3, 4}, mechanism.Update, []byte("news"), mode, &out)
			l.Wake(batching, nil, &out)
			if out.Sends() != 3 {
				t.Fatalf("%d datagrams", out.Sends())
			}
			for i := range 3 {
				m := out.Message(i, 1)
				e := newEnd(cfg, m.To, 0)
				e.take(batching, m)
				e.wants(t, "news")
				if m.To != mechanism.NodeID(i+2) || m.Class != mechanism.Update {
					t.Errorf("datagram %d is a %v to %d", i, m.Class, m.To)
				}
			}
		}
	}
}
