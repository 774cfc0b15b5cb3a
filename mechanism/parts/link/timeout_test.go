package link

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/world"
)

// echo sends a message and has it acknowledged after a time.
func echo(a, b *end, now, after world.Time) {
	a.take(now+after, b.take(now, a.send(now, Reliable, "x")...)...)
	b.got = nil
}

// TestTimeoutFollowsTheRoundTrip: RFC 6298, section 2, worked out by hand.
func TestTimeoutFollowsTheRoundTrip(t *testing.T) {
	a, _ := pair(param.Default[Config]())
	a.send(0, Reliable, "x")
	wantNext(t, a, 250*ms) // nothing is known: as configured

	a, b := pair(param.Default[Config]())
	echo(a, b, 0, 80*ms) // mean 80, deviation 40: 240 in all
	a.send(100*ms, Reliable, "y")
	wantNext(t, a, 340*ms)

	a, b = pair(param.Default[Config]())
	echo(a, b, 0, 80*ms)
	echo(a, b, 100*ms, 160*ms) // off by 80: deviation 40 + (80-40)/4 = 50, mean 80 + 80/8 = 90: 290
	a.send(300*ms, Reliable, "y")
	wantNext(t, a, 590*ms)

	// Steady round trips leave what hosts may take, and what receipts may wait.
	for _, c := range []struct{ receipts, want world.Time }{{0, 50*ms + grain}, {30 * ms, 50*ms + grain + 30*ms}} {
		cfg := param.Default[Config]()
		cfg.Receipts = c.receipts
		a, _ = pair(cfg)
		a.peer(2).trip = roundTrip{known: true, mean: 50 * ms}
		a.send(0, Reliable, "x")
		wantNext(t, a, c.want)
	}
}

// TestTimeoutsDouble: a link that does not answer is asked less and less often, until a message is acknowledged that was sent
// only once (Karn's rule): not one that was repeated, whose receipt may be for any copy.
func TestTimeoutsDouble(t *testing.T) {
	a, b := pair(param.Default[Config]())
	d := a.send(0, Reliable, "x")
	now := world.Time(0)
	for _, wait := range []world.Time{250 * ms, 500 * ms, 1000 * ms, 2000 * ms, 4000 * ms, 4000 * ms} {
		now += wait
		wantNext(t, a, now)
		d = a.wake(now)
		wantDatagrams(t, d, mechanism.Command)
	}
	a.take(now+20*ms, b.take(now+10*ms, d...)...)
	wantNext(t, a, world.Never)
	a.send(now+30*ms, Reliable, "y")
	wantNext(t, a, now+30*ms+waitMax) // what is known of the link has not become better
	echo(a, b, now+40*ms, 20*ms)
	if got, want := a.peer(2).trip, (roundTrip{known: true, mean: 20 * ms, deviation: 10 * ms, doubled: now}); got != want {
		t.Errorf("after a message that was sent once, %+v, not %+v", got, want)
	}
}

// TestOneSilenceDoublesOnce: messages that were under way together double the time-out together.
func TestOneSilenceDoublesOnce(t *testing.T) {
	a, _ := pair(param.Default[Config]())
	a.send(0, Reliable, "1")
	a.send(100*ms, Reliable, "2")
	a.wake(250 * ms)
	a.wake(350 * ms) // the second was sent before the time-out was doubled
	if n := a.peer(2).trip.doublings; n != 1 {
		t.Fatalf("doubled %d times", n)
	}
	wantNext(t, a, 750*ms)
	a.wake(750 * ms)
	if n := a.peer(2).trip.doublings; n != 2 {
		t.Errorf("doubled %d times", n)
	}
}

// TestLinksHaveTimeoutsOfTheirOwn: one slow peer makes nobody else wait, and what is due first goes first.
func TestLinksHaveTimeoutsOfTheirOwn(t *testing.T) {
	a := newEnd(param.Default[Config](), 1, 0)
	a.peer(2).trip = roundTrip{known: true, mean: 1 * world.Second}
	a.peer(3).trip = roundTrip{known: true, mean: 20 * ms}
	a.SendAll(0, []mechanism.NodeID{2, 3}, mechanism.Command, []byte("x"), Reliable, &a.out)
	a.out.Reset()
	wantNext(t, a, 20*ms+grain)
	a.Wake(20*ms+grain, nil, &a.out)
	if a.out.Sends() != 1 || a.out.Message(0, 1).To != 3 {
		t.Errorf("%d datagrams", a.out.Sends())
	}
	a.out.Reset()
	a.Wake(world.Second+grain, nil, &a.out)
	if a.out.Sends() != 2 {
		t.Errorf("%d datagrams", a.out.Sends())
	}
}

func TestFixedTimeoutsStay(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.Adaptive = false
	a, b := pair(cfg)
	echo(a, b, 0, 80*ms)
	a.send(100*ms, Reliable, "y")
	for _, due := range []world.Time{350 * ms, 600 * ms, 850 * ms} {
		wantNext(t, a, due)
		a.wake(due)
	}
}

// TestRepeatsTakeAtMost compares the promise with what a link does that never hears anything.
func TestRepeatsTakeAtMost(t *testing.T) {
	for _, adaptive := range []bool{false, true} {
		cfg := param.Default[Config]()
		cfg.Adaptive, cfg.Batching = adaptive, 30*ms
		a, _ := pair(cfg)
		a.send(0, Reliable, "x")
		a.wake(a.Next()) // its batch
		repeated := 0
		for repeated < 9 {
			now := a.Next()
			if len(a.wake(now)) == 0 {
				continue
			}
			repeated++
			if promise := cfg.Batching + cfg.Repeats(repeated); now > promise {
				t.Errorf("adaptive %v: repeated for the %d. time after %v, not %v", adaptive, repeated, now, promise)
			}
		}
	}
}
