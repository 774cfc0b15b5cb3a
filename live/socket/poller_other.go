//go:build !linux

package socket

import (
	"errors"
	"net"
)

// Poller would watch many sockets on one goroutine. Here each connection has one of its own.
type Poller[T any] struct{}

// NewPoller returns nil.
func NewPoller[T any](int) *Poller[T] { return nil }

const noPoller = "socket: there is no poller on this system"

// Add cannot be called.
func (*Poller[T]) Add(*Socket, T) error { panic(noPoller) }

// Wait cannot be called.
func (*Poller[T]) Wait() int { panic(noPoller) }

// Value cannot be called.
func (*Poller[T]) Value(int) T { panic(noPoller) }

// Closing cannot be called.
func (*Poller[T]) Closing(int) bool { panic(noPoller) }

// Rearm cannot be called.
func (*Poller[T]) Rearm(*Socket) error { panic(noPoller) }

// Remove cannot be called.
func (*Poller[T]) Remove(*Socket) { panic(noPoller) }

// Watch cannot be called.
func (*Poller[T]) Watch(*Socket, bool) error { panic(noPoller) }

// Len cannot be called.
func (*Poller[T]) Len() int { panic(noPoller) }

// Close cannot be called.
func (*Poller[T]) Close() { panic(noPoller) }

// Detached would be a socket that only a poller watches.
type Detached struct{ Socket }

// Detach returns an error.
func Detach(*net.TCPConn) (*Detached, error) { return nil, errors.New(noPoller) }

// CloseRead cannot be called.
func (*Detached) CloseRead() error { panic(noPoller) }

// CloseWrite cannot be called.
func (*Detached) CloseWrite() error { panic(noPoller) }

// Close cannot be called.
func (*Detached) Close() error { panic(noPoller) }
