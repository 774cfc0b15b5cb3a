//go:build !linux

package socket

// Ears would hear many connections on one goroutine. Here each has one of its own.
type Ears[S any] struct{}

// NewEars returns nil.
func NewEars[S any](int) *Ears[S] { return nil }

const deaf = "socket: there are no ears on this system"

// Add cannot be called.
func (*Ears[S]) Add(*Socket, S) error { panic(deaf) }

// Wait cannot be called.
func (*Ears[S]) Wait() int { panic(deaf) }

// Speaker cannot be called.
func (*Ears[S]) Speaker(int) S { panic(deaf) }

// Forget cannot be called.
func (*Ears[S]) Forget(int, *Socket) { panic(deaf) }

// Len cannot be called.
func (*Ears[S]) Len() int { panic(deaf) }

// Close cannot be called.
func (*Ears[S]) Close() { panic(deaf) }
