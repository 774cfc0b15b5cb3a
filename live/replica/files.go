package replica

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	hashi "github.com/hashicorp/raft"
	wal "github.com/hashicorp/raft-wal"
	"github.com/hashicorp/raft-wal/metadb"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// Files is a disk: a folder with a log of entries (github.com/hashicorp/raft-wal, which knows a torn end from a damaged middle)
// and the last snapshot, which is written beside the one before and then takes its place.
type Files struct {
	dir  string
	log  *wal.WAL
	meta *metadb.BoltMetaDB // of the log, which leaves it to us to close it
	hard pb.HardState       // as it was last saved
}

const (
	logFolder    = "log"
	snapshotName = "snapshot"
	hardKey      = "hard"
	logSegment   = 16 << 20
)

// OpenFiles opens a folder, which is made if it is not there. A folder is for one process at a time.
func OpenFiles(dir string) (*Files, error) {
	folder := filepath.Join(dir, logFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	meta := &metadb.BoltMetaDB{}
	log, err := wal.Open(folder, wal.WithSegmentSize(logSegment), wal.WithMetaStore(meta))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: the log cannot be read: %w", folder, err), meta.Close())
	}
	return &Files{dir: dir, log: log, meta: meta}, nil
}

// Close lets go of the folder.
func (f *Files) Close() error { return errors.Join(f.log.Close(), f.meta.Close()) }

// Load reads everything.
func (f *Files) Load() (*pb.HardState, *pb.Snapshot, []*pb.Entry, error) {
	snapshot, err := readSnapshot(filepath.Join(f.dir, snapshotName))
	if err != nil {
		return nil, nil, nil, err
	}
	text, err := f.log.Get([]byte(hardKey))
	if err != nil {
		return nil, nil, nil, err
	}
	if err := proto.Unmarshal(text, &f.hard); err != nil {
		return nil, nil, nil, fmt.Errorf("%s: votes cannot be read: %w", f.dir, err)
	}
	entries, err := f.entries(snapshot.GetMetadata())
	if err != nil {
		return nil, nil, nil, err
	}
	var hard *pb.HardState
	if !raft.IsEmptyHardState(&f.hard) {
		// The log is ahead of what was last decided as far as this says; what has been decided since shows when a leader speaks.
		hard = proto.CloneOf(&f.hard)
		hard.Commit = new(max(hard.GetCommit(), snapshot.GetMetadata().GetIndex()))
	}
	return hard, snapshot, entries, nil
}

// entries reads the entries after a snapshot. The log must have the snapshot's own last entry, or a mark in its place: one
// that has not is from before the snapshot came from elsewhere, and is dropped.
func (f *Files) entries(at *pb.SnapshotMetadata) ([]*pb.Entry, error) {
	first, last, err := f.span()
	if err != nil || last == 0 {
		return nil, err
	}
	var l hashi.Log
	if at.GetIndex() < first || at.GetIndex() > last {
		return nil, f.restart(at)
	}
	if err := f.log.GetLog(at.GetIndex(), &l); err != nil {
		return nil, fmt.Errorf("%s: entry %d: %w", f.dir, at.GetIndex(), err)
	}
	if l.Term != at.GetTerm() {
		return nil, f.restart(at)
	}
	var entries []*pb.Entry
	for i := at.GetIndex() + 1; i <= last; i++ {
		var l hashi.Log
		if err := f.log.GetLog(i, &l); err != nil {
			return nil, fmt.Errorf("%s: entry %d: %w", f.dir, i, err)
		}
		kind := pb.EntryType(l.Type)
		entries = append(entries, &pb.Entry{Index: new(l.Index), Term: new(l.Term), Type: &kind, Data: l.Data})
	}
	return entries, nil
}

// span is the numbers of the first and the last entry of the log, zero if it is empty.
func (f *Files) span() (first, last uint64, err error) {
	if first, err = f.log.FirstIndex(); err != nil {
		return 0, 0, err
	}
	last, err = f.log.LastIndex()
	return first, last, err
}

// restart empties the log, but for a mark in place of a snapshot's last entry.
func (f *Files) restart(at *pb.SnapshotMetadata) error {
	first, last, err := f.span()
	if err != nil {
		return err
	}
	if last > 0 {
		if err := f.log.DeleteRange(first, last); err != nil {
			return err
		}
	}
	return f.log.StoreLogs([]*hashi.Log{{Index: at.GetIndex(), Term: at.GetTerm()}})
}

// Save makes things durable: with one sync for entries, and another one, seldom, for a vote.
func (f *Files) Save(hard *pb.HardState, entries []*pb.Entry, snapshot *pb.Snapshot) error {
	if snapshot != nil {
		if err := f.replace(snapshot); err != nil {
			return err
		}
	}
	if err := f.saveHard(hard); err != nil {
		return err
	}
	if len(entries) == 0 {
		return nil
	}
	_, last, err := f.span()
	if err != nil {
		return err
	}
	if first := entries[0].GetIndex(); last >= first {
		if err := f.log.DeleteRange(first, last); err != nil {
			return err
		}
	}
	logs := make([]*hashi.Log, len(entries))
	for i, e := range entries {
		logs[i] = &hashi.Log{Index: e.GetIndex(), Term: e.GetTerm(), Type: hashi.LogType(e.GetType()), Data: e.Data}
	}
	return f.log.StoreLogs(logs)
}

// saveHard saves a term or a vote that has changed. What is decided need not be saved: it follows from what a majority has.
func (f *Files) saveHard(hard *pb.HardState) error {
	if raft.IsEmptyHardState(hard) || hard.GetTerm() == f.hard.GetTerm() && hard.GetVote() == f.hard.GetVote() {
		return nil
	}
	text, err := proto.Marshal(hard)
	if err != nil {
		return err
	}
	if err := f.log.Set([]byte(hardKey), text); err != nil {
		return err
	}
	f.hard.Term, f.hard.Vote, f.hard.Commit = new(hard.GetTerm()), new(hard.GetVote()), new(hard.GetCommit())
	return nil
}

// replace has a snapshot take the place of everything. If only the first half of that gets done, Load does the second.
func (f *Files) replace(snapshot *pb.Snapshot) error {
	if err := writeSnapshot(f.dir, snapshot); err != nil {
		return err
	}
	return f.restart(snapshot.GetMetadata())
}

// Compact has a snapshot take the place of the entries before its last one, which stays as a mark.
func (f *Files) Compact(snapshot *pb.Snapshot) error {
	if err := writeSnapshot(f.dir, snapshot); err != nil {
		return err
	}
	first, last, err := f.span()
	if to := min(last, snapshot.GetMetadata().GetIndex()-1); err == nil && last > 0 && to >= first {
		return f.log.DeleteRange(first, to)
	}
	return err
}

// A snapshot's file begins with this, its length and its sum.
const snapshotMagic = "throng snapshot 1\n"

var errDamaged = errors.New("the snapshot is damaged; restore the folder from a copy, or remove it and let the replica be sent everything anew")

func readSnapshot(name string) (*pb.Snapshot, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	head := len(snapshotMagic) + 12
	if len(text) < head || string(text[:len(snapshotMagic)]) != snapshotMagic {
		return nil, fmt.Errorf("%s: not a snapshot of this version", name)
	}
	size := binary.LittleEndian.Uint64(text[len(snapshotMagic):])
	sum := binary.LittleEndian.Uint32(text[len(snapshotMagic)+8:])
	if text = text[head:]; uint64(len(text)) != size || crc32.Checksum(text, castagnoli) != sum {
		return nil, fmt.Errorf("%s: %w", name, errDamaged)
	}
	snapshot := &pb.Snapshot{}
	if err := proto.Unmarshal(text, snapshot); err != nil {
		return nil, fmt.Errorf("%s: %w", name, errDamaged)
	}
	return snapshot, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// writeSnapshot replaces the snapshot in a folder. Whatever happens meanwhile, there is the old one or the new.
func writeSnapshot(dir string, snapshot *pb.Snapshot) error {
	text, err := proto.Marshal(snapshot)
	if err != nil {
		return err
	}
	head := []byte(snapshotMagic)
	head = binary.LittleEndian.AppendUint64(head, uint64(len(text)))
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(text, castagnoli))
	fresh := filepath.Join(dir, snapshotName+".new")
	file, err := os.OpenFile(fresh, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(head)
	if err == nil {
		_, err = file.Write(text)
	}
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(fresh, filepath.Join(dir, snapshotName))
	}
	if err != nil {
		os.Remove(fresh)
		return err
	}
	return syncFolder(dir)
}

// syncFolder makes a renaming durable.
func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
