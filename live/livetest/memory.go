package livetest

import (
	"context"
	"net"
)

// Memory is a network within the process, on which everything happens in a test's own time. It has one listener.
type Memory struct {
	conns  chan net.Conn
	closed chan struct{}
}

// NewMemory returns a network that listens.
func NewMemory() *Memory { return &Memory{make(chan net.Conn), make(chan struct{})} }

// Dial connects to the listener, whatever the address.
func (m *Memory) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case m.conns <- there:
		return here, nil
	case <-m.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (m *Memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (m *Memory) Close() error {
	close(m.closed)
	return nil
}

// Addr implements net.Listener.
func (m *Memory) Addr() net.Addr { return &net.TCPAddr{} }
