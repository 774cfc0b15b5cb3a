package experiments_test

import "testing"

// What the source of zonal reports, asserted on quick runs of its experiments, with margins that other seeds keep as well. Figures from
// long runs are in docs/reproductions/zonal.md.

// TestZonalJoin: table 2, turning to the backup parent takes a third of joining.
func TestZonalJoin(t *testing.T) {
	r := run(t, "zonal/join")
	for _, delay := range []string{"7ms", "15ms"} {
		join, backup := r.mean(t, "tree.join.p50", "network.delay="+delay), r.mean(t, "tree.activation.p50", "network.delay="+delay)
		atMost(t, "turning to the backup over joining at "+delay, backup, join, 0.345)
	}
}

// TestZonalZones: table 3, the more zones the more changes, by far less than in proportion.
func TestZonalZones(t *testing.T) {
	r := run(t, "zonal/zones", "--set", "duration=20s")
	few, many := r.mean(t, "zone.changes", "mechanism.zones=4"), r.mean(t, "zone.changes", "mechanism.zones=16")
	atLeast(t, "changes with four times as many zones", many, few, 1.5)
	atMost(t, "changes with four times as many zones", many, few, 4)
}

// TestZonalBands: figure 33, a band of a tenth of a zone's height.
func TestZonalBands(t *testing.T) {
	r := run(t, "zonal/bands", "--set", "duration=20s")
	atMost(t, "changes along a border with a band over those without", r.mean(t, "zone.changes", "mechanism.band=0.1"),
		r.mean(t, "zone.changes", "mechanism.band=0"), 0.1)
}

// TestZonalFiltering: table 4, three users. The parent gets everything either way; what the two leaves get falls by more than two thirds.
func TestZonalFiltering(t *testing.T) {
	r := run(t, "zonal/filtering")
	all := r.mean(t, "packets.received.client", "mechanism.filter=false")
	leaves := (3*r.mean(t, "packets.received.client", "mechanism.filter=true") - all) / 2
	atMost(t, "messages to a leaf with filtering over those without", leaves, all, 0.3)
}

// TestZonalLevels: section 5.2.1, each level adds a network delay and the gathering.
func TestZonalLevels(t *testing.T) {
	r := run(t, "zonal/levels", "--set", "mechanism.degree=4")
	at := func(measure, delay string) float64 { return r.mean(t, measure, "network.delay="+delay) }
	for _, delay := range []string{"15ms", "45ms"} {
		atLeast(t, "news passed on once over none at "+delay, at("relay.delay.1", delay), at("relay.delay.0", delay), 1.5)
	}
	atLeast(t, "share within 200 ms within a provider", at("relay.within", "15ms"), 1, 0.99)
	atMost(t, "share within 200 ms between providers", at("relay.within", "45ms"), 1, 0.9)
}

// TestZonalHiddenNode: section 3.2.5, nothing in sight is missed, unless views are opened at the border only.
func TestZonalHiddenNode(t *testing.T) {
	r := run(t, "zonal/hidden-node")
	if missed := r.mean(t, "sightings.missed", "mechanism.hidden-node=true"); missed != 0 {
		t.Errorf("%v of what is in sight is missed", missed)
	}
	if missed := r.mean(t, "sightings.missed", "mechanism.hidden-node=false"); missed == 0 {
		t.Error("nobody is hidden")
	}
}

// TestZonalMassDeparture: half of a tree leaves at once, or crashes. Unmeasured in the source; within a second all who stay hear something again.
func TestZonalMassDeparture(t *testing.T) {
	r := run(t, "zonal/churn")
	for _, how := range []string{"goodbye", "crash"} {
		for _, backup := range []string{"true", "false"} {
			atMost(t, "seconds without news after a "+how+", backups "+backup, r.mean(t, "blind.p99", "case="+how, "mechanism.backup="+backup), 1, 1)
		}
	}
}

// TestZonalHotSpot: section 3.3, a zone that is too full hands parts to its neighbours, and news is soon enough again within a second.
func TestZonalHotSpot(t *testing.T) {
	r := run(t, "zonal/hot-spot")
	alone, shared := r.mean(t, "late.longest", "case=alone"), r.mean(t, "late.longest", "case=shared")
	atLeast(t, "seconds of late news where nobody shares", alone, 1, 2)
	atMost(t, "seconds of late news where neighbours share", shared, 1, 1)
	if changes := r.mean(t, "zones.shared", "case=shared"); changes == 0 || changes > 30 {
		t.Errorf("parts change hands %v times a minute", changes)
	}
	if missed := r.mean(t, "sightings.missed", "case=shared"); missed > 0.001 {
		t.Errorf("%v of what is in sight is missed", missed)
	}
}

// TestZonalCheats: of peers that drop or alter what they pass on, nearly all are found out within seconds where parents are audited, and none
// where they are not; what they withhold is then seen again.
func TestZonalCheats(t *testing.T) {
	r := run(t, "zonal/cheats")
	for _, how := range []string{"drop", "alter"} {
		with, without := []string{"mechanism.audit=1s", "mechanism.cheat=" + how}, []string{"mechanism.audit=0s", "mechanism.cheat=" + how}
		atLeast(t, "share of those who "+how+" that is found out", r.mean(t, "cheats.noticed", with...), 1, 0.6)
		atMost(t, "seconds until then", r.mean(t, "cheats.notice.mean", with...), 1, 6)
		atMost(t, "share of peers that hang on one", r.mean(t, "cheats.above", with...), r.mean(t, "cheats.above", without...), 0.6)
		if v := r.mean(t, "cheats.noticed", without...); v != 0 {
			t.Errorf("%v are found out without audits", v)
		}
	}
	atMost(t, "missed sightings with audits", r.mean(t, "sightings.missed", "mechanism.audit=1s", "mechanism.cheat=drop"),
		r.mean(t, "sightings.missed", "mechanism.audit=0s", "mechanism.cheat=drop"), 0.5)
}
