package record

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"

	"throng/lab/churn"
	"throng/world"
)

// Only the network's part of a timeline is used here: what happens to nodes shows in their tracks.
func TestWhatHappensIsInTheHeader(t *testing.T) {
	r := newRun(t, hearsay{}, 2*world.Second, 0)
	timeline := &r.Setup().Timeline
	timeline.Statements = []string{"from 500ms to 1s: partition 1 | rest", "at 1s: everybody gathers at the centre"}
	timeline.Events = []churn.Event{
		{At: world.Second / 2, Kind: churn.Cut},
		{At: world.Second, Kind: churn.Heal},
		{At: world.Second, Kind: churn.Gather, Node: 2, Cause: 1},
		{At: world.Second, Kind: churn.Gather, Node: 3, Cause: 1},
	}
	list, causes := happenings(r)
	want := []Happening{{world.Second / 2, "cut", 0, 0, 0}, {world.Second, "heal", 0, 0, 0}, {world.Second, "gather", 2, 2, 1}}
	if !reflect.DeepEqual(list, want) || len(causes) != 2 {
		t.Errorf("got %+v by %q\nwant %+v", list, causes, want)
	}
	timeline.Events = timeline.Events[:2]
	var out bytes.Buffer
	w, err := Attach(r, &out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if h := read.Header(); !reflect.DeepEqual(h.Events, want[:2]) || !reflect.DeepEqual(h.Causes, timeline.Statements) {
		t.Errorf("read %+v by %q", h.Events, h.Causes)
	}
}

// A run in which nothing happens is recorded as it was before there were events.
func TestNothingIsSaidOfNothing(t *testing.T) {
	r := newRun(t, hearsay{}, world.Second, 0)
	var out bytes.Buffer
	if _, err := Attach(r, &out, Options{}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Contains(text, `"events"`) || strings.Contains(text, `"causes"`) {
		t.Errorf("the header says %.2000q", text)
	}
}

func TestForgedEventsAreRefused(t *testing.T) {
	r := newRun(t, hearsay{}, world.Second, 0)
	w, err := Attach(r, new(bytes.Buffer), Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := w.header
	h.Causes = []string{"a"}
	for _, events := range [][]Happening{{{At: -1}}, {{Cause: 1}}, {{Cause: -1}}, {{At: 2}, {At: 1}}} {
		h.Events = events
		if err := h.check(); err == nil {
			t.Errorf("%+v is accepted", events)
		}
	}
	h.Events = []Happening{{At: 1}, {At: 1}}
	if err := h.check(); err != nil {
		t.Error(err)
	}
}
