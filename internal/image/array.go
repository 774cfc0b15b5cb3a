package image

import (
	"reflect"
	"unsafe"
)

func (l *loader) slice(v reflect.Value) {
	if !l.flag() {
		v.SetZero()
		return
	}
	n, all := l.number(), l.number()
	elem := v.Type().Elem()
	if n == 0 || l.err != nil {
		v.Set(reflect.MakeSlice(v.Type(), 0, l.spared(all, uint64(elem.Size()))))
		return
	}
	h := (*sliceHeader)(v.Addr().UnsafePointer())
	at := l.array(h, v.Type())
	if l.err != nil || at == nil {
		l.fail(errShort)
		return
	}
	// The array may begin before the slice and go on after it; what is written over by growing is nobody else's.
	if !l.within(at, uintptr(n), elem.Size()) {
		l.fail(errShort)
		return
	}
	h.data, h.len, h.cap = at, int(n), int(min(max(n, all), uint64(n)+l.behind(at, uintptr(n), elem.Size())))
}

// behind is how many further elements a slice can grow into.
func (l *loader) behind(at unsafe.Pointer, n, size uintptr) uint64 {
	p := &l.pieces[l.last]
	if size == 0 || p.fresh && !p.copied {
		return 0
	}
	end := uintptr(p.base) + p.elem.Size()*uintptr(p.count+p.spare)
	return uint64((end-uintptr(at))/size - n)
}

// array reads where a slice begins. An array that has to be made begins as a copy of the fresh one, for what that refers to and for
// functions; it is not the fresh one itself, which others may have in common with it.
func (l *loader) array(now *sliceHeader, t reflect.Type) unsafe.Pointer {
	at := l.reference(nil, t.Elem())
	if p := &l.pieces[l.last]; l.err == nil && at == p.base && p.empty && p.elem == t.Elem() && !layoutOf(p.elem).plain(p.elem.Size()) {
		if n := min(p.count, now.len); n > 0 {
			array := func(at unsafe.Pointer) reflect.Value { return reflect.NewAt(reflect.ArrayOf(n, p.elem), at).Elem() }
			array(p.base).Set(array(now.data))
		}
		p.fresh, p.empty, p.copied = true, false, true
	}
	return at
}

// within reports whether so many elements from an address on lie in one piece.
func (l *loader) within(at unsafe.Pointer, n, size uintptr) bool {
	p := &l.pieces[l.last]
	end := uintptr(p.base) + p.elem.Size()*uintptr(p.count)
	return size == 0 || n <= (end-uintptr(at))/size
}
