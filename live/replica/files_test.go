package replica

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

func entry(index, term uint64, data string) *pb.Entry {
	return &pb.Entry{Index: new(index), Term: new(term), Type: pb.EntryNormal.Enum(), Data: []byte(data)}
}

func snapshotAt(index, term uint64, data string) *pb.Snapshot {
	return &pb.Snapshot{Data: []byte(data), Metadata: &pb.SnapshotMetadata{
		Index: new(index), Term: new(term), ConfState: &pb.ConfState{Voters: []uint64{1}}}}
}

func open(t testing.TB, dir string) *Files {
	t.Helper()
	f, err := OpenFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func same(t *rapid.T, got Disk, want *platter) {
	gotHard, gotSnapshot, gotEntries, err := got.Load()
	if err != nil {
		t.Fatal(err)
	}
	want.settle()
	wantHard, wantSnapshot, wantEntries, _ := want.Load()
	if gotHard.GetTerm() != wantHard.GetTerm() || gotHard.GetVote() != wantHard.GetVote() {
		t.Fatalf("term and vote are %v, want %v", gotHard, wantHard)
	}
	if !proto.Equal(gotSnapshot, wantSnapshot) {
		t.Fatalf("the snapshot is %v, want %v", gotSnapshot, wantSnapshot)
	}
	if len(gotEntries) != len(wantEntries) {
		t.Fatalf("%d entries, want %d", len(gotEntries), len(wantEntries))
	}
	for i := range gotEntries {
		if !proto.Equal(gotEntries[i], wantEntries[i]) {
			t.Fatalf("entry %v, want %v", gotEntries[i], wantEntries[i])
		}
	}
}

// Whatever is saved in whatever order, with the folder closed and opened again in between, is there as in the model.
func TestFilesHoldWhatWasSaved(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		files, model := open(t, dir), &platter{}
		defer func() { files.Close() }()
		save := func(h *pb.HardState, e []*pb.Entry, s *pb.Snapshot) {
			if err := errors.Join(files.Save(h, e, s), model.Save(h, e, s)); err != nil {
				r.Fatal(err)
			}
		}
		save(nil, nil, snapshotAt(1, 1, "start"))
		last, term := uint64(1), uint64(1)
		for range rapid.IntRange(1, 6).Draw(r, "steps") {
			switch rapid.IntRange(0, 4).Draw(r, "step") {
			case 0: // a vote
				term++
				save(&pb.HardState{Term: new(term), Vote: new(uint64(2)), Commit: new(uint64(1))}, nil, nil)
			case 1, 2: // entries, perhaps in place of others
				model.settle()
				floor := model.snapshot.GetMetadata().GetIndex() + 1
				first := rapid.Uint64Range(floor, last+1).Draw(r, "first")
				var entries []*pb.Entry
				for i := range rapid.Uint64Range(1, 4).Draw(r, "n") {
					entries = append(entries, entry(first+i, term, strings.Repeat("x", int(i)+1)))
				}
				last = first + uint64(len(entries)) - 1
				save(nil, entries, nil)
			case 3: // a snapshot of one's own
				model.settle()
				at := rapid.Uint64Range(model.snapshot.GetMetadata().GetIndex(), last).Draw(r, "at")
				s := snapshotAt(at, model.termOf(at), "own")
				if err := errors.Join(files.Compact(s), model.Compact(s)); err != nil {
					r.Fatal(err)
				}
			case 4: // one from elsewhere
				last += rapid.Uint64Range(1, 5).Draw(r, "further")
				term++
				save(nil, nil, snapshotAt(last, term, "theirs"))
			}
			if rapid.Bool().Draw(r, "restart") {
				files.Close()
				files = open(t, dir)
				same(r, files, model) // what is there is read before anything is added
			}
			if rapid.Bool().Draw(r, "look") {
				same(r, files, model)
			}
		}
	})
}

// termOf is the term of an entry that is there, or of the snapshot's last.
func (p *platter) termOf(index uint64) uint64 {
	for _, e := range p.entries {
		if e.GetIndex() == index {
			return e.GetTerm()
		}
	}
	return p.snapshot.GetMetadata().GetTerm()
}

// A process may die between the writing of a snapshot from elsewhere and the emptying of the log.
func TestALogFromBeforeASnapshotIsDropped(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	if err := errors.Join(f.Save(nil, nil, snapshotAt(1, 1, "start")), f.Save(nil, []*pb.Entry{entry(2, 2, "a"), entry(3, 2, "b"), entry(4, 2, "c")}, nil)); err != nil {
		t.Fatal(err)
	}
	if err := writeSnapshot(dir, snapshotAt(3, 5, "theirs")); err != nil {
		t.Fatal(err)
	}
	f.Close()
	f = open(t, dir)
	defer f.Close()
	_, snapshot, entries, err := f.Load()
	if err != nil || snapshot.GetMetadata().GetTerm() != 5 || len(entries) != 0 {
		t.Errorf("got %v, %v, %v: entries of term 2 after a snapshot of term 5 would undo votes", snapshot, entries, err)
	}
}

// A process may die between the writing of a snapshot of its own and the cutting of the log.
func TestALogThatASnapshotHasOvertaken(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	err := errors.Join(f.Save(nil, nil, snapshotAt(1, 1, "start")), f.Save(nil, []*pb.Entry{entry(2, 2, "a"), entry(3, 2, "b")}, nil),
		f.Compact(snapshotAt(3, 2, "own")), (<-f.written).err)
	if err != nil {
		t.Fatal(err)
	}
	f.written = nil // nobody will know
	if err := f.Save(nil, []*pb.Entry{entry(4, 2, "c")}, nil); err != nil {
		t.Fatal(err)
	}
	f.Close()
	f = open(t, dir)
	defer f.Close()
	_, snapshot, entries, err := f.Load()
	if err != nil || string(snapshot.Data) != "own" || len(entries) != 1 || entries[0].GetIndex() != 4 {
		t.Errorf("got %v, %v, %v", snapshot, entries, err)
	}
}

// What cannot be written is said with the next thing that is to be saved, and the log is still whole.
func TestASnapshotThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	if err := errors.Join(f.Save(nil, nil, snapshotAt(1, 1, "start")), f.Save(nil, []*pb.Entry{entry(2, 2, "a")}, nil)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, snapshotName+".new"), 0o700); err != nil { // in its way
		t.Fatal(err)
	}
	if err := f.Compact(snapshotAt(2, 2, "own")); err != nil {
		t.Fatal(err)
	}
	w := <-f.written
	f.written <- w
	if err := f.Save(nil, []*pb.Entry{entry(3, 2, "b")}, nil); err == nil {
		t.Error("nothing was said")
	}
	f.Close()
	f = open(t, dir)
	defer f.Close()
	if _, snapshot, entries, err := f.Load(); err != nil || string(snapshot.Data) != "start" || len(entries) != 1 {
		t.Errorf("got %v, %v, %v", snapshot, entries, err)
	}
}

func TestDamageIsNamed(t *testing.T) {
	for _, c := range []struct {
		name, want string
		damage     func(text []byte) []byte
	}{
		{"a flipped bit", "damaged", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }},
		{"a torn end", "damaged", func(b []byte) []byte { return b[:len(b)-3] }},
		{"another version", "not a snapshot of this version", func(b []byte) []byte { b[16]++; return b }},
		{"nothing", "not a snapshot", func([]byte) []byte { return nil }},
	} {
		dir := t.TempDir()
		f := open(t, dir)
		if err := f.Save(nil, nil, snapshotAt(1, 1, "start")); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, snapshotName)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, c.damage(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := f.Load(); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", c.name, err)
		}
		f.Close()
	}
}
