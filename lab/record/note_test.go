package record

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// still begins a recording of a world in which nothing happens but what is noted.
func still(t *testing.T, out *bytes.Buffer) *Writer {
	schema := mechanismtest.Marbles(1).Schema()
	state := world.NewState(schema, 1)
	w, err := New(out, Header{World: schema, Every: 1}, []View{{Track{Role: RoleTruth}, func() *world.State { return state }}}, nil, 2*schema.Tick)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func notesOf(t *testing.T, data []byte) (list []Note) {
	r, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for n, err := range r.AllNotes() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

// Notes come back as they were taken, also where a datagram arrives in a later group than it was sent in.
func TestNotesComeBack(t *testing.T) {
	var out bytes.Buffer
	w := still(t, &out)
	tick := mechanismtest.Marbles(1).Schema().Tick
	ms := world.Millisecond
	first := Note{Time: 3 * ms, Kind: Sent, Node: 1, To: 2, Class: mechanism.Update, Size: 99, Text: "walk x=1"}
	second := Note{Time: 4 * ms, Kind: Sent, Node: 2, To: 1, Class: mechanism.Receipt, Size: 40, Ref: 1, Text: strings.Repeat("x", textMax)}
	want := []Note{
		first, {Time: 3 * ms, Kind: Reported, Node: 2, User: 5, Seq: 6, Value: -7, Text: mechanism.Rollback}, second,
		{Time: 5 * tick, Kind: Got, Ref: 0}, {Time: 6 * tick, Kind: Happened, Node: 3, User: 9, Text: "joined"},
	}
	w.Tick(0)
	if ref := w.Note(first); ref != 0 {
		t.Errorf("the first datagram is number %d", ref)
	}
	w.Note(want[1])
	long := second
	long.Text += "and more"
	if ref := w.Note(long); ref != 1 {
		t.Errorf("the second datagram is number %d", ref)
	}
	w.Note(Note{Time: 4 * ms, Kind: Got, Ref: 2}) // never sent
	for at := tick; at <= 5*tick; at += tick {
		w.Tick(at)
	}
	w.Note(want[3])
	w.Tick(6 * tick)
	w.Note(want[4])
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := notesOf(t, out.Bytes()); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\ninstead of\n%+v", got, want)
	}
}

// There is an end to what is noted, and the recording goes on.
func TestNotesAreBounded(t *testing.T) {
	var out bytes.Buffer
	w := still(t, &out)
	text, tick := strings.Repeat("long ", textMax/5), mechanismtest.Marbles(1).Schema().Tick
	for at := world.Tick(0); at < 20; at++ {
		w.Tick(world.Time(at) * tick)
		for range 2 * notesMax / textMax / 20 {
			w.Note(Note{Time: world.Time(at) * tick, Kind: Sent, Node: 1, To: 2, Text: text})
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || r.Frames() != 20 {
		t.Fatalf("%d frames (%v)", r.Frames(), err)
	}
	if n := len(notesOf(t, out.Bytes())); n < notesMax/(textMax+20) || n > notesMax/textMax {
		t.Errorf("%d notes", n)
	}
}

func FuzzNotes(f *testing.F) {
	f.Add([]byte{0, 1, 0, 1, 2, 3, 4, 2, 'o', 'k', 1, 1, 0, 0, 2, 1, 1, 1, 1, 1, 'x'})
	f.Fuzz(func(t *testing.T, list []byte) {
		r := &Reader{noted: list, groups: make([]group, 1)}
		last, sent := world.Time(0), uint64(0)
		r.readNotes(0, func(n Note, err error) bool {
			if err == nil && (n.Time < last || n.Kind >= kinds) {
				t.Errorf("%+v after %v", n, last)
			}
			last, sent = n.Time, sent+1
			return err == nil
		})
	})
}
