package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"throng/world"
)

// readHead reads what comes before the groups, and returns where that ends.
func (r *Reader) readHead() (int64, error) {
	preamble := make([]byte, min(int64(preambleSize), max(r.size, 0)))
	if err := r.read(preamble, 0); err != nil {
		return 0, err
	}
	if err := checkPreamble(preamble); err != nil {
		return 0, r.errorf(0, "%w", err)
	}
	section, err := r.readSection(int64(preambleSize), headKind)
	if err != nil {
		return 0, err
	}
	if r.header, err = readHeader(section[sectionSize:]); err != nil {
		return 0, r.errorf(int64(preambleSize+sectionSize), "%w", err)
	}
	return int64(preambleSize + len(section)), nil
}

// readIndex finds the groups by the footer and the index. The first group starts where the header ends.
func (r *Reader) readIndex(headEnd int64) error {
	at := r.size - int64(footerSize)
	if at < headEnd {
		return r.errorf(r.size, "the recording ends after its header")
	}
	footer := make([]byte, footerSize)
	if err := r.read(footer, at); err != nil {
		return err
	}
	offset, length, err := readFooter(footer)
	if err != nil {
		return r.errorf(at, "%w", err)
	}
	if offset < headEnd || offset > at || int64(length) != at-offset {
		return r.errorf(at, "the footer says that the index is at %d, %d bytes long", offset, length)
	}
	section, err := r.readSection(offset, indexKind)
	if err != nil {
		return err
	}
	body := section[sectionSize:]
	if len(section) != length || len(body)%entrySize != 0 {
		return r.errorf(offset, "an index of %d bytes", len(body))
	}
	groups := make([]group, 0, len(body)/entrySize)
	for entry := range slices.Chunk(body, entrySize) {
		groups = append(groups, readEntry(entry))
	}
	end := headEnd
	for i := range groups {
		if groups[i].offset != end || groups[i].frames == 0 {
			return r.errorf(offset, "group %d of the index does not follow the one before", i)
		}
		end = groups[i].end()
	}
	if end != offset {
		return r.errorf(offset, "the index does not follow the last group")
	}
	r.groups = groups
	return nil
}

// scan finds the groups by going through the file, up to the first that is not whole, and returns where that is.
func (r *Reader) scan(headEnd int64) int64 {
	for at := headEnd; ; {
		section, err := r.readSection(at, groupKind)
		if err != nil {
			return at
		}
		head, err := readGroupHead(section[sectionSize:])
		if err != nil {
			return at
		}
		r.groups = append(r.groups, group{head.first, at, uint32(len(section)), head.frames, sumIn(section)})
		at += int64(len(section))
	}
}

// number counts the frames, and makes sure that each is where its time says.
func (r *Reader) number() error {
	longest := math.MaxInt64 / int64(r.header.span()) // beyond this, time overflows
	r.starts = make([]int, 1, len(r.groups)+1)
	frames := int64(0)
	for i := range r.groups {
		g := &r.groups[i]
		if g.first != frames*int64(r.header.Every) {
			return r.errorf(g.offset, "frame %d is said to show tick %d", frames, g.first)
		}
		frames += int64(g.frames)
		if frames > longest {
			return r.errorf(g.offset, "the recording is longer than time")
		}
		r.starts = append(r.starts, int(frames))
	}
	return nil
}

// load unpacks a group and goes to before its first frame.
func (r *Reader) load(g int) error {
	r.loaded, r.frame = -1, -1
	entry := &r.groups[g]
	section, err := r.readSection(entry.offset, groupKind)
	if err != nil {
		return err
	}
	if len(section) != int(entry.length) || sumIn(section) != entry.sum {
		return r.errorf(entry.offset, "this is another group than the index says")
	}
	body := section[sectionSize:]
	head, err := readGroupHead(body)
	if err != nil {
		return r.errorf(entry.offset, "%w", err)
	}
	if head.first != entry.first || head.frames != entry.frames {
		return r.errorf(entry.offset, "this is another group than the index says")
	}
	if uint64(head.frames)*r.header.frameMin() > uint64(head.shown) {
		return r.errorf(entry.offset, "%d frames in %d bytes", head.frames, head.shown)
	}
	unpacked, err := r.unpack(body[groupSize:], int(head.size()))
	if err != nil {
		return r.errorf(entry.offset, "%w", err)
	}
	r.shown = unpacked[:head.shown:head.shown]
	taken := unpacked[head.shown:][:head.acted]
	if err := r.readActions(g, taken); err != nil {
		return r.errorf(entry.offset, "%w", err)
	}
	r.noted = unpacked[head.shown+head.acted:]
	r.loaded = g
	r.rewind()
	return nil
}

// unpack decompresses what must become size bytes. The last result's memory is used again.
func (r *Reader) unpack(packed []byte, size int) ([]byte, error) {
	r.unpacked = slices.Grow(r.unpacked[:0], size)
	got, err := r.decoder.DecodeAll(packed, r.unpacked[:0:size])
	if err != nil {
		return nil, fmt.Errorf("the group cannot be unpacked: %w", err)
	}
	if len(got) != size {
		return nil, fmt.Errorf("the group unpacks to %d bytes instead of %d", len(got), size)
	}
	return got, nil
}

func (r *Reader) readActions(g int, list []byte) error {
	after, until := r.timeOf(r.starts[g]-1), r.timeOf(r.starts[g+1]-1)
	if g == 0 {
		after = -1
	}
	if g == len(r.groups)-1 {
		until = world.Never
	}
	var ok bool
	if r.actions, ok = readTaken(r.actions[:0], list, r.header.World, after, until); !ok {
		return errors.New("the list of actions is malformed")
	}
	return nil
}

// readSection reads a section of a known kind and checks all that can be checked without knowing its meaning. The result
// holds until the next call.
func (r *Reader) readSection(at int64, kind string) ([]byte, error) {
	var head [sectionSize]byte
	if at > r.size-sectionSize {
		return nil, r.errorf(at, "the recording ends where %s was expected", sectionNames[kind])
	}
	if err := r.read(head[:], at); err != nil {
		return nil, err
	}
	if string(head[:4]) != kind {
		return nil, r.errorf(at, "%s was expected here", sectionNames[kind])
	}
	size := int64(binary.LittleEndian.Uint32(head[4:]))
	if left := r.size - at - sectionSize; size > left {
		return nil, r.errorf(at, "%s of %d bytes is cut off after %d", sectionNames[kind], size, left)
	}
	if most := sizeMax(kind); size > most {
		return nil, r.errorf(at, "%s of %d bytes, where at most %d are allowed", sectionNames[kind], size, most)
	}
	length := sectionSize + int(size)
	r.section = slices.Grow(r.section[:0], length)[:length]
	if err := r.read(r.section, at); err != nil {
		return nil, err
	}
	if sumOf(r.section) != sumIn(r.section) {
		return nil, r.errorf(at, "the checksum of %s is wrong", sectionNames[kind])
	}
	return r.section, nil
}

// read fills b from the file at an offset.
func (r *Reader) read(b []byte, at int64) error {
	if n, err := r.in.ReadAt(b, at); n < len(b) {
		return &Error{r.name, at + int64(n), err}
	}
	return nil
}
