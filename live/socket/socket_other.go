//go:build !unix

package socket

import "net"

// Socket would be a TCP connection's, to be used without waiting. Here connections are read from and written to by goroutines
// instead.
type Socket struct{}

// Of returns nil.
func Of(*net.TCPConn) *Socket { return nil }

const none = "socket: there are no sockets on this system"

// Write cannot be called.
func (*Socket) Write([]byte) (int, error) { panic(none) }

// Read cannot be called.
func (*Socket) Read([]byte) (int, error) { panic(none) }
