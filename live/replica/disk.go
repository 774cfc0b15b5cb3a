package replica

import pb "go.etcd.io/raft/v3/raftpb"

// Disk is what survives a replica's process.
type Disk interface {
	// Load returns what was saved: the votes and decisions, the last snapshot, and the entries after it.
	Load() (*pb.HardState, *pb.Snapshot, []*pb.Entry, error)
	// Save makes all of it durable before it returns; any of the three may be missing. A snapshot, which came from elsewhere,
	// takes the place of everything. Were entries after it to stay, they might be older than it, and the replica would seem
	// less up to date than it is and elect somebody who lacks what was decided. Entries take the place of those that had
	// their numbers, and of all that followed these.
	Save(hard *pb.HardState, entries []*pb.Entry, snapshot *pb.Snapshot) error
	// Compact begins to make a snapshot durable that takes the place of the entries up to its own. It need not wait until that is
	// done: what was there before stays until then. If it fails a later call says so.
	Compact(snapshot *pb.Snapshot) error
}

// NoDisk keeps nothing: a majority in memory is all there is. A process that has such a replica comes back as another member.
type NoDisk struct{}

// Load returns nothing.
func (NoDisk) Load() (*pb.HardState, *pb.Snapshot, []*pb.Entry, error) { return nil, nil, nil, nil }

// Save does nothing.
func (NoDisk) Save(*pb.HardState, []*pb.Entry, *pb.Snapshot) error { return nil }

// Compact does nothing.
func (NoDisk) Compact(*pb.Snapshot) error { return nil }
