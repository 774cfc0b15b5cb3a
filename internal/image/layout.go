package image

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"reflect"
	"sync"
)

// kind is what a part of a variable is.
type kind uint8

const (
	plain   kind = iota // numbers: copied
	pointer             // *T
	slice
	text
	table // a map
	boxed // an interface
	function
)

// part is a stretch of a variable's memory.
type part struct {
	kind   kind
	offset uintptr
	size   uintptr      // of plain memory
	typ    reflect.Type // of all others
}

// layout is what a type's variables are made of, in the order of their memory. Padding is left out.
type layout struct {
	parts []part
	sum   uint64 // of everything that a program could lay out in another way
	err   error  // why such variables cannot be written
}

var layouts sync.Map // of *layout by reflect.Type

// layoutOf returns the layout of a type.
func layoutOf(t reflect.Type) *layout {
	if l, ok := layouts.Load(t); ok {
		return l.(*layout)
	}
	l := &layout{}
	l.add(t, 0, t.String())
	l.sum = l.digest(t)
	layouts.Store(t, l)
	return l
}

// plain reports whether variables have nothing but numbers in them, without gaps.
func (l *layout) plain(size uintptr) bool {
	return len(l.parts) == 0 || len(l.parts) == 1 && l.parts[0].kind == plain && l.parts[0].size == size
}

// add adds a variable of a type that begins at an offset.
func (l *layout) add(t reflect.Type, offset uintptr, path string) {
	special := map[reflect.Kind]kind{
		reflect.Pointer: pointer, reflect.Slice: slice, reflect.String: text, reflect.Map: table, reflect.Interface: boxed, reflect.Func: function,
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			l.add(f.Type, offset+f.Offset, path+"."+f.Name)
		}
	case reflect.Array:
		if t.Len() > 0 && layoutOf(t.Elem()).plain(t.Elem().Size()) {
			l.addPlain(offset, t.Size())
			return
		}
		for i := range t.Len() {
			l.add(t.Elem(), offset+uintptr(i)*t.Elem().Size(), path)
		}
	case reflect.Chan, reflect.UnsafePointer:
		if l.err == nil {
			l.err = fmt.Errorf("%s is a %s, which cannot be saved", path, t.Kind())
		}
	default:
		if k, ok := special[t.Kind()]; ok {
			l.parts = append(l.parts, part{k, offset, 0, t})
			return
		}
		l.addPlain(offset, t.Size())
	}
}

// addPlain adds numbers, to those before them if they follow one another.
func (l *layout) addPlain(offset, size uintptr) {
	if n := len(l.parts); n > 0 && l.parts[n-1].kind == plain && l.parts[n-1].offset+l.parts[n-1].size == offset {
		l.parts[n-1].size += size
		return
	}
	if size > 0 {
		l.parts = append(l.parts, part{plain, offset, size, nil})
	}
}

// digest is a sum over how a type's own variables lie in memory, the names of their fields included: two programs in which it
// is the same mean the same by the same bytes.
func (l *layout) digest(t reflect.Type) uint64 {
	h := fnv.New64a()
	var describe func(t reflect.Type, deep bool)
	describe = func(t reflect.Type, deep bool) {
		fmt.Fprintf(h, "%s/%s/%d;", t.String(), t.Kind(), t.Size())
		switch {
		case !deep:
		case t.Kind() == reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				fmt.Fprintf(h, "%s@%d:", f.Name, f.Offset)
				describe(f.Type, f.Type.Kind() == reflect.Struct || f.Type.Kind() == reflect.Array)
			}
		case t.Kind() == reflect.Array:
			fmt.Fprintf(h, "[%d]", t.Len())
			describe(t.Elem(), true)
		}
	}
	describe(t, true)
	return h.Sum64()
}

// number reads and writes lengths, offsets and the like.
func appendNumber(dst []byte, n uint64) []byte { return binary.AppendUvarint(dst, n) }
