//go:build unix

package socket

import (
	"io"
	"net"
	"syscall"
)

// Socket is a TCP connection's. Whoever uses it sees to it that the connection is not closed meanwhile, so that the system can
// be asked without further ado.
type Socket struct {
	fd    int
	place int32 // among those that a poller watches
}

// Of returns nil if the connection does not give its socket.
func Of(conn *net.TCPConn) *Socket {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil
	}
	s := &Socket{}
	if raw.Control(func(fd uintptr) { s.fd = int(fd) }) != nil {
		return nil
	}
	return s
}

// Write returns how much the socket took without waiting, which may be nothing.
func (s *Socket) Write(b []byte) (n int, err error) {
	for {
		switch n, err = send(s.fd, b); err {
		case nil:
			return n, nil
		case syscall.EINTR:
		case syscall.EAGAIN:
			return 0, nil
		default:
			return 0, err
		}
	}
}

// Read returns how much has come by now, which may be nothing. There is an error if nothing more can.
func (s *Socket) Read(b []byte) (n int, err error) {
	for {
		switch n, err = receive(s.fd, b); {
		case n > 0:
			return n, nil
		case err == nil:
			return 0, io.EOF
		case err == syscall.EAGAIN:
			return 0, nil
		case err != syscall.EINTR:
			return 0, err
		}
	}
}
