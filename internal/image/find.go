package image

import (
	"reflect"
	"unsafe"
)

// find notes a piece of memory and all that can be reached from it. The work that waits is kept in found itself.
func (s *saver) find(at unsafe.Pointer, t reflect.Type, count int) {
	s.note(at, t, count)
	for i := 0; i < len(s.found); i++ {
		p := s.found[i]
		for n := range p.count {
			s.findIn(unsafe.Add(p.base, uintptr(n)*p.elem.Size()), p.elem)
		}
	}
}

// note adds a piece, unless it is known.
func (s *saver) note(at unsafe.Pointer, t reflect.Type, count int) {
	key := visit{uintptr(at), t, count}
	if at == nil || count == 0 || t.Size() == 0 || s.seen[key] || s.roots[uintptr(at)] != 0 {
		return
	}
	s.seen[key] = true
	s.found = append(s.found, piece{at: uintptr(at), size: t.Size() * uintptr(count), base: at, elem: t, count: count, order: len(s.found)})
}

// findIn notes what a variable refers to.
func (s *saver) findIn(at unsafe.Pointer, t reflect.Type) {
	l := layoutOf(t)
	if l.err != nil && s.err == nil {
		s.err = l.err
	}
	for i := range l.parts {
		p := &l.parts[i]
		field := unsafe.Add(at, p.offset)
		switch p.kind {
		case pointer:
			s.note(*(*unsafe.Pointer)(field), p.typ.Elem(), 1)
		case slice:
			h := (*sliceHeader)(field)
			s.note(h.data, p.typ.Elem(), h.len)
			if h.len > 0 && h.cap > h.len && s.roots[uintptr(h.data)] == 0 && p.typ.Elem().Size() > 0 {
				s.rooms = append(s.rooms, room{h.data, uintptr(h.data) + uintptr(h.cap)*p.typ.Elem().Size()})
			}
		case table:
			s.findInMap(reflect.NewAt(p.typ, field).Elem())
		case boxed:
			if v := reflect.NewAt(p.typ, field).Elem(); !v.IsNil() {
				s.findInBox(v.Elem())
			}
		}
	}
}

func (s *saver) findInMap(m reflect.Value) {
	if m.IsNil() || s.seen[visit{m.Pointer(), m.Type(), 0}] {
		return
	}
	s.seen[visit{m.Pointer(), m.Type(), 0}] = true
	for _, e := range s.sorted(m) {
		s.findIn(e.key.UnsafePointer(), m.Type().Key())
		s.findIn(e.value.UnsafePointer(), m.Type().Elem())
	}
}

// findInBox looks into what an interface holds: pointers are followed, everything else is written where it stands.
func (s *saver) findInBox(v reflect.Value) {
	if s.boxes != nil {
		s.boxes(v.Type())
	}
	s.findIn(copied(v).UnsafePointer(), v.Type())
}
