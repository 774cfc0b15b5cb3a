package network

import (
	"testing"

	"throng/world"
)

func TestDepart(t *testing.T) {
	const ms = world.Millisecond
	type packet struct {
		now   world.Time
		size  int
		leave world.Time
		ok    bool
	}
	for _, test := range []struct {
		name    string
		link    Link
		packets []packet
	}{
		{"unlimited", Link{}, []packet{{5 * ms, 1000, 5 * ms, true}, {5 * ms, 1 << 20, 5 * ms, true}}},
		{"1 ms a packet", Link{BitsPerSecond: 800_000, QueueBytes: 250}, []packet{
			{10 * ms, 100, 11 * ms, true},
			{10 * ms, 100, 12 * ms, true},     // waits for the first: 200 B queued
			{10 * ms, 100, 0, false},          // 300 B would be
			{10 * ms, 50, 12*ms + ms/2, true}, // fits exactly
			{10*ms + ms/2, 51, 0, false},      // 50 B have left, 200 B wait
			{10*ms + ms/2, 50, 13 * ms, true}, //
			{20 * ms, 100, 21 * ms, true},     // idle in between
			{21 * ms, 100, 22 * ms, true},     // just idle again
			{22*ms - 1, 250, 0, false},        // a last byte is still leaving
			{22 * ms, 1000, 32 * ms, true},    // larger than the queue, which it does not need
			{32*ms + 1, 100, 33*ms + 1, true}, //
		}},
		{"no queue", Link{BitsPerSecond: 8, QueueBytes: 0}, []packet{
			{0, 1, world.Second, true},
			{world.Second - 1, 1, 0, false},
			{world.Second, 1, 2 * world.Second, true},
		}},
		{"rounds up", Link{BitsPerSecond: 3_000_000_000, QueueBytes: 1 << 20}, []packet{
			{0, 1, 3, true}, // 2.67 ns
			{0, 1, 6, true},
		}},
	} {
		for i, p := range test.packets {
			leave, ok := test.link.Depart(p.now, p.size)
			if leave != p.leave || ok != p.ok {
				t.Errorf("%s, packet %d: leaves at %d, %v, want %d, %v", test.name, i, leave, ok, p.leave, p.ok)
			}
		}
	}
}

func TestLinksAreTheConfigured(t *testing.T) {
	up, down := LinkConfig{Up: 1000, Down: 2000, Queue: 300}.Links()
	if up != (Link{BitsPerSecond: 1000, QueueBytes: 300}) || down != (Link{BitsPerSecond: 2000, QueueBytes: 300}) {
		t.Errorf("up %+v, down %+v", up, down)
	}
}

// 1,000 B at 800 kbit/s take 10 ms. After 5 ms only 80 kbit/s are left, and the 500 B that wait take 50 ms; after another 10 ms
// the limit is gone, and the 400 B left take 4 ms.
func TestLimit(t *testing.T) {
	const ms = world.Millisecond
	l := Link{BitsPerSecond: 800_000, QueueBytes: 2000}
	l.Depart(0, 1000)
	l.Limit(5*ms, 80_000)
	if n := l.Waiting(5 * ms); n != 500 {
		t.Errorf("%d bytes wait", n)
	}
	l.Limit(15*ms, 0)
	if at, ok := l.Depart(15*ms, 100); !ok || at != 20*ms {
		t.Errorf("the next leaves at %v, %v", at, ok)
	}
	l.Limit(30*ms, 2_000_000) // more than there is
	if at, _ := l.Depart(30*ms, 100); at != 31*ms {
		t.Errorf("a limit makes the link faster: %v", at)
	}
	var unlimited Link
	unlimited.Limit(0, 8000)
	if at, _ := unlimited.Depart(0, 100); at != 100*ms {
		t.Errorf("an unlimited link takes no limit: %v", at)
	}
	unlimited.Limit(ms, 0)
	if at, _ := unlimited.Depart(ms, 100); at != ms {
		t.Errorf("the limit stays: %v", at)
	}
}

func TestOffered(t *testing.T) {
	l := Link{BitsPerSecond: 8000, QueueBytes: 1500} // a byte takes a millisecond
	for range 3 {
		l.Depart(0, 1000) // the first two leave or wait; the third is dropped
	}
	if _, ok := l.Depart(0, 1000); ok {
		t.Error("there was room for four")
	}
	if got := l.Offered(); got != 4*world.Second {
		t.Errorf("%v of transmission offered", got)
	}
	l.Limit(0, 4000)
	l.Depart(world.Minute, 1000)
	if got := l.Offered(); got != 6*world.Second {
		t.Errorf("%v with one at half the bandwidth", got)
	}
	var free Link
	free.Depart(0, 1000)
	if got := free.Offered(); got != 0 {
		t.Errorf("%v on a link without limit", got)
	}
}
