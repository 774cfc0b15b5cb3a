//go:build linux

package main

import (
	"strings"
	"testing"

	"throng/live/bots"
)

func TestResultsCompareWithTheBareServer(t *testing.T) {
	probe := func(users int, held bool) *Probe {
		return &Probe{Users: users, Held: held, Report: &bots.Report{Updates: bots.Updates{Due: 100, Delivered: 95}}}
	}
	best := probe(3000, true)
	r := Results{
		Cases: []*Case{
			{Name: "spread/bare", Held: 6000, Best: probe(6000, true)},
			{Name: "spread/throng", Held: 3000, Best: best, Probes: []*Probe{probe(4000, false), best}},
			{Name: "dense/bare", Held: 4000, Best: probe(4000, true)},
			{Name: "dense/throng", Probes: []*Probe{probe(2000, false), probe(1000, false)}},
			{Name: "rts-100/aos", Held: 100, Best: &Probe{Users: 100, Held: true, Report: &bots.Report{Simulating: 97}, Areas: &Areas{Slowest: 39.9, Clients: 1950}}},
			{Name: "promotion/4", Probes: []*Probe{{Users: 1, Report: &bots.Report{}}}},
		},
		Idle: &Idle{Users: 10, PerUser: 10 << 10},
	}
	r.compare()
	if got := r.find("spread/throng").Ratio; got != 0.5 {
		t.Errorf("spread: %v of bare, want 0.5", got)
	}
	if got := r.find("dense/throng").Ratio; got != 0 {
		t.Errorf("dense: %v of bare though nobody was held", got)
	}
	if got := r.find("dense/throng").typical(); got.Users != 2000 {
		t.Errorf("%d users stand for a case in which nobody was held, want 2000", got.Users)
	}
	if got, want := r.find("rts-100/aos").Best.line(r.find("rts-100/aos")), "rts-100/aos        100 users held      slowest 39.9 ticks/s"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want it to begin with %q", got, want)
	}
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0.50", "none", "10 idle users: 10.0 KB each", "39.9 ticks/s", "1950 B/tick", "97", "area stood still", "?"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &text)
		}
	}
}
