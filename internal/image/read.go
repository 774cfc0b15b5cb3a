package image

import (
	"encoding/binary"
	"reflect"
)

// What follows takes things off what is left of an image. After the first error everything is nothing.

func (l *loader) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

func (l *loader) typ(n uint64) reflect.Type {
	if n >= uint64(len(l.types)) {
		l.fail(errShort)
		return nil
	}
	return l.types[n]
}

func (l *loader) number() uint64 {
	n, size := binary.Uvarint(l.src)
	if size <= 0 {
		l.fail(errShort)
		l.src = nil
		return 0
	}
	l.src = l.src[size:]
	return n
}

func (l *loader) flag() bool {
	b := l.bytes(1)
	return len(b) == 1 && b[0] != 0
}

// bytes takes so many bytes, or nil where there are fewer.
func (l *loader) bytes(n uint64) []byte {
	if n > uint64(len(l.src)) {
		l.fail(errShort)
		l.src = nil
		return nil
	}
	b := l.src[:n:n]
	l.src = l.src[n:]
	return b
}

func (l *loader) text() string { return string(l.bytes(l.number())) }
