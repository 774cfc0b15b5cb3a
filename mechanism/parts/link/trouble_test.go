package link

import (
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// What follows is about the limits of a link, about what makes no sense, and about peers that are gone.

func TestMessagesTooManyToHoldGoEarly(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.ReceptionDelay = 100 * ms
	a, b := pair(cfg)
	long := strings.Repeat("x", youngMax/4)
	for i := range 4 {
		b.take(50*ms, a.send(world.Time(i)*ms, Ordered, fmt.Sprint(i)+long)...)
	}
	if len(b.got) != 1 || b.got[0][0] != '0' {
		t.Fatalf("%d messages went early", len(b.got))
	}
	b.wake(200 * ms)
	for i, text := range b.got {
		if text[0] != byte('0'+i) {
			t.Errorf("message %d is %c", i, text[0])
		}
	}
}

func TestNoMoreThanAWindowIsUnderWay(t *testing.T) {
	a, b := pair(param.Default[Config]())
	var d []mechanism.Message
	for range windowSize {
		d = append(d, a.send(0, Reliable, "x")...)
	}
	if len(d) != windowSize {
		t.Fatalf("%d of %d messages went", len(d), windowSize)
	}
	wantDatagrams(t, a.send(0, Reliable, "late"))
	wantDatagrams(t, a.send(0, Reliable, "later"))
	wantDatagrams(t, a.send(0, Unreliable, "now"), mechanism.Command)
	wantDatagrams(t, a.take(0, b.take(0, d[1])...)) // the oldest holds the place
	more := a.take(0, b.take(0, d[0])...)           // which makes room for two
	wantDatagrams(t, more, mechanism.Bundle)
	b.got = nil
	b.take(0, more...)
	b.wants(t, "late", "later")
}

func TestWhatWaitsIsBounded(t *testing.T) {
	a, _ := pair(param.Default[Config]())
	for range windowSize {
		a.send(0, Reliable, "x")
	}
	long := strings.Repeat("y", waitingMax/4)
	for range 3 {
		a.send(0, Reliable, long)
	}
	if got := a.events(); got != "" {
		t.Errorf("reported %q", got)
	}
	a.send(0, Reliable, long)
	if got, want := a.events(), fmt.Sprintf("dropped %d", len(long)); got != want {
		t.Errorf("reported %q, not %q", got, want)
	}
}

func TestNonsenseIsDroppedWhole(t *testing.T) {
	a, b := pair(param.Default[Config]())
	b.take(0, a.send(0, Reliable, "x")...)
	b.got = nil
	good := frame{mode: Unreliable, payload: []byte("good")}
	for name, bad := range map[string][]byte{
		"an unknown class":           {0xf8, 'x'},
		"a number far off":           (&frame{mode: Reliable, number: 1 + windowSize}).append(nil, true, false),
		"a number beyond all":        (&frame{mode: Reliable, number: numberMax + 1}).append(nil, true, false),
		"a message that is cut":      (&frame{mode: Reliable, number: 1, payload: []byte("xx")}).append(nil, false, false)[:3],
		"an unreliable opening":      {headOpening | headFinal, 0},
		"an opening before zero":     (&frame{mode: Reliable, opening: true, number: 1, since: 2}).append(nil, true, false),
		"a receipt for what was not": {byte(receipt), 1},
		"a run of what was not":      {byte(receipt) | headOpening, 0, 2, 0, 0},
		"a receipt with a class":     {byte(receipt) | 1<<headClass, 0},
		"half a run":                 {byte(receipt) | headOpening, 0, 1, 0},
	} {
		datagram := append(good.append(nil, false, false), bad...)
		wantDatagrams(t, b.take(0, mechanism.Message{From: 1, To: 2, Payload: datagram}))
		if got, want := b.events(), fmt.Sprintf("malformed %d", len(datagram)); got != want {
			t.Errorf("%s: reported %q, not %q", name, got, want)
		}
		b.wants(t)
	}
	b.take(0, mechanism.Message{From: 1, To: 2})
	if got := b.events(); got != "malformed 0" {
		t.Errorf("an empty datagram: reported %q", got)
	}
}

func TestUnreadableMessageIsNotReceived(t *testing.T) {
	a, b := pair(param.Default[Config]())
	first, second := a.send(0, Reliable, "1"), a.send(0, Reliable, "2")
	b.take(0, second...)
	b.refuse = true
	wantDatagrams(t, b.take(0, first...))
	b.refuse = false
	wantDatagrams(t, b.take(0, first...), mechanism.Receipt)
	b.wants(t, "2", "1")
}

func TestNothingInADamagedDatagramIsAnswered(t *testing.T) {
	a, b := pair(param.Default[Config]())
	b.take(0, a.send(0, Reliable, "old")...)
	b.wants(t, "old")
	copied := frame{mode: Reliable, number: 0, payload: []byte("old")}
	bad := frame{mode: Unreliable, payload: []byte("bad")}
	for _, order := range [][]frame{{copied, bad}, {bad, copied}} {
		datagram := order[1].append(order[0].append(nil, false, false), true, false)
		b.refuse = true
		wantDatagrams(t, b.take(0, mechanism.Message{From: 1, To: 2, Payload: datagram}))
		b.refuse = false
		wantDatagrams(t, b.take(0, mechanism.Message{From: 1, To: 2, Payload: datagram}), mechanism.Receipt)
	}
}

func TestForget(t *testing.T) {
	a, b := pair(param.Default[Config]())
	a.take(0, b.take(0, a.send(0, Reliable, "1")...)...)
	old := a.send(0, Reliable, "2")
	a.send(0, Ordered, "3")
	a.Forget(2)
	a.Forget(2)
	if a.bodies.bytes != 0 {
		t.Errorf("%d bytes are still held", a.bodies.bytes)
	}
	wantNext(t, a, world.Never)
	wantDatagrams(t, a.wake(world.Second))

	// The peer learns from the first message that this is another link, and tells leftovers of the earlier one apart.
	fresh := a.send(world.Second, Reliable, "4")
	wantDatagrams(t, b.take(world.Second, fresh...), mechanism.Receipt)
	b.take(world.Second, old...)
	b.take(world.Second, fresh...)
	b.wants(t, "1", "4")

	// Who was forgotten is a stranger until it forgets, too.
	d := b.send(world.Second, Reliable, "5")
	a.take(world.Second, b.take(world.Second, a.take(world.Second, d...)...)...)
	a.wants(t, "5")
	d = b.send(world.Second, Reliable, "6")
	a.Forget(2)
	a.events()
	wantDatagrams(t, a.take(world.Second, d...))
	if got := a.events(); got != "stranger 1" {
		t.Errorf("reported %q", got)
	}
	a.wants(t)
}

func TestForgetDropsWhatHasNotGone(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.Batching = world.Second
	a, _ := pair(cfg)
	idle := a.Bytes()
	for range windowSize + 2 {
		a.send(0, Reliable, "x")
	}
	a.send(0, Unreliable, "y")
	if a.Bytes() <= idle {
		t.Errorf("%d bytes with %d messages under way, %d without", a.Bytes(), windowSize, idle)
	}
	a.Forget(2)
	if a.Next() != world.Never || a.Bytes() != idle {
		t.Errorf("%d bytes are left of %d, to be woken at %v", a.Bytes(), idle, a.Next())
	}
	wantDatagrams(t, a.wake(2*world.Second))
}

func TestForgetTellsLeftoversApart(t *testing.T) {
	a, b := pair(param.Default[Config]())
	old := a.send(0, Reliable, "1") // never received in its time
	ordered := a.send(0, Ordered, "2")
	b.take(0, ordered...)
	a.Forget(2)
	b.take(0, a.send(0, Ordered, "3")...)
	b.wants(t, "3")
	b.events()
	wantDatagrams(t, b.take(0, old...))
	if got := b.events(); got != "stranger 1" {
		t.Errorf("reported %q", got)
	}
	b.wants(t)
	if b.bodies.bytes != 0 {
		t.Errorf("%d bytes are still held", b.bodies.bytes)
	}
}

func TestForgettingWhileAMessageIsHandedOver(t *testing.T) {
	a, b := pair(param.Default[Config]())
	a.send(0, Reliable, "1")
	a.send(0, Ordered, "2")
	d := a.wake(250 * ms)
	b.forgets = true
	wantDatagrams(t, b.take(300*ms, d...))
	wantNext(t, b, world.Never)
	if b.bodies.bytes != 0 {
		t.Errorf("%d bytes are still held", b.bodies.bytes)
	}
}

func TestMeet(t *testing.T) {
	a, b := pair(param.Default[Config]())
	a.take(0, b.take(0, a.send(0, Reliable, "1")...)...)
	a.take(0, b.send(0, Reliable, "2")...)
	old := a.send(0, Reliable, "3")
	receipt := b.take(0, old...) // on its way to the first holder
	leftover := a.send(0, Ordered, "4")
	b.got, a.got = nil, nil

	next := newEnd(param.Default[Config](), 1, 7)
	fresh := next.send(0, Reliable, "5")
	wantDatagrams(t, b.take(0, fresh...))
	if got := b.events(); got != "stranger 1" {
		t.Errorf("before the two have met: %q", got)
	}
	b.wants(t)
	b.Meet(1, 7)
	answer := b.take(0, fresh...)
	wantDatagrams(t, answer, mechanism.Receipt)
	b.wants(t, "5")
	wantDatagrams(t, b.take(0, leftover...))
	if got := b.events(); got != "stranger 1" {
		t.Errorf("what is left of the first holder's: %q", got)
	}
	b.wants(t)

	next.take(0, receipt...) // which settles nothing
	wantNext(t, next, 250*ms)
	next.take(0, answer...)
	wantNext(t, next, world.Never)
	next.take(0, b.send(0, Reliable, "6")...)
	next.wants(t, "6")
}

func TestMeetDropsWhatIsYoung(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.ReceptionDelay = 100 * ms
	hub := newEnd(cfg, 2, 0)
	for i, id := range []mechanism.NodeID{1, 3, 1, 3, 3, 1} {
		x := newEnd(cfg, id, 0)
		x.Send(world.Time(10-i)*ms, 2, mechanism.Command, []byte{byte('a' + i)}, Unreliable, &x.out)
		hub.take(10*ms, x.sent()...)
	}
	held := hub.bodies.bytes
	hub.Meet(1, 1)
	if hub.bodies.bytes != held/2 || hub.young.bytes != held/2 {
		t.Errorf("%d bytes are held of %d", hub.bodies.bytes, held)
	}
	hub.wake(200 * ms)
	hub.wants(t, "e", "d", "b")
}

func TestNumbersOfEpochs(t *testing.T) {
	for _, epoch := range []uint32{0, 1, 31, 1 << 31, 1<<32 - 1} {
		f := frame{mode: Reliable, number: firstOf(epoch) + 1<<epochBits - 1}
		r := wire.NewReader(f.append(nil, true, false))
		if got := readFrame(&r, false); r.Failed() || got.epoch() != epoch {
			t.Errorf("the last number of epoch %d is read as %d of epoch %d", epoch, got.number, got.epoch())
		}
	}
}

// Whose word is taken for it begins a link in any epoch, as long as nothing of another one has come.
func TestExpectSuccessors(t *testing.T) {
	opening := func(epoch uint32) mechanism.Message {
		return mechanism.Message{From: 2, Payload: numbered(nil, Ordered, firstOf(epoch), true, true)}
	}
	for _, batching := range []world.Time{0, 10 * ms} {
		cfg := param.Default[Config]()
		cfg.Batching = batching
		a, _ := pair(cfg)
		a.Expect(func(id mechanism.NodeID) bool { return id == 2 })
		a.take(0, opening(3))
		a.wants(t)
		a.ExpectSuccessors(func(id mechanism.NodeID) bool { return id == 2 })
		a.send(0, Unreliable, "let me in") // with batching the peer is known from now on
		a.take(0, opening(3))
		a.wants(t, "x")
		a.take(0, opening(2), opening(4)) // a predecessor, and one who has to wait until the link is forgotten
		a.wants(t)
		a.Forget(2)
		a.take(0, opening(4))
		a.wants(t, "x")
		a.Meet(2, 6)
		a.take(0, opening(5))
		a.wants(t)
		stranger := opening(4)
		stranger.From = 3
		a.take(0, stranger)
		a.wants(t)
	}
}
