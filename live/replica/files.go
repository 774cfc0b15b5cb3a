//go:build !js

package replica

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"

	hashi "github.com/hashicorp/raft"
	wal "github.com/hashicorp/raft-wal"
	"github.com/hashicorp/raft-wal/metadb"
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// Files is a disk: a folder with a journal of what was saved (github.com/hashicorp/raft-wal, which tells a torn end from a damaged
// middle) and the last snapshot, which is written beside the one before and then takes its place.
//
// The journal is only ever added to and cut off at its beginning: an entry that takes another's place comes after it. (To
// truncate its end is what that library has a use for too, but a journal truncated within its first segment cannot be read
// again in version 0.4.)
type Files struct {
	dir     string
	journal *wal.WAL
	meta    *metadb.BoltMetaDB // of the journal, which leaves it to us to close it

	hard    *pb.HardState // as it was last saved
	entries []*pb.Entry   // after the snapshot
	next    uint64        // number of the next record
	written chan written  // the snapshot that is being written; nil for none
}

// written is a snapshot that has been written, or not.
type written struct {
	at  *pb.SnapshotMetadata
	err error
}

const (
	journalFolder  = "journal"
	snapshotName   = "snapshot"
	journalSegment = 16 << 20
)

// OpenFiles opens a folder, which is made if it is not there. A folder is for one process at a time.
func OpenFiles(dir string) (*Files, error) {
	folder := filepath.Join(dir, journalFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	meta := &metadb.BoltMetaDB{}
	journal, err := wal.Open(folder, wal.WithSegmentSize(journalSegment), wal.WithMetaStore(meta))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: the journal cannot be read: %w", folder, err), meta.Close())
	}
	return &Files{dir: dir, journal: journal, meta: meta}, nil
}

// Close lets go of the folder.
func (f *Files) Close() error { return errors.Join(f.settle(true), f.journal.Close(), f.meta.Close()) }

// Load reads everything. It comes before the first Save.
func (f *Files) Load() (*pb.HardState, *pb.Snapshot, []*pb.Entry, error) {
	if err := f.settle(true); err != nil {
		return nil, nil, nil, err
	}
	snapshot, err := readSnapshot(filepath.Join(f.dir, snapshotName))
	if err != nil {
		return nil, nil, nil, err
	}
	if err := f.replay(snapshot.GetMetadata()); err != nil {
		return nil, nil, nil, err
	}
	hard := proto.CloneOf(f.hard)
	if hard != nil { // what has been decided since it was saved shows when a leader speaks
		hard.Commit = new(max(hard.GetCommit(), snapshot.GetMetadata().GetIndex()))
	}
	return hard, snapshot, slices.Clone(f.entries), nil
}

// replay reads the journal. If a snapshot came from elsewhere and its process died before the journal said so, what the
// journal holds is from before it and must not be taken for what follows.
func (f *Files) replay(at *pb.SnapshotMetadata) error {
	first, last, err := f.span()
	if err != nil {
		return err
	}
	f.hard, f.entries, f.next = nil, nil, last+1
	follows := at.GetIndex() == 0 // whether the snapshot has its place in the journal
	for i := max(first, 1); i <= last; i++ {
		var l hashi.Log
		var r pb.Message
		if err := f.journal.GetLog(i, &l); err != nil {
			return fmt.Errorf("%s: record %d of the journal: %w", f.dir, i, err)
		}
		if err := proto.Unmarshal(l.Data, &r); err != nil {
			return fmt.Errorf("%s: record %d of the journal is damaged: %w", f.dir, i, err)
		}
		follows = f.take(&r, at) || follows
	}
	if !follows {
		return f.restart(at, nil)
	}
	f.entries = slices.DeleteFunc(f.entries, func(e *pb.Entry) bool { return e.GetIndex() <= at.GetIndex() })
	return nil
}

// take takes a record of the journal. It reports whether the last entry of a snapshot is in it.
func (f *Files) take(r *pb.Message, at *pb.SnapshotMetadata) (follows bool) {
	if r.GetTerm() != 0 {
		f.hard = &pb.HardState{Term: new(r.GetTerm()), Vote: new(r.GetVote()), Commit: new(r.GetCommit())}
	}
	if r.GetIndex() != 0 {
		f.entries = nil
		follows = r.GetIndex() == at.GetIndex() && r.GetLogTerm() == at.GetTerm()
	}
	f.put(r.Entries)
	return follows || slices.ContainsFunc(r.Entries, func(e *pb.Entry) bool {
		return e.GetIndex() == at.GetIndex() && e.GetTerm() == at.GetTerm()
	})
}

// put has entries take the place of those that had their numbers, and of all that followed.
func (f *Files) put(entries []*pb.Entry) {
	if len(entries) == 0 {
		return
	}
	first := entries[0].GetIndex()
	f.entries = append(slices.DeleteFunc(f.entries, func(e *pb.Entry) bool { return e.GetIndex() >= first }), entries...)
}

// span is the numbers of the first and the last record of the journal, zero if it is empty.
func (f *Files) span() (first, last uint64, err error) {
	if first, err = f.journal.FirstIndex(); err != nil {
		return 0, 0, err
	}
	last, err = f.journal.LastIndex()
	return first, last, err
}

// Save makes things durable, with one sync unless a snapshot is among them.
func (f *Files) Save(hard *pb.HardState, entries []*pb.Entry, snapshot *pb.Snapshot) error {
	if err := f.settle(snapshot != nil); err != nil {
		return err
	}
	if !raft.IsEmptyHardState(hard) {
		f.hard = proto.CloneOf(hard)
	}
	if snapshot != nil {
		if err := writeSnapshot(f.dir, snapshot); err != nil {
			return err
		}
		if err := f.restart(snapshot.GetMetadata(), nil); err != nil {
			return err
		}
	}
	if len(entries) == 0 && raft.IsEmptyHardState(hard) {
		return nil
	}
	f.put(entries)
	return f.append(&pb.Message{Entries: entries})
}

// Compact has a snapshot take the place of the entries up to its own. It is written beside what goes on: until it is there, the one before
// and the whole journal are what counts.
func (f *Files) Compact(snapshot *pb.Snapshot) error {
	if err := f.settle(true); err != nil {
		return err
	}
	// The engine goes on to use its own.
	own := &pb.Snapshot{Data: snapshot.Data, Metadata: proto.CloneOf(snapshot.GetMetadata())}
	done := make(chan written, 1)
	go func() { done <- written{own.GetMetadata(), writeSnapshot(f.dir, own)} }()
	f.written = done
	return nil
}

// settle has the journal begin after the snapshot that was being written, if that is there now. It waits for it if it is told to.
func (f *Files) settle(wait bool) error {
	if f.written == nil {
		return nil
	}
	var w written
	if wait {
		w = <-f.written
	} else {
		select {
		case w = <-f.written:
		default:
			return nil
		}
	}
	f.written = nil
	if w.err != nil {
		return w.err
	}
	upTo := w.at.GetIndex()
	return f.restart(w.at, slices.DeleteFunc(f.entries, func(e *pb.Entry) bool { return e.GetIndex() <= upTo }))
}

// restart begins the journal anew, after a snapshot, with the entries that follow it.
func (f *Files) restart(at *pb.SnapshotMetadata, entries []*pb.Entry) error {
	f.entries = entries
	if err := f.append(&pb.Message{Index: new(at.GetIndex()), LogTerm: new(at.GetTerm()), Entries: entries}); err != nil {
		return err
	}
	first, last, err := f.span()
	if err == nil && first < last {
		err = f.journal.DeleteRange(first, last-1)
	}
	return err
}

// append adds a record to the journal: the votes as they stand, a snapshot that it begins with, and entries.
func (f *Files) append(r *pb.Message) error {
	if f.hard != nil {
		r.Term, r.Vote, r.Commit = f.hard.Term, f.hard.Vote, f.hard.Commit
	}
	text, err := proto.Marshal(r)
	if err != nil {
		return err
	}
	err = f.journal.StoreLogs([]*hashi.Log{{Index: max(f.next, 1), Data: text}})
	f.next = max(f.next, 1) + 1
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
