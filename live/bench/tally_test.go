//go:build linux

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"throng/live/hub"
	"throng/world"
)

func TestAreasFareAsTheirServersSay(t *testing.T) {
	began := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	var lines strings.Builder
	for i := range 41 { // every 100 ms, from a second before to a second after two seconds of measuring
		at := began.Add(time.Duration(i-10) * 100 * time.Millisecond)
		fmt.Fprintf(&lines, `{"at":%q,"ticks":[%d,%d],"clients":{"Routed":%d,"Bytes":%d},"servers":{"Bytes":%d},"paused":{"count":1,"sum":7,"max":7}}`+"\n",
			at.Format(time.RFC3339Nano), 4*i, 2*i, 6*i, 300*i, 150*i)
	}
	var s server
	s.listen(strings.NewReader("nothing of use\n" + lines.String()))
	a := s.fared(began, 2, 300) // of the 1500 bytes a second to servers, 300 are from clients
	if a == nil {
		t.Fatal("nothing is known of the areas")
	}
	want := Areas{Servers: 2, Slowest: 20, Mean: 30, Clients: 100, Datagrams: 2, Between: 40, Paused: Lapses{1, 7, 7}}
	if *a != want {
		t.Errorf("got %+v, want %+v", *a, want)
	}
	if a := s.fared(began.Add(time.Hour), 2, 0); a != nil {
		t.Errorf("%+v is known of a time that nothing was said about", a)
	}
}

func TestSlowingDown(t *testing.T) {
	began := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	var s server
	for i, slowed := range []float64{9, 1, 2, 3, 2, 1, 1.5, 1, 1} { // once a second, the first before measuring
		s.tallies = append(s.tallies, tally{At: began.Add(time.Duration(i-1) * time.Second), Slowed: slowed})
	}
	if got, want := s.slowed(began, 3), (Slowed{Mean: 2, Max: 3, Until: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestStandingStillIsCounted(t *testing.T) {
	first := &tally{Ticks: []world.Tick{0}, Stalled: Lapses{Count: 1, Sum: 5, Max: 5}}
	last := &tally{At: first.At.Add(time.Second), Ticks: []world.Tick{0}, Clients: hub.Traffic{Full: 2, Missed: 1, Bytes: 10}}
	last.Stalled = first.Stalled
	last.Stalled.add(int64(20 * world.Millisecond))
	a := compareTallies(first, last, 0)
	if a.Stalled.Count != 1 || a.Stalled.Sum != 20 || a.Stalled.Max != 20 || a.Lost != 3 {
		t.Errorf("got %+v", a)
	}
	if a.Slowest != 0 || a.Clients != 0 {
		t.Errorf("a world that stands still has %v ticks/s and %v B in each", a.Slowest, a.Clients)
	}
}
