package record

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"slices"
	"testing"

	"throng/lab/measure"
	"throng/mechanism"
	"throng/mechanism/ideal"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

func TestPlaybackShowsWhatWasSeenLive(t *testing.T) {
	for _, c := range []struct {
		name      string
		mechanism mechanism.Mechanism
		every     world.Tick
		duration  world.Time
		offset    world.Time
		after     bool // users act after the last frame
	}{
		{"ideal", &ideal.Config{}, 1, 6 * world.Second, 0, false},
		{"hearsay", hearsay{}, 1, 6 * world.Second, 0, false},
		{"every third tick, ending between two frames", hearsay{}, 3, 7*world.Second + 100*world.Millisecond, 0, true},
		{"clocks that are wrong", hearsay{}, 2, 6*world.Second + 90*world.Millisecond, 20 * world.Millisecond, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, seen := recorded(t, c.mechanism, c.every, c.duration, c.offset)
			r := open(t, data)
			if r.Damage() != nil || r.Frames() != len(seen.hashes) || len(r.groups) < 3 {
				t.Fatalf("%d frames in %d groups of %d (%v)", r.Frames(), len(r.groups), len(seen.hashes), r.Damage())
			}
			var actions []Action
			for n := range seen.hashes {
				if err := r.Next(); err != nil {
					t.Fatal(err)
				}
				compareFrame(t, r, seen, n)
				actions = append(actions, r.Actions()...)
			}
			if err := r.Next(); err != io.EOF {
				t.Errorf("after the last frame: %v", err)
			}
			if len(actions) < 30 || !slices.Equal(actions, seen.actions[:len(actions)]) {
				t.Errorf("the frames have %d actions, not the first of those taken", len(actions))
			}
			if after := len(actions) < len(seen.actions); after != c.after {
				t.Errorf("%d of %d actions were taken up to the last frame", len(actions), len(seen.actions))
			}
			if all := allActions(t, r); !slices.Equal(all, seen.actions) {
				t.Errorf("%d actions of %d", len(all), len(seen.actions))
			}
		})
	}
}

// compareFrame holds the frame that a reader stands on against what the witness saw.
func compareFrame(t *testing.T, r *Reader, seen *witness, n int) {
	t.Helper()
	if r.Frame() != n || r.Time() != world.Time(n)*world.Time(seen.every)*50*world.Millisecond {
		t.Fatalf("frame %d at %v instead of frame %d", r.Frame(), r.Time(), n)
	}
	for i, want := range seen.hashes[n] {
		if got := r.State(i).Hash(); got != want {
			t.Fatalf("frame %d, track %d: %x was recorded, %x seen", n, i, got, want)
		}
	}
	if !slices.Equal(r.Curves(), seen.samples[n]) {
		t.Fatalf("frame %d: curves %v, seen were %v", n, r.Curves(), seen.samples[n])
	}
	for _, a := range r.Actions() {
		if a.Time > r.Time() || a.Time <= r.Time()-r.Header().span() {
			t.Fatalf("frame %d at %v has an action of %v", n, r.Time(), a.Time)
		}
	}
}

func allActions(t *testing.T, r *Reader) []Action {
	t.Helper()
	var all []Action
	for a, err := range r.AllActions() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

func TestHeaderDescribesTheRun(t *testing.T) {
	h := open(t, sample(t)).Header()
	want := &Header{
		World: mechanismtest.Marbles(4).Schema(), Mechanism: "hearsay", Network: "constant",
		Params: []string{"network.delay=70ms", "world.users=4"},
		Seed:   3, Duration: 5 * world.Second, Warmup: world.Second, Every: 2,
		Tracks: []Track{{1, "peer", 1}, {2, "peer", 2}, {3, "peer", 3}, {4, "peer", 4}, {0, RoleTruth, 0}},
		Curves: []Label{{"divergence", ""}, {"objects", "1"}},
	}
	if !reflect.DeepEqual(h, want) {
		t.Errorf("got  %+v\nwant %+v", h, want)
	}
}

func TestRecordingNeedsNoMoreThanItself(t *testing.T) {
	// The truth is what the actions make of the beginning: so they must all be there, at the right times.
	data, _ := recorded(t, hearsay{}, 1, 6*world.Second, 0)
	r := open(t, data)
	actions := allActions(t, r)
	if err := r.At(0); err != nil {
		t.Fatal(err)
	}
	w := mechanismtest.Marbles(4)
	start := world.NewState(w.Schema(), r.Header().Seed)
	w.Populate(start)
	replica := mechanism.NewReplica(w, start)
	for n := range r.Frames() {
		if err := r.At(n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			replica.Advance()
		}
		for len(actions) > 0 && actions[0].Time <= r.Time() {
			replica.Do(&actions[0].Action)
			actions = actions[1:]
		}
		truth := r.State(len(r.Header().Tracks) - 1)
		if truth.Hash() != replica.State.Hash() {
			t.Fatalf("frame %d: %s", n, measure.Difference(truth, replica.State))
		}
	}
}

func TestAnyFrameCanBeReached(t *testing.T) {
	data, seen := recorded(t, hearsay{}, 2, 6*world.Second, 0)
	r := open(t, data)
	last := r.Frames() - 1
	for _, n := range []int{last, 0, 1, 30, 29, 29, 31, last - 1, 19, 20, 21, 20, 19, 0, last} {
		if err := r.At(n); err != nil {
			t.Fatal(err)
		}
		compareFrame(t, r, seen, n)
	}
	for _, n := range []int{-1, last + 1} {
		if r.At(n) == nil {
			t.Errorf("there is a frame %d", n)
		}
	}
	compareFrame(t, r, seen, last)
}

func TestSelectLeavesTracksOut(t *testing.T) {
	data, seen := recorded(t, hearsay{}, 2, 6*world.Second, 0)
	r := open(t, data)
	if err := r.At(7); err != nil {
		t.Fatal(err)
	}
	r.Select(1, 4)
	if r.Frame() != -1 || r.State(1) != nil {
		t.Error("the reader has not moved")
	}
	for _, n := range []int{50, 3, 33} {
		if err := r.At(n); err != nil {
			t.Fatal(err)
		}
		for i, want := range seen.hashes[n] {
			if s := r.State(i); i != 1 && i != 4 {
				if s != nil {
					t.Errorf("track %d was left out but is there", i)
				}
			} else if s.Hash() != want {
				t.Errorf("frame %d, track %d is wrong", n, i)
			}
		}
		if !slices.Equal(r.Curves(), seen.samples[n]) {
			t.Errorf("frame %d: the curves are wrong", n)
		}
	}
}

func TestChosenHostsOnly(t *testing.T) {
	run := newRun(t, hearsay{}, world.Second, 0)
	var out bytes.Buffer
	w, err := Attach(run, &out, Options{Hosts: []mechanism.NodeID{3, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := run.Hosts()[2].View().Hash()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := open(t, out.Bytes())
	if err := r.At(r.Frames() - 1); err != nil {
		t.Fatal(err)
	}
	if len(r.Header().Tracks) != 2 || r.Header().Tracks[0].Node != 3 || r.State(0).Hash() != want {
		t.Errorf("tracks %v", r.Header().Tracks)
	}
	for _, id := range []mechanism.NodeID{0, 5, 6} { // nobody, the server, nobody
		if _, err := Attach(run, &out, Options{Hosts: []mechanism.NodeID{id}}); err == nil {
			t.Errorf("node %d has a view", id)
		}
	}
}

func TestSameRunSameBytes(t *testing.T) {
	if !bytes.Equal(sample(t), sample(t)) {
		t.Error("two recordings of one run differ")
	}
}

func TestRecordingDoesNotChangeTheRun(t *testing.T) {
	measured := func(recorded bool) []measure.Figure {
		run := newRun(t, &ideal.Config{}, 3*world.Second, 0)
		if recorded {
			if _, err := Attach(run, io.Discard, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		probes := measure.Attach(run, measure.All())
		if err := run.Go(context.Background()); err != nil {
			t.Fatal(err)
		}
		return probes.Figures()
	}
	with, without := measured(true), measured(false)
	for i := range with {
		if a, b := with[i], without[i]; a.Value != b.Value && a.Value == a.Value {
			t.Errorf("%s is %v with a recording, %v without", a.Name, a.Value, b.Value)
		}
	}
}

func TestStoppedRunIsRecordedUpToThere(t *testing.T) {
	run := newRun(t, hearsay{}, world.Minute, 0)
	seen := watch(run, 1)
	ctx, stop := context.WithCancel(context.Background())
	run.Observe(stopper{stop})
	var out bytes.Buffer
	w, err := Attach(run, &out, seen.options())
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Go(ctx); err == nil {
		t.Fatal("the run was not stopped")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := open(t, out.Bytes())
	if r.Damage() != nil || r.Frames() < 100 || r.Frames() == 1201 || r.Frames() != len(seen.hashes) {
		t.Fatalf("%d frames of %d (%v)", r.Frames(), len(seen.hashes), r.Damage())
	}
	if err := r.At(r.Frames() - 1); err != nil {
		t.Fatal(err)
	}
	compareFrame(t, r, seen, r.Frames()-1)
	if all := allActions(t, r); !slices.Equal(all, seen.actions) {
		t.Errorf("%d actions of %d", len(all), len(seen.actions))
	}
}

// stopper stops a run after five seconds.
type stopper struct{ stop func() }

func (s stopper) Tick(now world.Time) {
	if now == 5*world.Second {
		s.stop()
	}
}

func TestRecordingWithoutFrames(t *testing.T) {
	var out bytes.Buffer
	w, err := Attach(newRun(t, hearsay{}, world.Second, 0), &out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := open(t, out.Bytes())
	if r.Frames() != 0 || r.Damage() != nil || r.Next() != io.EOF || r.At(0) == nil || r.State(0) != nil {
		t.Errorf("%d frames (%v)", r.Frames(), r.Damage())
	}
}
