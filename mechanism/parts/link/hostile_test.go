package link

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// numbered writes the frame of a message that says where its link began, or that does not.
func numbered(dst []byte, mode Mode, number uint64, opening, final bool) []byte {
	f := frame{mode: mode, class: mechanism.Command, number: number, opening: opening, payload: []byte("x")}
	return f.append(dst, final, false)
}

func receiptOf(number uint64) []byte { return wire.AppendUint([]byte{byte(receipt)}, number) }

// impossible are datagrams that no honest node sends to one that has sent it nothing.
var impossible = map[string][]byte{
	"a receipt for what was never sent": append(numbered(nil, Reliable, 0, true, false), receiptOf(1<<30-1)...),
	"a receipt alone":                   receiptOf(1),
	"a run that was never sent":         {byte(receipt) | headOpening, 0, 2, 5, 5},
	"two receipts":                      append(receiptOf(0), receiptOf(0)...),
	"a number far ahead":                numbered(numbered(nil, Ordered, 0, true, false), Ordered, 1<<29, false, true),
	"a number just beyond the window":   numbered(numbered(nil, Ordered, 0, true, false), Ordered, windowSize, false, true),
	"several messages in a long one":    manyFrames(datagramMax + 3),
	"nothing":                           {},
}

// manyFrames is a datagram of so many bytes, with nothing but short unreliable messages in it.
func manyFrames(size int) []byte {
	var d []byte
	for len(d) < size {
		d = append(d, byte(Unreliable)|byte(mechanism.Control)<<headClass, 1, 'u')
	}
	return d
}

// acquaintances are the ways in which a node can know another.
var acquaintances = map[string]func(*end){
	"unknown":  func(a *end) { a.Expect(nil) },
	"expected": func(*end) {},
	"met":      func(a *end) { a.Meet(2, 0) },
	"forgotten": func(a *end) {
		a.take(0, mechanism.Message{From: 2, Payload: numbered(nil, Ordered, 0, true, true)})
		a.Forget(2)
		a.got = nil
	},
}

func TestImpossibleDatagrams(t *testing.T) {
	for name, datagram := range impossible {
		for how, prepare := range acquaintances {
			a, _ := pair(param.Default[Config]())
			prepare(a)
			peers := len(a.peers)
			a.out.Reset()
			if answers := a.take(0, mechanism.Message{From: 2, Payload: datagram}); len(answers) != 0 {
				t.Errorf("%s from one who is %s is answered", name, how)
			}
			if got, want := a.events(), fmt.Sprintf("malformed %d", len(datagram)); got != want {
				t.Errorf("%s from one who is %s is reported as %q, not %q", name, how, got, want)
			}
			if a.wants(t); len(a.peers) != peers || a.bodies.bytes != 0 {
				t.Errorf("%s from one who is %s leaves %d peers and %d bytes", name, how, len(a.peers), a.bodies.bytes)
			}
		}
	}
}

// A node that is not expected can be heard and answered, but nothing of it stays.
func TestStrangersCostNothing(t *testing.T) {
	for _, batching := range []world.Time{0, 10 * ms} {
		cfg := param.Default[Config]()
		cfg.Batching = batching
		a, _ := pair(cfg)
		a.Expect(func(id mechanism.NodeID) bool { return id == 2 })
		for id := mechanism.NodeID(3); id < 1000; id++ {
			a.take(0, mechanism.Message{From: id, Payload: numbered(nil, Ordered, 0, true, true)})
			if got := a.events(); got != "stranger 1" {
				t.Fatalf("reported %q", got)
			}
			a.take(0, mechanism.Message{From: id, Payload: numbered(nil, Ordered, 0, false, true)})
			a.Send(0, id, mechanism.Control, []byte("no"), Unreliable, &a.out)
			wantDatagrams(t, a.sent(), mechanism.Control)
			a.out.Reset()
		}
		a.wants(t)
		if len(a.peers) != 0 || a.Bytes() != 0 {
			t.Errorf("strangers have left %d links of %d bytes", len(a.peers), a.Bytes())
		}
	}
}

// Who is dismissed is a stranger from then on, unless expected still.
func TestForgottenCannotReturnByThemselves(t *testing.T) {
	a, _ := pair(param.Default[Config]())
	member := true
	a.Expect(func(mechanism.NodeID) bool { return member })
	a.take(0, mechanism.Message{From: 2, Payload: numbered(nil, Ordered, 0, true, true)})
	a.wants(t, "x")
	a.Forget(2)
	member = false
	a.take(0, mechanism.Message{From: 2, Payload: numbered(nil, Ordered, 7, true, true)})
	a.wants(t)
	a.Meet(2, 0)
	a.take(0, mechanism.Message{From: 2, Payload: numbered(nil, Ordered, 7, true, true)})
	a.wants(t, "x")
}

// greeter meets whoever says something, in the epoch that it says.
type greeter struct{ *Layer }

func (g greeter) Deliver(_ world.Time, m mechanism.Message, _ *mechanism.Outbox) bool {
	if m.Payload[0] != 'x' {
		g.Meet(m.From, uint32(m.Payload[0]))
	}
	return true
}

// A datagram is judged before its messages are handed over. A handler that meets the sender must not make possible what was
// not judged.
func TestMetInTheMiddleOfADatagram(t *testing.T) {
	for epoch := range uint32(2) {
		g := greeter{New(param.Default[Config](), 1, 0)}
		d := []byte{byte(Unreliable), 1, byte(epoch)}
		d = numbered(d, Ordered, firstOf(epoch), true, false)
		d = numbered(d, Ordered, firstOf(epoch)+1<<29, false, true)
		var out mechanism.Outbox
		if n := allocated(func() { g.Receive(0, mechanism.Message{From: 2, Payload: d}, g, &out) }); n > 1<<16 {
			t.Errorf("epoch %d: %d bytes allocated", epoch, n)
		}
	}
}

// A link that begins anew in a datagram is judged by its new beginning, not by how far the old one had come.
func TestBegunAnewInADatagram(t *testing.T) {
	a, _ := pair(param.Default[Config]())
	for n := range uint64(5000) {
		a.take(0, mechanism.Message{From: 2, Payload: numbered(nil, Reliable, n, n == 0, true)})
	}
	a.got = nil
	d := numbered(nil, Ordered, 1, true, false)
	d = numbered(d, Ordered, 5000+windowSize-1, false, true)
	a.out.Reset()
	a.take(0, mechanism.Message{From: 2, Payload: d})
	if got := a.events(); got != fmt.Sprintf("malformed %d", len(d)) {
		t.Errorf("reported %q", got)
	}
}

// What is left of an earlier holder's link is passed over, whatever its numbers; the rest of the datagram counts.
func TestOtherEpochsAreNotJudged(t *testing.T) {
	a, _ := pair(param.Default[Config]())
	a.Meet(2, 0)
	a.take(0, mechanism.Message{From: 2, Payload: numbered(nil, Ordered, 0, true, true)})
	a.out.Reset()
	d := numbered(nil, Ordered, firstOf(3)+5, false, false)
	a.take(0, mechanism.Message{From: 2, Payload: numbered(d, Ordered, 1, false, true)})
	a.wants(t, "x", "x")
	if got := a.events(); got != "stranger 1" {
		t.Errorf("reported %q", got)
	}
}

func TestEarlyMessagesAreBoundedInAll(t *testing.T) {
	a, _ := pair(param.Default[Config]())
	big := make([]byte, earlyMax/2)
	var f frame
	for id := mechanism.NodeID(2); id < 2+4*earlyAllMax/earlyMax; id++ {
		f = frame{mode: Ordered, opening: true, number: 1, since: 1, payload: big}
		a.take(0, mechanism.Message{From: id, Payload: f.append(nil, true, false)})
		a.out.Reset()
	}
	if a.ahead > earlyAllMax || a.bodies.bytes > earlyAllMax+1<<12 {
		t.Errorf("%d bytes are held back", a.bodies.bytes)
	}
	for id := range a.peers {
		a.Forget(id)
	}
	if a.ahead != 0 || a.bodies.bytes != 0 {
		t.Errorf("%d bytes, or %d, after all is forgotten", a.ahead, a.bodies.bytes)
	}
	if slices.ContainsFunc(a.bodies.list, func(b body) bool { return cap(b.data) > keptMax }) {
		t.Error("memory of long messages is kept")
	}
}

// allocated is how many bytes a call allocates.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// FuzzHostile plays a history that a hostile node may bring about: any sequence of datagrams, well formed or not, from nodes
// that are known, expected or neither, with links that are met and forgotten, messages sent and time passing between them.
func FuzzHostile(f *testing.F) {
	f.Add([]byte("\x00\x00\x0cabcdefghijkl"), false)
	for _, d := range impossible {
		f.Add(append([]byte{0, 0, byte(len(d))}, d...), false)
		f.Add(append([]byte{4, 1, 3, 1, 0, 1, byte(len(d))}, d...), true)
	}
	f.Fuzz(func(t *testing.T, script []byte, delayed bool) {
		cfg := param.Default[Config]()
		if delayed {
			cfg.Batching, cfg.ReceptionDelay, cfg.Receipts = 10*ms, 20*ms, 50*ms
		}
		a, _ := pair(cfg)
		a.Expect(func(id mechanism.NodeID) bool { return id <= 3 })
		now := world.Time(0)
		r := wire.NewReader(script)
		for steps := 0; r.Len() > 0 && steps < 400; steps++ {
			step, from := r.Byte()%6, mechanism.NodeID(2+r.Byte()%4)
			spent := allocated(func() { a.suffer(&r, step, from, &now) })
			if spent > 1<<20 {
				t.Fatalf("%d bytes for step %d of kind %d", spent, steps, step)
			}
			if next := a.Next(); next < now-cfg.Timeout {
				t.Fatalf("at %v it wants to have been woken at %v", now, next)
			}
			a.sent()
			a.out.Reset()
			a.got = nil
		}
		if len(a.peers) > 4 || a.Bytes() > 4*(earlyMax+waitingMax) {
			t.Fatalf("%d links, %d bytes", len(a.peers), a.Bytes())
		}
		for id := range mechanism.NodeID(6) {
			a.Forget(id)
		}
		if a.bodies.bytes != 0 || a.ahead != 0 || a.young.bytes != 0 {
			t.Fatalf("%d bytes are held after all is forgotten", a.bodies.bytes)
		}
	})
}

// suffer is one step of a history.
func (e *end) suffer(r *wire.Reader, step byte, from mechanism.NodeID, now *world.Time) {
	switch step {
	case 0, 1: // any bytes
		e.Receive(*now, mechanism.Message{From: from, Payload: r.Bytes()}, e, &e.out)
	case 2: // frames that can be read
		var d []byte
		for n := 1 + r.Byte()%4; n > 0; n-- {
			x := frame{mode: Mode(r.Byte() % 3), class: mechanism.Class(r.Byte()) % mechanism.Classes, number: r.UintMax(numberMax), payload: []byte("p")}
			if x.mode != Unreliable && r.Byte()%2 == 0 {
				x.opening, x.since = true, min(x.number, uint64(r.Byte()))
			}
			d = x.append(d, n == 1, e.stamped())
		}
		e.Receive(*now, mechanism.Message{From: from, Payload: d}, e, &e.out)
	case 3:
		e.Send(*now, from, mechanism.Command, []byte("out"), Mode(r.Byte()%3), &e.out)
	case 4:
		e.Meet(from, uint32(r.Byte()%3))
	case 5:
		*now += world.Time(r.Byte()) * 5 * ms
		e.Wake(*now, e, &e.out)
	}
}
