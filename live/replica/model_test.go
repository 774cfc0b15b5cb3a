package replica

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"slices"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// ledger is the state machine of the tests: it writes down what it is handed.
type ledger struct {
	entries []uint64
	leaves  func(id uint64) // what leaves the leader for an entry: its acknowledgement
}

func (l *ledger) Apply(entry []byte, leads bool) {
	id := binary.LittleEndian.Uint64(entry)
	l.entries = append(l.entries, id)
	if leads {
		l.leaves(id)
	}
}

func (l *ledger) AppendSnapshot(dst []byte) []byte {
	for _, id := range l.entries {
		dst = binary.LittleEndian.AppendUint64(dst, id)
	}
	return dst
}

func (l *ledger) Restore(snapshot []byte) error {
	if len(snapshot)%8 != 0 {
		return errors.New("the snapshot is torn")
	}
	l.entries = l.entries[:0]
	for ; len(snapshot) > 0; snapshot = snapshot[8:] {
		l.entries = append(l.entries, binary.LittleEndian.Uint64(snapshot))
	}
	return nil
}

func (l *ledger) hash() uint64 {
	h := fnv.New64a()
	h.Write(l.AppendSnapshot(nil))
	return h.Sum64()
}

// platter is a disk that outlives the replica. What was saved is there after a crash; what was being saved may or may not be.
type platter struct {
	hard     *pb.HardState
	snapshot *pb.Snapshot
	entries  []*pb.Entry
	writing  *pb.Snapshot // a snapshot of one's own, which is there by the time something else is saved

	full   bool
	lies   bool // says that it has saved what it has not
	fickle bool // forgets votes
}

func (p *platter) Load() (*pb.HardState, *pb.Snapshot, []*pb.Entry, error) {
	entries := make([]*pb.Entry, len(p.entries))
	for i, e := range p.entries {
		entries[i] = proto.CloneOf(e)
	}
	return proto.CloneOf(p.hard), proto.CloneOf(p.snapshot), entries, nil
}

var errFull = errors.New("no space left")

func (p *platter) Save(hard *pb.HardState, entries []*pb.Entry, snapshot *pb.Snapshot) error {
	if p.full {
		return errFull
	}
	if p.lies {
		return nil
	}
	p.settle()
	if hard.GetTerm() != 0 && !p.fickle {
		p.hard = proto.CloneOf(hard)
	}
	if snapshot != nil {
		p.snapshot, p.entries = proto.CloneOf(snapshot), nil
	}
	if len(entries) > 0 {
		first := entries[0].GetIndex()
		p.entries = slices.DeleteFunc(p.entries, func(e *pb.Entry) bool { return e.GetIndex() >= first })
		for _, e := range entries {
			p.entries = append(p.entries, proto.CloneOf(e))
		}
	}
	return nil
}

func (p *platter) Compact(snapshot *pb.Snapshot) error {
	if p.full {
		return errFull
	}
	if p.lies {
		return nil
	}
	p.settle()
	p.writing = proto.CloneOf(snapshot)
	return nil
}

// settle has a snapshot that was being written be there.
func (p *platter) settle() {
	if p.writing == nil {
		return
	}
	upTo := p.writing.GetMetadata().GetIndex()
	p.entries = slices.DeleteFunc(p.entries, func(e *pb.Entry) bool { return e.GetIndex() <= upTo })
	p.snapshot, p.writing = p.writing, nil
}
