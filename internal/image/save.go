package image

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// magic begins an image.
const magic = "throng image 2\n"

// piece is memory that is saved as one: a variable, or an array of them.
type piece struct {
	at    uintptr
	size  uintptr
	base  unsafe.Pointer // keeps it alive, and where it lies
	elem  reflect.Type
	count int
	spare int // elements that there is room for behind these
	order int // in which it was found, and is written: so that equal values have equal images, wherever they lie
}

// saver finds and writes everything that can be reached from a value.
type saver struct {
	roots  map[uintptr]int // by address, from one
	named  int             // how many roots there are
	found  []piece
	rooms  []room
	seen   map[visit]bool
	pieces []piece  // after finding: apart from one another, by address
	order  []*piece // the same, as they are written
	types  map[reflect.Type]uint64
	list   []reflect.Type
	maps   map[uintptr]uint64
	boxes  func(reflect.Type) // is told the types of what interfaces hold; nil for nobody
	dst    []byte
	err    error
}

// room is the memory that a slice can grow into.
type room struct {
	at  unsafe.Pointer // where the slice begins
	end uintptr        // where it has to end
}

type visit struct {
	at    uintptr
	typ   reflect.Type
	count int
}

// Append appends an image of what a pointer points to. Roots are pointers to what the image refers to but does not hold.
func Append(dst []byte, value any, roots ...any) ([]byte, error) {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return dst, fmt.Errorf("image: %T is no pointer to a variable", value)
	}
	s := &saver{roots: map[uintptr]int{}, seen: map[visit]bool{}, types: map[reflect.Type]uint64{}, maps: map[uintptr]uint64{}}
	s.named = len(roots)
	for i, r := range roots {
		if p := reflect.ValueOf(r); p.Kind() == reflect.Pointer && !p.IsNil() {
			s.roots[p.Pointer()] = i + 1
		}
	}
	s.find(v.UnsafePointer(), v.Type().Elem(), 1)
	s.join()
	if s.err != nil {
		return dst, s.err
	}
	return s.write(dst)
}

// entry is an entry of a map, as pointers to copies of its key and its value.
type entry struct {
	key, value reflect.Value
	text       []byte // the key as it is written
}

// sorted returns the entries of a map in the order of their keys as they are written. Keys hold no pointers.
func (s *saver) sorted(m reflect.Value) []entry {
	keys := layoutOf(m.Type().Key())
	for i := range keys.parts {
		if k := keys.parts[i].kind; k != plain && k != text {
			s.err = errors.Join(s.err, fmt.Errorf("image: the keys of %s refer to something", m.Type()))
			return nil
		}
	}
	var entries []entry
	kept := s.dst
	for it := m.MapRange(); it.Next(); {
		e := entry{key: copied(it.Key()), value: copied(it.Value())}
		s.dst = nil
		s.variable(e.key.UnsafePointer(), keys)
		e.text = s.dst
		entries = append(entries, e)
	}
	s.dst = kept
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.text, b.text) })
	return entries
}

// copied returns a pointer to a copy of a value, whose memory can be looked at.
func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return c
}

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// join sorts the pieces and drops those that lie within others.
func (s *saver) join() {
	slices.SortStableFunc(s.found, func(a, b piece) int {
		switch {
		case a.at != b.at:
			return compare(a.at, b.at)
		case a.size != b.size:
			return compare(b.size, a.size)
		}
		return 0
	})
	for _, p := range s.found {
		if n := len(s.pieces); n > 0 {
			last := &s.pieces[n-1]
			switch end := last.at + last.size; {
			case p.at+p.size <= end:
				last.order = min(last.order, p.order)
				continue
			case p.at < end:
				// Two windows of one array: one piece from the beginning of the first to the end of the second.
				if p.elem != last.elem || (p.at-last.at)%p.elem.Size() != 0 {
					s.err = errors.Join(s.err, fmt.Errorf("image: a %s and a %s overlap", last.elem, p.elem))
					return
				}
				last.size = p.at + p.size - last.at
				last.count = int(last.size / p.elem.Size())
				last.order = min(last.order, p.order)
				continue
			}
		}
		s.pieces = append(s.pieces, p)
	}
	s.makeRoom()
	for i := range s.pieces {
		s.order = append(s.order, &s.pieces[i])
	}
	slices.SortFunc(s.order, func(a, b *piece) int { return a.order - b.order })
	for i, p := range s.order {
		p.order = i
	}
}

// makeRoom finds out what slices can grow into: memory behind their piece, as far as the next one.
func (s *saver) makeRoom() {
	for _, r := range s.rooms {
		i := s.index(r.at)
		p := &s.pieces[i]
		end := r.end
		if i+1 < len(s.pieces) {
			end = min(end, s.pieces[i+1].at)
		}
		if behind := p.at + p.size; end > behind {
			p.spare = max(p.spare, int((end-behind)/p.elem.Size()))
		}
	}
}

func compare(a, b uintptr) int {
	if a < b {
		return -1
	}
	return 1
}

// locate finds the piece that an address lies in, by its number.
func (s *saver) locate(at unsafe.Pointer) (number int, offset uintptr) {
	p := &s.pieces[s.index(at)]
	return p.order, uintptr(at) - p.at
}

// index finds the piece that an address lies in, among those in the order of their addresses.
func (s *saver) index(at unsafe.Pointer) int {
	i, exact := slices.BinarySearchFunc(s.pieces, uintptr(at), func(p piece, at uintptr) int {
		switch {
		case p.at == at:
			return 0
		case p.at < at:
			return -1
		}
		return 1
	})
	if !exact {
		i--
	}
	return i
}

// write writes the pieces, after a head that says of which types they are. The value itself is the first.
func (s *saver) write(dst []byte) ([]byte, error) {
	s.dst = appendNumber(nil, uint64(len(s.order)))
	for _, p := range s.order {
		s.dst = appendNumber(s.dst, s.typeNumber(p.elem))
		s.dst = appendNumber(s.dst, uint64(p.count))
		s.dst = appendNumber(s.dst, uint64(p.spare))
	}
	for _, p := range s.order {
		l := layoutOf(p.elem)
		if l.plain(p.elem.Size()) {
			s.dst = append(s.dst, unsafe.Slice((*byte)(p.base), p.size)...)
			continue
		}
		for n := range p.count {
			s.variable(unsafe.Add(p.base, uintptr(n)*p.elem.Size()), l)
		}
	}
	if s.err != nil {
		return dst, s.err
	}
	dst = append(dst, magic...)
	dst = appendNumber(dst, uint64(len(s.list)))
	for _, t := range s.list {
		dst = appendText(dst, nameOf(t))
		dst = binary.LittleEndian.AppendUint64(dst, layoutOf(t).sum)
	}
	return append(dst, s.dst...), nil
}

func appendText(dst []byte, s string) []byte {
	return append(appendNumber(dst, uint64(len(s))), s...)
}

// nameOf tells types apart, also those of the same name in different packages.
func nameOf(t reflect.Type) string {
	if t.Name() != "" {
		return t.PkgPath() + "." + t.String()
	}
	if t.Kind() == reflect.Pointer {
		return "*" + nameOf(t.Elem())
	}
	return t.String()
}

func (s *saver) typeNumber(t reflect.Type) uint64 {
	n, known := s.types[t]
	if !known {
		n = uint64(len(s.list))
		s.types[t] = n
		s.list = append(s.list, t)
	}
	return n
}

// variable writes a variable.
func (s *saver) variable(at unsafe.Pointer, l *layout) {
	for i := range l.parts {
		p := &l.parts[i]
		field := unsafe.Add(at, p.offset)
		switch p.kind {
		case plain:
			s.dst = append(s.dst, unsafe.Slice((*byte)(field), p.size)...)
		case pointer:
			s.reference(*(*unsafe.Pointer)(field), p.typ.Elem().Size())
		case slice:
			s.slice((*sliceHeader)(field), p.typ.Elem().Size())
		case text:
			s.dst = appendText(s.dst, *(*string)(field))
		case table:
			s.table(reflect.NewAt(p.typ, field).Elem())
		case boxed:
			s.box(reflect.NewAt(p.typ, field).Elem())
		case function:
			s.flag(*(*unsafe.Pointer)(field) != nil)
		}
	}
}

func (s *saver) flag(b bool) {
	n := byte(0)
	if b {
		n = 1
	}
	s.dst = append(s.dst, n)
}

// What a reference is: nothing, one of the roots, or a piece and an offset in it.
const (
	toNothing = 0
	toEmpty   = 1 // a variable without size, of which there is only one
	toRoot    = 2 // and more: which
)

func (s *saver) reference(at unsafe.Pointer, size uintptr) {
	switch root := s.roots[uintptr(at)]; {
	case at == nil:
		s.dst = appendNumber(s.dst, toNothing)
	case root != 0:
		s.dst = appendNumber(s.dst, uint64(toRoot+root-1))
	case size == 0:
		s.dst = appendNumber(s.dst, toEmpty)
	default:
		number, offset := s.locate(at)
		s.dst = appendNumber(s.dst, uint64(toRoot+s.named+number))
		s.dst = appendNumber(s.dst, uint64(offset))
	}
}

func (s *saver) slice(h *sliceHeader, size uintptr) {
	s.flag(h.data != nil)
	if h.data == nil {
		return
	}
	s.dst = appendNumber(s.dst, uint64(h.len))
	s.dst = appendNumber(s.dst, uint64(h.cap))
	if h.len > 0 {
		s.reference(h.data, size)
	}
}

// table writes a map once, in the order of its keys as they are written.
func (s *saver) table(m reflect.Value) {
	if m.IsNil() {
		s.dst = appendNumber(s.dst, 0)
		return
	}
	number, known := s.maps[m.Pointer()]
	if !known {
		number = uint64(len(s.maps) + 1)
		s.maps[m.Pointer()] = number
	}
	s.dst = appendNumber(s.dst, number)
	if known {
		return
	}
	entries := s.sorted(m)
	s.dst = appendNumber(s.dst, uint64(len(entries)))
	for _, e := range entries {
		s.dst = append(s.dst, e.text...)
		s.variable(e.value.UnsafePointer(), layoutOf(m.Type().Elem()))
	}
}

// box writes what an interface holds, behind its type.
func (s *saver) box(v reflect.Value) {
	if v.IsNil() {
		s.dst = appendNumber(s.dst, 0)
		return
	}
	v = v.Elem()
	s.dst = appendNumber(s.dst, s.typeNumber(v.Type())+1)
	s.variable(copied(v).UnsafePointer(), layoutOf(v.Type()))
}
