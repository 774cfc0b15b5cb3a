package socket

import (
	"net"
	"os"
	"sync"
	"syscall"
)

// Detached is a connection's socket that a [Poller] watches and nothing else does: Go's own poller, which would be told of all that
// comes and goes as well, does not know of it. Its owner closes it; before that anybody may close one half of the connection.
type Detached struct {
	Socket
	mu     sync.Mutex
	closed bool
}

// Detach takes the socket of a connection, which is closed: the two never hold a descriptor each for long.
func Detach(conn *net.TCPConn) (*Detached, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	d := &Detached{}
	if failed := raw.Control(func(fd uintptr) { d.fd, err = duplicate(int(fd)) }); failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, err
	}
	conn.Close()
	return d, nil
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

// CloseRead has those who read find that nothing more comes.
func (d *Detached) CloseRead() error { return d.shut(syscall.SHUT_RD) }

// CloseWrite has the other end find that nothing more comes.
func (d *Detached) CloseWrite() error { return d.shut(syscall.SHUT_WR) }

func (d *Detached) shut(how int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return net.ErrClosed
	}
	return os.NewSyscallError("shutdown", syscall.Shutdown(d.fd, how))
}

// Close closes the socket, which no poller watches any more.
func (d *Detached) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return net.ErrClosed
	}
	d.closed = true
	return os.NewSyscallError("close", syscall.Close(d.fd))
}
