package recorder

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"throng/catalog"
	"throng/lab/record"
	"throng/live/hub"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// served has a crowd live for a while with a recorder. The function is called in between.
func served(t *testing.T, c Config, f func(h *hub.Hub, r *Recorder)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var recorder atomic.Pointer[Recorder] // players act before there is one
		config := hub.Config{
			Description: session.Description{World: session.Choice{Name: "crowd", Params: map[string]string{"walkers": "6"}}, Mechanism: session.Choice{Name: "central"}, Seed: 4},
			Acted: func(p mechanism.Place, a *world.Action) {
				if r := recorder.Load(); r != nil {
					r.Acted(p, a)
				}
			},
		}
		config.Joined, config.Left = func(s *hub.Seat) { recorder.Load().Joined(s) }, func(s *hub.Seat) { recorder.Load().Left(s) }
		h, err := hub.Start(config, catalog.Default())
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close(context.Background(), "over")
		c.Mechanism, c.Seed, c.Log = "central", 4, slog.New(slog.DiscardHandler)
		c.sync = func(*os.File) error { return nil }
		r, err := Start(h, c)
		if err != nil {
			t.Fatal(err)
		}
		recorder.Store(r)
		f(h, r)
	})
}

func files(t *testing.T, folder string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func open(t *testing.T, path string) *record.Reader {
	t.Helper()
	r, err := record.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

type nobody struct{}

func (nobody) Send(mechanism.Message) bool { return true }
func (nobody) Close(string)                {}

// The truth, two players' views and their actions, and somebody who comes and goes.
func TestWorldIsRecorded(t *testing.T) {
	folder := t.TempDir()
	served(t, Config{Folder: folder, Views: 2, Length: 60 * world.Minute, Size: 1 << 30}, func(h *hub.Hub, r *Recorder) {
		<-time.After(3 * time.Second)
		seat, err := h.Join("Ada")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Attach(seat, &nobody{}, true); err != nil {
			t.Fatal(err)
		}
		<-time.After(3 * time.Second)
		h.Leave(seat, "enough")
		<-time.After(3 * time.Second)
		r.Close()
	})
	list := files(t, folder)
	if len(list) != 1 || !strings.HasSuffix(list[0], "-crowd-central"+Ending) {
		t.Fatalf("there are %v", list)
	}
	in := open(t, list[0])
	if n := in.Frames(); n < 88 || n > 92 || in.Damage() != nil || len(in.Header().Tracks) != 3 || in.Header().Began == "" {
		t.Errorf("%d frames of 9 seconds, %+v (%v)", n, in.Header(), in.Damage())
	}
	if err := in.At(85); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if in.State(i).Len() < []int{6, 1, 1}[i] {
			t.Errorf("track %d shows %d objects", i, in.State(i).Len())
		}
	}
	var said []string
	for n, err := range in.AllNotes() {
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, n.Text)
		if at := n.Time; at < 2*world.Second || at > 7*world.Second {
			t.Errorf("%s at %v", n.Text, at)
		}
	}
	if strings.Join(said, ", ") != "Ada joined, Ada left" {
		t.Errorf("noted: %q", said)
	}
	actions := 0
	for _, err := range in.AllActions() {
		if err != nil {
			t.Fatal(err)
		}
		actions++
	}
	if actions == 0 {
		t.Error("nobody has done anything")
	}
}

// Files are no longer than wanted, and the oldest go when there are too many bytes; what is not ours stays.
func TestRecordingsAreBounded(t *testing.T) {
	folder := t.TempDir()
	mine := filepath.Join(folder, "mine.throng")
	if err := os.WriteFile(mine, make([]byte, 1<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	var all int
	served(t, Config{Folder: folder, Length: 10 * world.Second, Size: 10_000}, func(_ *hub.Hub, r *Recorder) {
		seen := map[string]bool{}
		for range 6 {
			<-time.After(10 * time.Second)
			for _, f := range files(t, folder) {
				seen[strings.TrimSuffix(f, record.PartSuffix)] = true
			}
		}
		r.Close()
		all = len(seen) - 1
	})
	total, list := int64(0), files(t, folder)
	for _, f := range list {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		if f != mine {
			total += info.Size()
			if n := open(t, f).Frames(); n > 102 {
				t.Errorf("%s has %d frames", f, n)
			}
		}
	}
	if all < 6 || total > 10_000*5/4 || len(list) < 3 {
		t.Errorf("%d files of 60 seconds, %d bytes in %d files are left", all, total, len(list))
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

// A program that is killed leaves what can be read up to a few seconds before, wherever the file was torn.
func TestTornRecordingIsReadable(t *testing.T) {
	folder := t.TempDir()
	served(t, Config{Folder: folder, Length: 60 * world.Minute, Size: 1 << 30}, func(_ *hub.Hub, r *Recorder) {
		<-time.After(17 * time.Second)
		synctest.Wait()
		list := files(t, folder)
		if len(list) != 1 || !strings.HasSuffix(list[0], record.PartSuffix) {
			t.Fatalf("there are %v", list)
		}
		torn, err := os.ReadFile(list[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range []int{0, 7, 1000} {
			path := filepath.Join(folder, "torn")
			if err := os.WriteFile(path, torn[:len(torn)-cut], 0o644); err != nil {
				t.Fatal(err)
			}
			in, err := record.OpenFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := in.Frames(); n != 150 && (cut == 0 || n < 50) || in.Damage() == nil {
				t.Errorf("%d frames of 17 seconds, torn by %d bytes (%v)", n, cut, in.Damage())
			}
			if err := in.At(in.Frames() - 1); err != nil {
				t.Error(err)
			}
			in.Close()
		}
		r.Close()
	})
}
