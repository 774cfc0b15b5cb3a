package record

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"strconv"
	"testing"

	"github.com/klauspost/compress/zstd"

	"throng/world"
)

// plain is a second reader, written from the format's description and from nothing else: it shares no code with the first.
type plain struct {
	t      *testing.T
	kinds  [][]string // the names of each kind's variables
	tracks int
	curves int
}

// thing is an object as plain knows it.
type thing struct {
	kind, user uint64
	vars       map[string]int64
}

// read returns, for every frame, its tracks and its curves, and how many bytes of actions there are in all.
func (p *plain) read(data []byte) (frames [][]map[uint64]thing, curves [][]float64, actions int) {
	if string(data[:8]) != "\x89throng\n" || binary.LittleEndian.Uint32(data[8:]) != 2 {
		p.t.Fatal("no recording")
	}
	for rest := data[12:]; ; {
		kind, size, sum := string(rest[:4]), binary.LittleEndian.Uint32(rest[4:]), binary.LittleEndian.Uint32(rest[8:])
		body := rest[12 : 12+size]
		if crc32.Checksum(append(bytes.Clone(rest[:8]), body...), crc32.MakeTable(crc32.Castagnoli)) != sum {
			p.t.Fatalf("the checksum of a section %s is wrong", kind)
		}
		rest = rest[12+size:]
		switch kind {
		case "head":
			p.head(body)
		case "grup":
			f, c, n := p.group(body)
			frames, curves, actions = append(frames, f...), append(curves, c...), actions+n
		case "indx":
			return frames, curves, actions
		}
	}
}

func (p *plain) head(text []byte) {
	var h struct {
		World struct {
			Kinds []struct{ Variables []struct{ Name string } }
		}
		Tracks, Curves []any
	}
	if err := json.Unmarshal(text, &h); err != nil {
		p.t.Fatal(err)
	}
	for _, k := range h.World.Kinds {
		var names []string
		for _, v := range k.Variables {
			names = append(names, v.Name)
		}
		p.kinds = append(p.kinds, names)
	}
	p.tracks, p.curves = len(h.Tracks), len(h.Curves)
}

func (p *plain) group(body []byte) (frames [][]map[uint64]thing, curves [][]float64, actions int) {
	decoder, err := zstd.NewReader(bytes.NewReader(body[24:]))
	if err != nil {
		p.t.Fatal(err)
	}
	all, err := io.ReadAll(decoder)
	shown, acted, noted := binary.LittleEndian.Uint32(body[12:]), binary.LittleEndian.Uint32(body[16:]), binary.LittleEndian.Uint32(body[20:])
	if err != nil || len(all) != int(shown+acted+noted) {
		p.t.Fatal(len(all), err)
	}
	r := bytes.NewReader(all[:shown])
	now := make([]map[uint64]thing, p.tracks)
	for range binary.LittleEndian.Uint32(body[8:]) {
		for i := range now {
			diff := make([]byte, p.uint(r))
			io.ReadFull(r, diff)
			now[i] = p.apply(maps.Clone(now[i]), bytes.NewReader(diff))
		}
		values := make([]float64, p.curves)
		for i := range values {
			var b [8]byte
			io.ReadFull(r, b[:])
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
		}
		frames, curves = append(frames, append([]map[uint64]thing{}, now...)), append(curves, values)
	}
	if r.Len() != 0 {
		p.t.Fatalf("%d bytes are left of a group", r.Len())
	}
	return frames, curves, int(acted)
}

func (p *plain) apply(objects map[uint64]thing, diff *bytes.Reader) map[uint64]thing {
	if objects == nil {
		objects = map[uint64]thing{}
	}
	diff.Seek(8, io.SeekCurrent) // the seed
	p.uint(diff)                 // the tick
	var id uint64
	for gap := p.uint(diff); gap != 0; gap = p.uint(diff) {
		id += gap
		what, _ := diff.ReadByte()
		if what == 2 {
			delete(objects, id)
			continue
		}
		o := thing{kind: p.uint(diff), user: p.uint(diff), vars: map[string]int64{}}
		if what == 0 {
			maps.Copy(o.vars, objects[id].vars)
		}
		mask := p.uint(diff)
		for i, name := range p.kinds[o.kind] {
			if mask>>i&1 == 1 {
				n := p.uint(diff)
				o.vars[name] += int64(n>>1) ^ -int64(n&1)
			}
		}
		objects[id] = o
	}
	if diff.Len() != 0 {
		p.t.Fatalf("%d bytes are left of a difference", diff.Len())
	}
	return objects
}

func (p *plain) uint(r io.ByteReader) uint64 {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

func TestFormatIsAsDescribed(t *testing.T) {
	data := sample(t)
	p := &plain{t: t}
	frames, curves, actions := p.read(data)
	r := open(t, data)
	if len(frames) != r.Frames() || actions == 0 {
		t.Fatalf("%d frames of %d, %d bytes of actions", len(frames), r.Frames(), actions)
	}
	for n := range frames {
		if err := r.At(n); err != nil {
			t.Fatal(err)
		}
		for i, value := range r.Curves() {
			if curves[n][i] != value {
				t.Fatalf("frame %d: curve %d is %v instead of %v", n, i, curves[n][i], value)
			}
		}
		for i, objects := range frames[n] {
			compareThings(t, "frame "+strconv.Itoa(n), objects, r.State(i))
		}
	}
}

func compareThings(t *testing.T, where string, objects map[uint64]thing, s *world.State) {
	t.Helper()
	if len(objects) != s.Len() {
		t.Fatalf("%s: %d objects instead of %d", where, len(objects), s.Len())
	}
	for o := range s.All() {
		got, ok := objects[uint64(o.ID)]
		if !ok || got.kind != uint64(o.Kind) || got.user != uint64(o.User) {
			t.Fatalf("%s: object %d is %+v", where, o.ID, got)
		}
		for _, v := range s.Schema().Kinds[o.Kind].Variables {
			if got.vars[v.Name] != o.Get(v.Slot) {
				t.Fatalf("%s: %s of object %d is %d instead of %d", where, v.Name, o.ID, got.vars[v.Name], o.Get(v.Slot))
			}
		}
	}
}
