package replica

import (
	"fmt"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// Pump does everything that is due: it writes to the disk, sends what peers must hear, and applies what is decided. After an
// error the replica is of no further use. A message holds during the call of send.
func (r *Core) Pump(send func(to Member, message []byte)) error {
	for r.raw.HasReady() {
		ready := r.raw.Ready()
		r.note(&ready)
		if err := r.share(&ready, send); err != nil {
			return err
		}
		for _, e := range ready.CommittedEntries {
			if err := r.apply(e); err != nil {
				return err
			}
		}
		r.raw.Advance(ready)
	}
	return r.compact()
}

// share has peers hear what they must, and the disk have what they may rely on. A leader lets followers write beside itself: what it has
// not written yet it does not count as its own until then.
func (r *Core) share(ready *raft.Ready, send func(Member, []byte)) error {
	if r.leads {
		if err := r.sendAll(ready.Messages, send); err != nil {
			return err
		}
	}
	if err := r.save(ready); err != nil {
		return fmt.Errorf("replica %v: %w", r.config.Self, err)
	}
	if r.leads {
		return nil
	}
	return r.sendAll(ready.Messages, send)
}

func (r *Core) sendAll(messages []*pb.Message, send func(Member, []byte)) error {
	for _, m := range messages {
		if err := r.send(m, send); err != nil {
			return err
		}
	}
	return nil
}

// note takes note of who leads.
func (r *Core) note(ready *raft.Ready) {
	if s := ready.SoftState; s != nil {
		r.leads, r.leader = s.RaftState == raft.StateLeader, Member(s.Lead)
		if r.leader != 0 {
			r.hasty = 0
		}
	}
	if !raft.IsEmptyHardState(ready.HardState) {
		if term := ready.HardState.GetTerm(); term > r.term {
			r.term = term
			r.calm() // a vote was cast, or somebody leads
		}
	}
}

// save makes what the engine wants to rely on durable.
func (r *Core) save(ready *raft.Ready) error {
	var snapshot *pb.Snapshot
	if !raft.IsEmptySnap(ready.Snapshot) {
		snapshot = ready.Snapshot
	}
	if snapshot != nil || len(ready.Entries) > 0 || !raft.IsEmptyHardState(ready.HardState) {
		if err := r.disk.Save(ready.HardState, ready.Entries, snapshot); err != nil {
			return err
		}
	}
	if snapshot != nil {
		if err := r.log.ApplySnapshot(snapshot); err != nil {
			return err
		}
		if err := r.machine.Restore(snapshot.Data); err != nil {
			return err
		}
		r.members, r.applied, r.logBytes = snapshot.GetMetadata().GetConfState(), snapshot.GetMetadata().GetIndex(), 0
	}
	if !raft.IsEmptyHardState(ready.HardState) {
		if err := r.log.SetHardState(ready.HardState); err != nil {
			return err
		}
	}
	return r.log.Append(ready.Entries)
}

func (r *Core) send(m *pb.Message, send func(Member, []byte)) error {
	buf, err := proto.MarshalOptions{}.MarshalAppend(r.buf[:0], m)
	if err != nil {
		return err
	}
	r.buf = buf
	send(Member(m.GetTo()), buf)
	if m.GetType() == pb.MsgSnap {
		r.sent = append(r.sent, sentSnapshot{m.GetTo(), 4 * r.config.Election})
	}
	return nil
}

// apply takes a decided entry.
func (r *Core) apply(e *pb.Entry) error {
	r.applied = e.GetIndex()
	r.logBytes += len(e.Data)
	switch e.GetType() {
	case pb.EntryNormal:
		if len(e.Data) > 0 { // a leader begins with an empty one
			r.machine.Apply(e.Data, r.leads)
		}
	case pb.EntryConfChange, pb.EntryConfChangeV2:
		var change pb.ConfChangeV2
		if err := proto.Unmarshal(e.Data, &change); err != nil {
			return err
		}
		r.members = r.raw.ApplyConfChange(&change)
		// A member takes no snapshot in which it is not named: the next one must name those who have just come.
		r.logBytes = r.config.SnapshotBytes
	}
	return nil
}
