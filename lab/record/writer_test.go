package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"throng/world"
)

func TestFileGetsItsNameAtTheEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.rec")
	run := newRun(t, hearsay{}, world.Second, 0)
	w, err := Create(run, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("before the end: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + PartSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after the end: %v", err)
	}
	r, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if r.Frames() != 21 || r.Damage() != nil {
		t.Errorf("%d frames (%v)", r.Frames(), r.Damage())
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if w.Close() == nil {
		t.Error("it can be closed twice")
	}
}

func TestDiscardLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(newRun(t, hearsay{}, world.Second, 0), filepath.Join(dir, "run.rec"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Discard()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// full is an output that has room for a number of bytes.
type full int

var errFull = errors.New("no space left")

func (f *full) Write(b []byte) (int, error) {
	if *f -= full(len(b)); *f < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestCloseTellsWhatWentWrong(t *testing.T) {
	room := full(10)
	if _, err := Attach(newRun(t, hearsay{}, world.Second, 0), &room, Options{}); !errors.Is(err, errFull) {
		t.Errorf("no room for the header: %v", err)
	}
	size := full(len(sample(t)))
	for _, room := range []full{size / 2, size - 1} {
		run := newRun(t, hearsay{}, 5*world.Second, 0)
		w, err := Attach(run, &room, watch(run, 2).options())
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Go(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); !errors.Is(err, errFull) {
			t.Errorf("no room for all: %v", err)
		}
	}
}

func TestRunUnderWayIsNotRecorded(t *testing.T) {
	run := newRun(t, hearsay{}, world.Second, 0)
	w, err := Attach(run, io.Discard, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Tick(4 * run.Start().Schema().Tick)
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "under way") {
		t.Errorf("close: %v", err)
	}
}

func TestSenselessActionIsRefused(t *testing.T) {
	run := newRun(t, hearsay{}, world.Second, 0)
	path := filepath.Join(t.TempDir(), "run.rec")
	w, err := Create(run, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Acted(run.Hosts()[1], 0, &world.Action{User: 2, Seq: 1, Verb: 200})
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "user 2") {
		t.Errorf("close: %v", err)
	}
	for _, name := range []string{path, path + PartSuffix} {
		if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGroupsStayWithinTheirLimit(t *testing.T) {
	limited := func(bytesMax int) ([]byte, *witness, error) {
		run := newRun(t, hearsay{}, 5*world.Second, 0)
		seen := watch(run, 2)
		var out bytes.Buffer
		w, err := Attach(run, &out, seen.options())
		if err != nil {
			t.Fatal(err)
		}
		w.groupBytes = bytesMax
		if err := run.Go(context.Background()); err != nil {
			t.Fatal(err)
		}
		err = w.Close()
		return out.Bytes(), seen, err
	}
	const bytesMax = 2000
	data, seen, err := limited(bytesMax)
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, data)
	if usual := len(open(t, sample(t)).groups); len(r.groups) <= usual {
		t.Fatalf("%d groups, as many as without a limit", len(r.groups))
	}
	for n := range seen.hashes {
		if err := r.At(n); err != nil {
			t.Fatal(err)
		}
		compareFrame(t, r, seen, n)
		if len(r.shown) > bytesMax {
			t.Fatalf("a group of %d bytes", len(r.shown))
		}
	}
	if _, _, err := limited(200); err == nil || !strings.Contains(err.Error(), "fewer hosts") {
		t.Errorf("a frame beyond the limit: %v", err)
	}
}

func TestCurveWithoutAValue(t *testing.T) {
	run := newRun(t, hearsay{}, world.Second, 0)
	var out bytes.Buffer
	negative := math.Float64frombits(0xfff8000000000000) // what amd64 computes for 0/0; arm64 computes a positive one
	w, err := Attach(run, &out, Options{Curves: []Curve{{"nothing", "", func() float64 { return negative }}}})
	if err != nil {
		t.Fatal(err)
	}
	w.Tick(0)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := open(t, out.Bytes())
	if r.Curves() != nil {
		t.Error("there are values before the first frame")
	}
	if err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if bits := math.Float64bits(r.Curves()[0]); bits != 0x7ff8000000000001 {
		t.Errorf("nothing is %x", bits)
	}
}

func TestFramesAllocateNothing(t *testing.T) {
	var out bytes.Buffer
	w, tick := crowd(t, &out, 3, 40)
	frame := func() {
		w.Tick(world.Time(*tick) * w.header.World.Tick)
		*tick++
	}
	for range 2*w.groupFrames + 1 { // until all buffers have grown
		frame()
	}
	if n := testing.AllocsPerRun(50, frame); n != 0 {
		t.Errorf("writing a frame allocates %v times", n)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := open(t, out.Bytes())
	for r.Next() == nil { // until all buffers have grown
	}
	n := 0
	if allocs := testing.AllocsPerRun(100, func() {
		if err := r.At(n); err != nil {
			t.Fatal(err)
		}
		n++
	}); allocs != 0 {
		t.Errorf("reading a frame allocates %v times", allocs)
	}
}
