package socket

import (
	"net"
	"os"
	"sync"
	"syscall"
)

// Own is a connection's socket that ears hear and nothing else does: Go's poller, which would be told of all that comes and goes as
// well, does not know of it. Its owner closes it; before that anybody may close one half of the connection.
type Own struct {
	Socket
	mu     sync.Mutex
	closed bool
}

// OwnOf returns a socket that stays when the connection is closed.
func OwnOf(conn *net.TCPConn) (*Own, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	o := &Own{}
	if failed := raw.Control(func(fd uintptr) { o.fd, err = duplicate(int(fd)) }); failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

// duplicate makes a second socket of the same connection.
func duplicate(fd int) (int, error) {
	syscall.ForkLock.RLock() // no child shall have it
	defer syscall.ForkLock.RUnlock()
	second, err := syscall.Dup(fd)
	if err != nil {
		return 0, os.NewSyscallError("dup", err)
	}
	syscall.CloseOnExec(second)
	return second, nil
}

// Conn is the connection, for somebody who has to wait. Closing it does not close the socket.
func (o *Own) Conn() (net.Conn, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, net.ErrClosed
	}
	fd, err := duplicate(o.fd)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), "tcp")
	defer file.Close()
	return net.FileConn(file)
}

// CloseRead has those who read find that nothing more comes.
func (o *Own) CloseRead() error { return o.shut(syscall.SHUT_RD) }

// CloseWrite has the other end find that nothing more comes.
func (o *Own) CloseWrite() error { return o.shut(syscall.SHUT_WR) }

func (o *Own) shut(how int) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return net.ErrClosed
	}
	return os.NewSyscallError("shutdown", syscall.Shutdown(o.fd, how))
}

// Close closes the socket, of which ears have forgotten.
func (o *Own) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return net.ErrClosed
	}
	o.closed = true
	return os.NewSyscallError("close", syscall.Close(o.fd))
}
