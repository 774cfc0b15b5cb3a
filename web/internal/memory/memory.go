//go:build js && wasm

package memory

import "unsafe"

var (
	in   []byte
	out  struct{ at, size uint32 } // where the last result lies
	text []byte
)

// roomMin is how much room there is at least, so that it need not be asked for again all the time.
const roomMin = 4096

// room returns where the page may write n bytes.
//
//go:wasmexport room
func room(n int32) unsafe.Pointer {
	if int(n) > len(in) {
		in = make([]byte, max(int(n), roomMin))
	}
	return unsafe.Pointer(unsafe.SliceData(in))
}

// result returns where address and size of results are written.
//
//go:wasmexport result
func result() unsafe.Pointer { return unsafe.Pointer(&out) }

// Given is the n bytes that the page wrote.
func Given(n int32) []byte { return in[:n:n] }

// Keep returns the n bytes that the page wrote, to be kept.
func Keep(n int32) []byte {
	kept := in[:n:n]
	in = nil
	return kept
}

// Give makes a list the result and returns its length.
func Give[T any](list []T) int32 {
	var t T
	out.at = uint32(uintptr(unsafe.Pointer(unsafe.SliceData(list))))
	out.size = uint32(len(list)) * uint32(unsafe.Sizeof(t))
	return int32(len(list))
}

// GiveText makes a text the result and returns its length.
func GiveText(s string) int32 {
	text = append(text[:0], s...)
	return Give(text)
}
