package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// What a file begins and ends with. The first byte is in no text, and the line feed does not survive programs that take the
// file for one.
const (
	magic    = "\x89throng\n"
	endMagic = "\ngnorht\x89"
	version  = 2
)

// The kinds of sections.
const (
	headKind  = "head"
	groupKind = "grup"
	indexKind = "indx"
)

// sectionNames are the sections' names in messages.
var sectionNames = map[string]string{headKind: "the header", groupKind: "a group", indexKind: "the index"}

// The sizes of the parts that have one.
const (
	preambleSize = len(magic) + 4
	sectionSize  = 12 // before the body
	groupSize    = 24 // before what is packed
	entrySize    = 28
	footerSize   = 16 + len(endMagic)
)

// What a reader believes of a file, so that a few bytes cannot make it ask for all memory.
const (
	maxHeader = 16 << 20
	maxGroup  = 64 << 20 // unpacked
	maxTracks = 1 << 16
	maxCurves = 1 << 16
)

// sizeMax is how long a section's body may be. What does not compress grows a little.
func sizeMax(kind string) int64 {
	switch kind {
	case headKind:
		return maxHeader
	case groupKind:
		return maxGroup + maxGroup/64
	}
	return math.MaxUint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func appendPreamble(dst []byte) []byte {
	return binary.LittleEndian.AppendUint32(append(dst, magic...), version)
}

func checkPreamble(b []byte) error {
	if len(b) < preambleSize || string(b[:len(magic)]) != magic {
		return errors.New("this is no recording")
	}
	if v := binary.LittleEndian.Uint32(b[len(magic):]); v != version {
		return fmt.Errorf("the recording has version %d, this program reads version %d", v, version)
	}
	return nil
}

// beginSection makes room for a section's head; endSection fills it in when the body, all that was appended since, is there.
func beginSection(dst []byte, kind string) []byte {
	dst = append(dst, kind...)
	return append(dst, make([]byte, sectionSize-len(kind))...)
}

func endSection(section []byte) {
	binary.LittleEndian.PutUint32(section[4:], uint32(len(section)-sectionSize))
	binary.LittleEndian.PutUint32(section[8:], sumOf(section))
}

// sumOf is the checksum of a whole section: of all but the checksum itself.
func sumOf(section []byte) uint32 {
	return crc32.Update(crc32.Checksum(section[:8], castagnoli), castagnoli, section[sectionSize:])
}

// sumIn is the checksum that stands in a section.
func sumIn(section []byte) uint32 { return binary.LittleEndian.Uint32(section[8:]) }

// group is what the index knows of a group.
type group struct {
	first  int64 // tick
	offset int64
	length uint32
	frames uint32
	sum    uint32
}

func (g *group) end() int64 { return g.offset + int64(g.length) }

func appendEntry(dst []byte, g *group) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(g.first))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(g.offset))
	dst = binary.LittleEndian.AppendUint32(dst, g.length)
	dst = binary.LittleEndian.AppendUint32(dst, g.frames)
	return binary.LittleEndian.AppendUint32(dst, g.sum)
}

func readEntry(b []byte) group {
	return group{
		first:  int64(binary.LittleEndian.Uint64(b)),
		offset: int64(binary.LittleEndian.Uint64(b[8:])),
		length: binary.LittleEndian.Uint32(b[16:]),
		frames: binary.LittleEndian.Uint32(b[20:]),
		sum:    binary.LittleEndian.Uint32(b[24:]),
	}
}

// groupHead is what a group says of itself before it is unpacked.
type groupHead struct {
	first                       int64
	frames, shown, acted, noted uint32
}

// put writes h over the first bytes of a group's body.
func (h groupHead) put(body []byte) {
	binary.LittleEndian.PutUint64(body, uint64(h.first))
	binary.LittleEndian.PutUint32(body[8:], h.frames)
	binary.LittleEndian.PutUint32(body[12:], h.shown)
	binary.LittleEndian.PutUint32(body[16:], h.acted)
	binary.LittleEndian.PutUint32(body[20:], h.noted)
}

// size is how long the group is when it is unpacked.
func (h groupHead) size() uint64 { return uint64(h.shown) + uint64(h.acted) + uint64(h.noted) }

func readGroupHead(body []byte) (groupHead, error) {
	if len(body) < groupSize {
		return groupHead{}, fmt.Errorf("a group of %d bytes is too short to be one", len(body))
	}
	h := groupHead{
		first:  int64(binary.LittleEndian.Uint64(body)),
		frames: binary.LittleEndian.Uint32(body[8:]),
		shown:  binary.LittleEndian.Uint32(body[12:]),
		acted:  binary.LittleEndian.Uint32(body[16:]),
		noted:  binary.LittleEndian.Uint32(body[20:]),
	}
	switch {
	case h.frames == 0:
		return h, errors.New("a group without frames")
	case h.size() > maxGroup:
		return h, fmt.Errorf("a group of %d bytes, where at most %d are allowed", h.size(), maxGroup)
	}
	return h, nil
}

func appendFooter(dst []byte, offset int64, length int) []byte {
	start := len(dst)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(offset))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(length))
	dst = binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
	return append(dst, endMagic...)
}

func readFooter(b []byte) (offset int64, length int, err error) {
	if string(b[16:]) != endMagic {
		return 0, 0, errors.New("the recording does not end as it should: it was cut off, or its run was")
	}
	if crc32.Checksum(b[:12], castagnoli) != binary.LittleEndian.Uint32(b[12:]) {
		return 0, 0, errors.New("the footer's checksum is wrong")
	}
	return int64(binary.LittleEndian.Uint64(b)), int(binary.LittleEndian.Uint32(b[8:])), nil
}
