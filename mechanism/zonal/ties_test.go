package zonal

import (
	"testing"

	"throng/mechanism"
	"throng/world"
)

// What peers say of their ties fits together: who is somebody's parent has it as its child, and what one has sent the other has got.
func TestTiesFitTogether(t *testing.T) {
	r := lively(t, 12, func(c *Config) { c.Root, c.Degree = 2, 2 })
	r.Start()
	play(r, 5*world.Second)
	parents := 0
	for id := first; id < first+12; id++ {
		for _, tie := range at(r, id).Ties(nil) {
			if tie.Role != mechanism.TieParent {
				continue
			}
			parents++
			if tie.Silent > world.Second || tie.Received == 0 || tie.Sent == 0 || tie.Zone != 0 {
				t.Errorf("node %d: %+v", id, tie)
			}
			if tie.User == 0 {
				if tie.Level != 0 || tie.Node != 1 {
					t.Errorf("node %d: %+v", id, tie)
				}
				continue
			}
			back := tieTo(at(r, tie.Node), id)
			if back == nil || back.Role != mechanism.TieChild || back.Level != tie.Level+1 || back.Sent < tie.Received || back.Relayed == 0 || back.Relayed > back.Sent {
				t.Errorf("node %d has %+v, which has %+v", id, tie, back)
			}
		}
	}
	if parents != 12 {
		t.Errorf("%d of 12 have a parent", parents)
	}
}

// A peer is at home in one zone, looks into the others that it sees something of, and is fed by their servers.
func TestZonesOfAPeer(t *testing.T) {
	r := grove(t, 12, func(c *Config) { c.Zones = 9 })
	r.Start()
	play(r, 5*world.Second)
	seen := 0
	for id := mechanism.NodeID(10); id < 10+12; id++ {
		n := at(r, id)
		homes := 0
		for i, z := range n.Zones(nil) {
			if z.Server != mechanism.NodeID(i+1) || len(z.Outline) < 3 || z.Band <= 0 {
				t.Fatalf("zone %d: %+v", i, z)
			}
			switch z.Role {
			case mechanism.ZoneHome:
				homes++
			case mechanism.ZoneSeen:
				seen++
				if tie := tieTo(n, z.Server); tie == nil || tie.Role != mechanism.TieWindow || tie.Zone != i {
					t.Errorf("node %d looks into zone %d: %+v", id, i, tie)
				}
			}
		}
		if homes != 1 {
			t.Errorf("node %d is at home in %d zones", id, homes)
		}
	}
	if seen == 0 {
		t.Error("nobody looks anywhere else")
	}
}

func tieTo(n *peer, id mechanism.NodeID) *mechanism.Tie {
	for _, tie := range n.Ties(nil) {
		if tie.Node == id && tie.Role != mechanism.TieBackup {
			return &tie
		}
	}
	return nil
}
