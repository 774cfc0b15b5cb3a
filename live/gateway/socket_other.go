//go:build !unix

package gateway

import "net"

// socket would be a TCP connection's, to be used without waiting. Here clients are read from and written to by goroutines instead.
type socket struct{}

func newSocket(*net.TCPConn) *socket { return nil }

func (*socket) write([]byte) (int, error) { panic("gateway: there are no sockets on this system") }

func (*socket) wait(*arrivals) bool { panic("gateway: there are no sockets on this system") }
