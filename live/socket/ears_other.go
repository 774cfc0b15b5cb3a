//go:build !linux

package socket

import (
	"errors"
	"net"
)

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

// Ends cannot be called.
func (*Ears[S]) Ends(int) bool { panic(deaf) }

// Again cannot be called.
func (*Ears[S]) Again(*Socket) error { panic(deaf) }

// Forget cannot be called.
func (*Ears[S]) Forget(*Socket) { panic(deaf) }

// Watch cannot be called.
func (*Ears[S]) Watch(*Socket, bool) error { panic(deaf) }

// Len cannot be called.
func (*Ears[S]) Len() int { panic(deaf) }

// Close cannot be called.
func (*Ears[S]) Close() { panic(deaf) }

// Own would be a socket that only ears hear.
type Own struct{ Socket }

// OwnOf returns an error.
func OwnOf(*net.TCPConn) (*Own, error) { return nil, errors.New(deaf) }

// Conn cannot be called.
func (*Own) Conn() (net.Conn, error) { panic(deaf) }

// CloseRead cannot be called.
func (*Own) CloseRead() error { panic(deaf) }

// CloseWrite cannot be called.
func (*Own) CloseWrite() error { panic(deaf) }

// Close cannot be called.
func (*Own) Close() error { panic(deaf) }
