package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"throng/world"
)

// readAll reads what can be read of a recording and returns a text that differs for recordings that differ.
func readAll(data []byte) (string, error) {
	r, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", err
	}
	defer r.Close()
	var b strings.Builder
	for err = r.Next(); err == nil; err = r.Next() {
		fmt.Fprint(&b, r.Frame(), r.Time(), r.Curves(), r.Actions())
		for i := range r.Header().Tracks {
			fmt.Fprint(&b, " ", r.State(i).Hash())
		}
		b.WriteByte('\n')
	}
	if err != io.EOF {
		return b.String(), err
	}
	for a, err := range r.AllActions() {
		if err != nil {
			return b.String(), err
		}
		fmt.Fprintln(&b, a)
	}
	return b.String(), r.Damage()
}

func TestNoDamageGoesUnnoticed(t *testing.T) {
	data, _ := recorded(t, hearsay{}, 4, 3*world.Second, 0)
	if _, err := readAll(data); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] ^= 1 << (i % 8)
		var wrong *Error
		if _, err := readAll(data); !errors.As(err, &wrong) {
			t.Errorf("byte %d of %d is wrong, which reads as %v", i, len(data), err)
		}
		data[i] ^= 1 << (i % 8)
	}
}

func TestTruncatedRecordingIsReadAsFarAsItGoes(t *testing.T) {
	data, _ := recorded(t, hearsay{}, 4, 3*world.Second, 0)
	whole, err := readAll(data)
	if err != nil {
		t.Fatal(err)
	}
	frames, _, _ := strings.Cut(whole, "{") // what comes before the list of all actions
	headEnd := int(open(t, data).groups[0].offset)
	for n := 0; n < len(data); n += 5 {
		part, err := readAll(data[:n])
		var wrong *Error
		if !errors.As(err, &wrong) {
			t.Fatalf("%d of %d bytes read as %v", n, len(data), err)
		}
		shown, _, _ := strings.Cut(part, "{")
		if !strings.HasPrefix(frames, shown) {
			t.Fatalf("%d of %d bytes show something else than all", n, len(data))
		}
		if n < headEnd && part != "" {
			t.Fatalf("%d bytes, less than the header, show something", n)
		}
	}
}

func TestRecordingWithoutFooter(t *testing.T) {
	data := sample(t)
	whole := open(t, data)
	last := &whole.groups[len(whole.groups)-1]
	for _, c := range []struct {
		what   string
		data   []byte
		frames int
	}{
		{"without footer", data[:len(data)-footerSize], whole.Frames()},
		{"without index", data[:last.end()], whole.Frames()},
		{"with half an index", data[:last.end()+20], whole.Frames()},
		{"with something behind", append(bytes.Clone(data), "more"...), whole.Frames()},
		{"without the end of a group", data[:last.end()-1], whole.Frames() - int(last.frames)},
		{"with zeros for the last group", append(bytes.Clone(data[:last.offset]), make([]byte, 5000)...), whole.Frames() - int(last.frames)},
		{"without groups", data[:whole.groups[0].offset], 0},
	} {
		r := open(t, c.data)
		if r.Frames() != c.frames {
			t.Errorf("%s: %d frames of %d", c.what, r.Frames(), c.frames)
		}
		var wrong *Error
		if !errors.As(r.Damage(), &wrong) {
			t.Errorf("%s: damage %v", c.what, r.Damage())
		}
		for n := range r.Frames() {
			if err := r.At(n); err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
			if err := whole.At(n); err != nil {
				t.Fatal(err)
			}
			if r.State(2).Hash() != whole.State(2).Hash() {
				t.Fatalf("%s: frame %d differs", c.what, n)
			}
		}
	}
}

func TestOneBadGroupDoesNotSpoilTheOthers(t *testing.T) {
	data := sample(t)
	g := open(t, data).groups[1]
	data[g.offset+int64(g.length)/2] ^= 0x10
	path := filepath.Join(t.TempDir(), "bad.rec")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := fmt.Sprintf("%s: byte %d: the checksum of a group is wrong", path, g.offset)
	if err := r.At(r.starts[1]); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if r.Frame() != -1 || r.State(0) != nil {
		t.Error("there is a frame after the error")
	}
	for _, n := range []int{r.starts[1] - 1, r.starts[2]} {
		if err := r.At(n); err != nil {
			t.Error(err)
		}
	}
}

func TestWhatIsNoRecording(t *testing.T) {
	newer := bytes.Clone(sample(t))
	newer[8] = 3
	for _, c := range []struct {
		data string
		want string
	}{
		{"", "this is no recording"},
		{"\x89thro", "this is no recording"},
		{"a text that is long enough to be something", "this is no recording"},
		{string(newer), "version 3"},
		{string(newer[:8]) + "\x02\x00\x00\x00", "the recording ends where the header was expected"},
		{string(newer[:8]) + "\x02\x00\x00\x00" + "head\xff\xff\xff\xff\x00\x00\x00\x00", "cut off"},
	} {
		if _, err := readAll([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v instead of %s", c.data, err, c.want)
		}
	}
	if _, err := OpenFile(filepath.Join(t.TempDir(), "none.rec")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
