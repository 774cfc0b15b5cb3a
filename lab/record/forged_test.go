package record

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"throng/world"
	"throng/world/wire"
)

// tiny is the header of a recording with one track and one curve.
const tiny = `{"world":{"name":"tiny","tick":1000,"bounds":{"min":{"x":"0","y":"0","z":"0"},"max":{"x":"9","y":"9","z":"0"}},
"kinds":[{"name":"dot","radius":"1","threshold":"0","variables":[{"name":"x","slot":0,"type":"fixed","min":"0","max":"9","weight":1,"quantum":"0","unit":""}]}],
"verbs":[{"name":"go","args":[]}]},"mechanism":"","network":"","params":[],"seed":"18446744073709551615","duration":0,"warmup":0,"every":2,
"tracks":[{"node":1,"role":"peer","user":1}],"curves":[{"name":"c","unit":""}]}`

// part is a group to be forged: what is packed, and what is said of it.
type part struct {
	head          groupHead
	frames, taken []byte
}

func section(kind string, body []byte) []byte {
	s := append(beginSection(nil, kind), body...)
	endSection(s)
	return s
}

var encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))

func (p *part) section() []byte {
	body := make([]byte, groupSize)
	p.head.put(body)
	return section(groupKind, encoder.EncodeAll(append(bytes.Clone(p.frames), p.taken...), body))
}

// forge puts a file together whose checksums are right, whatever its parts say.
func forge(header string, parts ...part) []byte {
	data := append(appendPreamble(nil), section(headKind, []byte(header))...)
	var index []byte
	for i := range parts {
		s := parts[i].section()
		index = appendEntry(index, &group{parts[i].head.first, int64(len(data)), uint32(len(s)), parts[i].head.frames, sumIn(s)})
		data = append(data, s...)
	}
	offset := len(data)
	data = append(data, section(indexKind, index)...)
	return appendFooter(data, int64(offset), len(data)-offset)
}

// honest returns a part that says the truth of what it has.
func honest(first int64, frames int, shown, taken []byte) part {
	return part{groupHead{first, uint32(frames), uint32(len(shown)), uint32(len(taken)), 0}, shown, taken}
}

// frame is one frame of the tiny recording, with the given changes to objects.
func frame(tick world.Tick, changes ...byte) []byte {
	diff := wire.AppendInt(wire.AppendUint64(nil, 7), int64(tick))
	diff = append(append(diff, changes...), 0)
	return wire.AppendUint64(wire.AppendBytes(nil, diff), math.Float64bits(0.5))
}

// taken is the action go of user 1, so long after the one before it.
func taken(after uint64) []byte {
	return world.AppendAction(wire.AppendUint(wire.AppendUint(nil, after), 1), &world.Action{User: 1, Seq: 1})
}

// The changes that a frame can hold: a new dot 1 at x = 3, its move by 2, its end.
var (
	added   = []byte{1, 1, 0, 1, 1, 6}
	moved   = []byte{1, 0, 0, 1, 1, 4}
	removed = []byte{1, 2}
)

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestForgedRecordingIsReadToTheLetter(t *testing.T) {
	r := open(t, forge(tiny,
		honest(0, 2, join(frame(0, added...), frame(1, moved...)), join(taken(0), taken(2000))),
		honest(4, 1, frame(9), join(taken(4000), taken(1e15)))))
	for n, want := range []struct {
		tick    world.Tick
		objects int
		x       int64
		actions int
	}{{0, 1, 3, 1}, {1, 1, 5, 1}, {9, 0, 0, 1}} {
		if err := r.Next(); err != nil {
			t.Fatal(err)
		}
		s := r.State(0)
		if s.Tick() != want.tick || s.Len() != want.objects || len(r.Actions()) != want.actions || r.Curves()[0] != 0.5 {
			t.Errorf("frame %d: tick %d, %d objects, %d actions, %v", n, s.Tick(), s.Len(), len(r.Actions()), r.Curves())
		}
		if o := s.Get(1); o != nil && (o.Get(world.SlotX) != want.x || o.User != 1) {
			t.Errorf("frame %d: %+v", n, o)
		}
	}
	if n := len(allActions(t, r)); n != 4 {
		t.Errorf("%d actions in all", n)
	}
	if r.Header().Seed != math.MaxUint64 {
		t.Errorf("seed %d", r.Header().Seed)
	}
}

func TestForgedPartsAreRefused(t *testing.T) {
	one := honest(0, 1, frame(0, added...), nil)
	with := func(change func(*part)) part {
		p := one
		change(&p)
		return p
	}
	for _, c := range []struct {
		want  string
		parts []part
	}{
		{"frame 0 is said to show tick 2", []part{honest(2, 1, frame(0), nil)}},
		{"frame 1 is said to show tick 0", []part{one, one}},
		{"does not follow", []part{with(func(p *part) { p.head.frames = 0 })}},
		{"unpacked", []part{with(func(p *part) { p.head.shown-- })}},
		{"unpacks to", []part{with(func(p *part) { p.head.shown++ })}},
		{"at most", []part{with(func(p *part) { p.head.acted = maxGroup })}},
		{"2 frames in 25 bytes", []part{with(func(p *part) { p.head.frames++ })}},
		{"frame 1: its length is wrong", []part{honest(0, 2, join(frame(0), bytes.Repeat([]byte{100}, 19)), nil)}},
		{"frame 0: its length is wrong", []part{honest(0, 1, append(frame(0), 0), nil)}},
		{"frame 0: its length is wrong", []part{honest(0, 1, frame(0)[:20], nil)}},
		{"frame 0: track 0: malformed", []part{honest(0, 1, frame(0, 1, 1, 1, 1, 1, 6), nil)}},     // no such kind
		{"frame 0: track 0: malformed", []part{honest(0, 1, frame(0, moved...), nil)}},             // nothing to change
		{"frame 0: track 0: malformed", []part{honest(0, 1, frame(0, 0, 0), nil)}},                 // goes on after its end
		{"frame 1: track 0: malformed", []part{honest(0, 2, join(frame(0), frame(1, 9)), nil)}},    // ends within a change
		{"list of actions", []part{honest(0, 1, frame(0), taken(0)[:3])}},                          // cut off
		{"list of actions", []part{honest(0, 1, frame(0), join(taken(1), taken(1<<63-1)))}},        // beyond time
		{"list of actions", []part{honest(0, 1, frame(0), taken(1)), honest(2, 1, frame(1), nil)}}, // in the next group
		{"list of actions", []part{one, honest(2, 1, frame(1), taken(0))}},                         // in the group before
		{"list of actions", []part{honest(0, 1, frame(0), []byte{0, 1, 1, 1, 9, 0, 0})}},           // an unknown verb
	} {
		_, err := readAll(forge(tiny, c.parts...))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v instead of %s", err, c.want)
		}
	}
}

func TestForgedTimeDoesNotOverflow(t *testing.T) {
	slow := strings.Replace(tiny, `"tick":1000`, `"tick":1000000000000`, 1)
	_, err := readAll(forge(slow, part{head: groupHead{frames: math.MaxUint32}}))
	if err == nil || !strings.Contains(err.Error(), "longer than time") {
		t.Error(err)
	}
}

func TestForgedHeadersAreRefused(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`{"world"`, `["world"`, "the header"},
		{`"name":"tiny","tick":1000`, `"name":"tiny","tick":0`, "a tick must take time"},
		{`"slot":0`, `"slot":14`, "slot 14"},
		{`"slot":0`, `"slot":-1`, "the header"},
		{`"type":"fixed"`, `"type":"float"`, `unknown type "float"`},
		{`"max":"9","weight"`, `"max":"9e9","weight"`, "the header"},
		{`"every":2`, `"every":0`, "every 0 ticks"},
		{`"every":2`, `"every":9223372036854775807`, "every 9223372036854775807 ticks"},
		{`"warmup":0`, `"warmup":-1`, "a warm-up of"},
		{`"tracks":[`, `"tracks":[` + strings.Repeat("{},", maxTracks), "65537 tracks"},
		{`"curves":[`, `"curves":[` + strings.Repeat("{},", maxCurves), "65537 curves"},
		{`"tracks":[{"node":1,"role":"peer","user":1}],"curves":[{"name":"c","unit":""}]`, `"tracks":[]`, "neither tracks nor curves"},
		{`"verbs":[`, `"verbs":[` + strings.Repeat("{},", 256), "257 verbs"},
	} {
		if !strings.Contains(tiny, c.old) {
			t.Fatalf("there is no %s", c.old)
		}
		_, err := readAll(forge(strings.Replace(tiny, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v instead of %s", err, c.want)
		}
	}
}

// FuzzOpen feeds whole files to the reader, most of which its checksums refuse.
func FuzzOpen(f *testing.F) {
	f.Add(forge(tiny))
	f.Add(forge(tiny, honest(0, 2, join(frame(0, added...), frame(1, removed...)), taken(3))))
	f.Fuzz(func(t *testing.T, data []byte) { readWildly(data) })
}

// FuzzHeader feeds headers with the right checksum to the reader.
func FuzzHeader(f *testing.F) {
	f.Add(tiny)
	f.Fuzz(func(t *testing.T, header string) {
		readWildly(forge(header, honest(0, 1, frame(0, added...), taken(0))))
	})
}

// FuzzGroup feeds groups with the right checksum to the reader.
func FuzzGroup(f *testing.F) {
	f.Add(uint32(2), join(frame(0, added...), frame(1, moved...)), taken(5))
	f.Add(uint32(3), join(frame(0, added...), frame(1, removed...), frame(3, added...)), join(taken(5), taken(1)))
	f.Fuzz(func(t *testing.T, frames uint32, shown, acted []byte) {
		readWildly(forge(tiny, honest(0, int(frames), shown, acted)))
	})
}

// readWildly reads data that may be anything: an error is fine, a panic is not.
func readWildly(data []byte) {
	r, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	defer r.Close()
	for r.Next() == nil {
		for i := range r.Header().Tracks {
			r.State(i).Hash()
		}
		r.Actions()
	}
	for _, n := range []int{r.Frames() - 1, r.Frames() / 2, 0} {
		if r.At(n) == nil && r.Frame() != n {
			panic("the reader is not where it was told to go")
		}
	}
	for _, err := range r.AllActions() {
		if err != nil && r.Frame() != -1 {
			panic("there is a frame after an error")
		}
	}
}
