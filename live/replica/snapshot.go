package replica

import (
	"slices"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// founding is the snapshot that a group begins with, the same for all of its members.
func (r *Core) founding() *pb.Snapshot {
	voters := make([]uint64, len(r.config.Group))
	for i, m := range r.config.Group {
		voters[i] = uint64(m)
	}
	return &pb.Snapshot{
		Data:     r.machine.AppendSnapshot(nil),
		Metadata: &pb.SnapshotMetadata{Index: new(uint64(1)), Term: new(uint64(1)), ConfState: &pb.ConfState{Voters: voters}},
	}
}

// compact has a snapshot take the place of the log, once that has grown. The latest entries stay for members that are a little
// behind.
func (r *Core) compact() error {
	if r.logBytes < r.config.SnapshotBytes && !r.overdue {
		return nil
	}
	r.logBytes, r.overdue = 0, false
	if have, err := r.log.Snapshot(); err != nil || have.GetMetadata().GetIndex() >= r.applied {
		return err
	}
	snapshot, err := r.log.CreateSnapshot(r.applied, r.members, r.machine.AppendSnapshot(nil))
	if err != nil {
		return err
	}
	if err := r.disk.Compact(snapshot); err != nil {
		return err
	}
	first, err := r.log.FirstIndex()
	if err != nil {
		return err
	}
	if keep := r.applied - min(r.applied, keptEntries); keep > first {
		return r.log.Compact(keep)
	}
	return nil
}

// keptEntries is how far behind a member may be without being sent a snapshot.
const keptEntries = 1000

// sentSnapshot is a snapshot on its way to a member. Nothing says what becomes of it but the member, once it has it.
type sentSnapshot struct {
	to    uint64
	ticks int // for which it is still waited for
}

// giveUpSnapshots takes those for lost that have been under way for too long; they are sent again.
func (r *Core) giveUpSnapshots() {
	r.sent = slices.DeleteFunc(r.sent, func(s sentSnapshot) bool { return s.ticks == 0 })
	for i := range r.sent {
		if r.sent[i].ticks--; r.sent[i].ticks == 0 {
			r.raw.ReportSnapshot(r.sent[i].to, raft.SnapshotFailure)
		}
	}
}
