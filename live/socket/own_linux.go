package socket

import (
	"net"
	"os"
	"sync"
	"syscall"
)

// Own is a socket that ears hear and nothing else does: Go's poller, which would be told of all that comes as well, does not know
// of it. Its owner closes it.
type Own struct {
	Socket
	mu     sync.Mutex
	closed bool
}

// Detach takes the socket from a connection, which is of no use any more, even if there is an error.
func Detach(conn *net.TCPConn) (*Own, error) {
	defer conn.Close()
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	o := &Own{}
	failed := raw.Control(func(fd uintptr) {
		syscall.ForkLock.RLock() // no child shall have it
		defer syscall.ForkLock.RUnlock()
		if o.fd, err = syscall.Dup(int(fd)); err == nil {
			syscall.CloseOnExec(o.fd)
		}
	})
	if failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, os.NewSyscallError("dup", err)
	}
	return o, nil
}

// Shut has the ears find that nothing more comes. Anybody may call it at any time.
func (o *Own) Shut() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.closed {
		syscall.Shutdown(o.fd, syscall.SHUT_RD)
	}
}

// Close closes the socket, of which ears have forgotten.
func (o *Own) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.closed {
		o.closed = true
		syscall.Close(o.fd)
	}
}
