// Package consensus has a run's nodes replicated by the very code that replicates a live server's.
package consensus

import (
	"fmt"

	"throng/internal/image"
	"throng/lab/sim"
	"throng/live/replica"
	"throng/mechanism"
)

// Replication implements sim.Replication.
type Replication struct{}

var _ sim.Replication = Replication{}

// New implements sim.Replication.
func (Replication) New(self uint64, group []uint64, seed uint64, m sim.Machine) (sim.Replica, error) {
	c := replica.Config{Self: replica.Member(self), Seed: seed, Election: sim.ElectionBeats, Heartbeat: 1, Group: members(group)}
	core, err := replica.New(c, replica.NoDisk{}, m)
	return engine{core}, err
}

// Image implements sim.Replication.
func (Replication) Image(dst []byte, m mechanism.Mechanism, h *sim.Host) []byte {
	s := h.Session()
	dst, err := image.Append(dst, h.Node, m, s, s.World, s.Start, s.World.Schema(), s.Shared)
	if err != nil {
		panic(fmt.Sprintf("consensus: node %d cannot be saved: %v", h.Place.ID, err)) // a test saves every kind of node
	}
	return dst
}

// engine is a replica whose members are plain numbers.
type engine struct{ *replica.Core }

func (e engine) Pump(send func(to uint64, message []byte)) error {
	return e.Core.Pump(func(to replica.Member, message []byte) { send(uint64(to), message) })
}

func (e engine) Members() []uint64 { return plain(e.Core.Members()) }

func (e engine) Change(add, remove []uint64) error {
	return e.Core.Change(members(add), members(remove))
}

func plain(members []replica.Member) (ids []uint64) {
	for _, m := range members {
		ids = append(ids, uint64(m))
	}
	return ids
}

func members(ids []uint64) (members []replica.Member) {
	for _, id := range ids {
		members = append(members, replica.Member(id))
	}
	return members
}
