//go:build unix

package gateway

import (
	"net"
	"syscall"
)

// socket is a TCP connection's. It is kept open for as long as anybody reads from it or writes to it (see pipe.end), so that the
// system can be asked without further ado.
type socket struct {
	fd  int
	raw syscall.RawConn // for whoever waits
}

// newSocket returns nil if the connection does not give its socket.
func newSocket(conn *net.TCPConn) *socket {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil
	}
	s := &socket{raw: raw}
	if raw.Control(func(fd uintptr) { s.fd = int(fd) }) != nil {
		return nil
	}
	return s
}

// write returns how much the socket took without waiting, which may be nothing.
func (s *socket) write(b []byte) (n int, err error) {
	for {
		switch n, err = syscall.Write(s.fd, b); err {
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

// read appends what has come by now. It reports whether anything has, and whether more can.
func (s *socket) read(into *arrivals) (some, more bool) {
	room := into.room()
	for {
		n, err := syscall.Read(s.fd, room)
		if err == syscall.EINTR {
			continue
		}
		into.came(max(n, 0))
		return n > 0, n > 0 || err == syscall.EAGAIN
	}
}

// wait waits for something to come and appends it. It reports false if nothing more can.
func (s *socket) wait(into *arrivals) (more bool) {
	err := s.raw.Read(func(uintptr) bool {
		var some bool
		some, more = s.read(into)
		return some || !more
	})
	return more && err == nil
}
