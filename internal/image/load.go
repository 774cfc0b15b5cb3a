package image

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

// loader puts what an image holds into a fresh value.
type loader struct {
	src    []byte
	err    error
	roots  []unsafe.Pointer
	known  map[string]reflect.Type // types that the fresh value has, by name
	types  []reflect.Type
	pieces []loaded
	room   uint64 // bytes that may still be asked for
	last   uint64 // the piece that was last referred to
	maps   []reflect.Value

	claimed map[unsafe.Pointer]bool // variables of the fresh value that have become pieces, or that roots refer to
	missing []reflect.Value         // functions that have to be made anew
}

// loaded is a piece in the making.
type loaded struct {
	elem   reflect.Type
	count  int
	spare  int            // elements that there is room for behind these
	base   unsafe.Pointer // nil until something refers to it
	fresh  bool           // it was part of the fresh value
	empty  bool           // it was just made
	copied bool           // it is a copy of a part of the fresh value
}

var errShort = errors.New("image: it ends in the middle, or is damaged")

// Load makes what a pointer points to be as it was when the image was written. The value must be fresh: made as the saved one
// was when that was new, with roots that correspond. On error it is of no further use. Types are some whose values interfaces
// may hold without any fresh value having one.
func Load(src []byte, value any, types []reflect.Type, roots ...any) error {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return fmt.Errorf("image: %T is no pointer to a variable", value)
	}
	l := &loader{src: src, known: map[string]reflect.Type{}, claimed: map[unsafe.Pointer]bool{}}
	for _, r := range roots {
		var at unsafe.Pointer
		if p := reflect.ValueOf(r); p.Kind() == reflect.Pointer {
			at = p.UnsafePointer()
		}
		l.roots = append(l.roots, at)
	}
	l.survey(v, types, roots)
	l.head()
	l.pieceTable()
	if l.err != nil {
		return l.err
	}
	if root := &l.pieces[0]; root.elem != v.Type().Elem() || root.count != 1 {
		return fmt.Errorf("image: it is of a %v, not of a %v", root.elem, v.Type().Elem())
	}
	l.pieces[0].base, l.pieces[0].fresh = v.UnsafePointer(), true
	l.claimed[v.UnsafePointer()] = true
	l.fill()
	l.rebind()
	if l.err == nil && len(l.src) > 0 {
		l.err = errors.New("image: something follows it")
	}
	return l.err
}

// survey notes the types that may occur: those that the fresh value's own type leads to, those of what its interfaces hold,
// and those that are given.
func (l *loader) survey(v reflect.Value, types []reflect.Type, roots []any) {
	s := &saver{roots: map[uintptr]int{}, seen: map[visit]bool{}}
	for _, r := range l.roots {
		if r != nil {
			s.roots[uintptr(r)] = 1
		}
	}
	s.boxes = l.learn
	s.find(v.UnsafePointer(), v.Type().Elem(), 1)
	l.spare(roots)
	l.learn(v.Type())
	for _, t := range types {
		l.learn(t)
	}
}

// spare sees to it that nothing is written over that roots refer to, such as parts of a state that the fresh value has in common
// with the one that it was made from.
func (l *loader) spare(roots []any) {
	s := &saver{roots: map[uintptr]int{}, seen: map[visit]bool{}}
	for _, r := range roots {
		if p := reflect.ValueOf(r); p.Kind() == reflect.Pointer && !p.IsNil() {
			s.find(p.UnsafePointer(), p.Type().Elem(), 1)
		}
	}
	for i := range s.found {
		l.claimed[s.found[i].base] = true
	}
}

// learn notes a type and all that its variables may refer to.
func (l *loader) learn(t reflect.Type) {
	if name := nameOf(t); l.known[name] == nil {
		l.known[name] = t
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			l.learn(t.Elem())
		case reflect.Map:
			l.learn(t.Key())
			l.learn(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				l.learn(t.Field(i).Type)
			}
		}
	}
}

// head reads which types the image has in it.
func (l *loader) head() {
	if len(l.src) < len(magic) || string(l.src[:len(magic)]) != magic {
		l.fail(errors.New("image: not one, or of another version"))
		return
	}
	l.src = l.src[len(magic):]
	for range l.number() {
		name := l.text()
		sum := l.bytes(8)
		if l.err != nil {
			return
		}
		t := l.known[name]
		switch {
		case t == nil:
			l.fail(fmt.Errorf("image: there is no type %s in this program", name))
		case layoutOf(t).sum != binary.LittleEndian.Uint64(sum):
			l.fail(fmt.Errorf("image: it was written by a program in which %s is laid out differently", name))
		}
		l.types = append(l.types, t)
	}
}

// spread is how many times as large memory can be as what is written of it.
const spread = 64

// pieceTable reads what the pieces are.
func (l *loader) pieceTable() {
	l.room = uint64(len(l.src))*spread + 1<<16
	for range l.number() {
		t, count, spare := l.typ(l.number()), l.number(), l.number()
		if l.err != nil {
			return
		}
		size := uint64(t.Size())
		if size == 0 || count == 0 || count > l.room/size {
			l.fail(errShort)
			return
		}
		l.room -= count * size
		l.pieces = append(l.pieces, loaded{elem: t, count: int(count), spare: l.spared(spare, size)})
	}
	if len(l.pieces) == 0 {
		l.fail(errShort)
	}
}

// spared is how much room to grow into there is, of what the saved value had: a damaged image cannot ask for any amount of memory.
func (l *loader) spared(n, size uint64) int {
	if size == 0 || n > l.room/size {
		return 0
	}
	l.room -= n * size
	return int(n)
}

// fill reads the pieces. Each has been referred to by one before it, and so has memory.
func (l *loader) fill() {
	for i := 0; i < len(l.pieces) && l.err == nil; i++ {
		p := &l.pieces[i]
		if p.base == nil {
			l.fail(errShort)
			return
		}
		size := p.elem.Size()
		y := layoutOf(p.elem)
		if y.plain(size) {
			if from := l.bytes(uint64(size) * uint64(p.count)); from != nil {
				copy(unsafe.Slice((*byte)(p.base), len(from)), from)
			}
			continue
		}
		for n := range p.count {
			l.variable(unsafe.Add(p.base, uintptr(n)*size), y, p.fresh)
		}
	}
}

// variable reads a variable. A fresh one has been part of the value before, with functions to be kept.
func (l *loader) variable(at unsafe.Pointer, y *layout, fresh bool) {
	for i := range y.parts {
		if l.err != nil {
			return
		}
		p := &y.parts[i]
		field := unsafe.Add(at, p.offset)
		switch p.kind {
		case plain:
			if from := l.bytes(uint64(p.size)); from != nil {
				copy(unsafe.Slice((*byte)(field), len(from)), from)
			}
		case pointer:
			to := (*unsafe.Pointer)(field)
			*to = l.reference(*to, p.typ.Elem())
		case slice:
			l.slice(reflect.NewAt(p.typ, field).Elem())
		case text:
			*(*string)(field) = l.text()
		case table:
			l.table(reflect.NewAt(p.typ, field).Elem())
		case boxed:
			l.box(reflect.NewAt(p.typ, field).Elem(), fresh)
		case function:
			l.function((*unsafe.Pointer)(field), p.typ, fresh)
		}
	}
}

// function leaves a function as it is. One that was there and is not has to be made anew.
func (l *loader) function(at *unsafe.Pointer, t reflect.Type, fresh bool) {
	switch set := l.flag(); {
	case l.err != nil:
	case !set:
		*at = nil
	case *at == nil || !fresh:
		*at = nil
		l.missing = append(l.missing, reflect.NewAt(t, unsafe.Pointer(at)).Elem())
	}
}

// Rebinder is a variable that can make its functions anew.
type Rebinder interface {
	Rebind()
}

// rebind lets variables that were made anew make their functions.
func (l *loader) rebind() {
	if l.err != nil || len(l.missing) == 0 {
		return
	}
	for i := range l.pieces {
		p := &l.pieces[i]
		if p.fresh || !reflect.PointerTo(p.elem).Implements(rebinder) {
			continue
		}
		for n := range p.count {
			reflect.NewAt(p.elem, unsafe.Add(p.base, uintptr(n)*p.elem.Size())).Interface().(Rebinder).Rebind()
		}
	}
	for _, f := range l.missing {
		if f.IsNil() {
			l.fail(fmt.Errorf("image: a %v would have to be made anew; functions cannot be loaded", f.Type()))
			return
		}
	}
}

var rebinder = reflect.TypeFor[Rebinder]()

// reference reads where a pointer points to. What it points to in the fresh value becomes the piece that it is to point to,
// if both are variables of one type that belongs to the value alone.
func (l *loader) reference(now unsafe.Pointer, t reflect.Type) unsafe.Pointer {
	n := l.number()
	switch {
	case l.err != nil || n == toNothing:
		return nil
	case n == toEmpty:
		return reflect.New(t).UnsafePointer()
	case n < toRoot+uint64(len(l.roots)):
		return l.roots[n-toRoot]
	}
	n -= toRoot + uint64(len(l.roots))
	offset := l.number()
	if l.err != nil || n >= uint64(len(l.pieces)) {
		l.fail(errShort)
		return nil
	}
	l.last = n
	p := &l.pieces[n]
	if offset > uint64(p.elem.Size())*uint64(p.count)-uint64(t.Size()) || uint64(t.Size()) > uint64(p.elem.Size())*uint64(p.count) {
		l.fail(errShort)
		return nil
	}
	if p.base == nil && now != nil && offset == 0 && p.count == 1 && p.elem == t && l.claim(now, t) {
		p.base, p.fresh = now, true
	}
	if p.base == nil {
		p.base, p.empty = reflect.MakeSlice(reflect.SliceOf(p.elem), p.count, p.count+p.spare).UnsafePointer(), true
	} else {
		p.empty = false
	}
	return unsafe.Add(p.base, offset)
}

// claim reports whether a variable of the fresh value may be written over, which it may once.
func (l *loader) claim(at unsafe.Pointer, t reflect.Type) bool {
	if l.claimed[at] || !callable(t) {
		return false
	}
	l.claimed[at] = true
	return true
}

// callable reports whether variables of a type are such that functions work on: structs with a name. Arrays, such as the pages
// of a world's state, are made anew, since a fresh value may share them with others.
func callable(t reflect.Type) bool { return t.Kind() == reflect.Struct && t.Name() != "" }

func (l *loader) table(v reflect.Value) {
	n := l.number()
	switch {
	case l.err != nil || n == 0:
		v.SetZero()
		return
	case n <= uint64(len(l.maps)):
		if l.maps[n-1].Type() != v.Type() {
			l.fail(errShort)
			return
		}
		v.Set(l.maps[n-1])
		return
	case n > uint64(len(l.maps))+1:
		l.fail(errShort)
		return
	}
	m := reflect.MakeMap(v.Type())
	l.maps = append(l.maps, m)
	v.Set(m)
	for range l.number() {
		key, value := reflect.New(v.Type().Key()), reflect.New(v.Type().Elem())
		l.variable(key.UnsafePointer(), layoutOf(v.Type().Key()), false)
		l.variable(value.UnsafePointer(), layoutOf(v.Type().Elem()), false)
		if l.err != nil {
			return
		}
		m.SetMapIndex(key.Elem(), value.Elem())
	}
}

func (l *loader) box(v reflect.Value, fresh bool) {
	n := l.number()
	if l.err != nil || n == 0 {
		v.SetZero()
		return
	}
	t := l.typ(n - 1)
	if l.err != nil {
		return
	}
	if !t.AssignableTo(v.Type()) {
		l.fail(errShort)
		return
	}
	held := reflect.New(t)
	if !v.IsNil() && v.Elem().Type() == t {
		held.Elem().Set(v.Elem()) // for what it points to, and for functions
	}
	l.variable(held.UnsafePointer(), layoutOf(t), fresh)
	if l.err == nil {
		v.Set(held.Elem())
	}
}
