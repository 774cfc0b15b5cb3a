package gateway

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// ears hear many WebSockets on one goroutine: a connection at rest needs none of its own, nor its stack. The system tells which
// sockets have something for as long as they have, so that each is read from once, without asking whether there is more.
type ears struct {
	epoll *os.File // Go's own poller tells when it has news
	raw   syscall.RawConn
	call  func(fd uintptr) bool // the method do, made into a function once

	events [128]syscall.EpollEvent
	count  int

	mu      sync.Mutex
	fd      int             // of epoll; below zero once that is closed
	readers []*socketReader // by the numbers that the system knows them by
	free    []int32
}

// newEars returns nil if the system does not lend any.
func newEars() *ears {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil
	}
	syscall.SetNonblock(fd, true) // for Go to watch it
	e := &ears{epoll: os.NewFile(uintptr(fd), "epoll"), fd: fd}
	e.raw, err = e.epoll.SyscallConn()
	if err != nil || e.epoll.SetReadDeadline(time.Time{}) != nil { // Go does not watch what it sets no deadlines for
		e.close()
		return nil
	}
	e.call = e.do
	go e.run()
	return e
}

// run hears until the ears are closed.
func (e *ears) run() {
	for e.raw.Read(e.call) == nil {
		now := time.Now()
		for i := range e.events[:e.count] {
			n := e.events[i].Fd
			r := e.reader(n)
			if _, more := r.socket.read(&r.come); !more || !r.hear(now) {
				e.forget(n, r)
				r.client.ended(now)
			}
		}
		runtime.Gosched() // there may be news all the time, and others have something to do too
	}
}

// do asks for news. It returns false if there is none, to be called again when there is.
func (e *ears) do(fd uintptr) bool {
	var err error
	e.count, err = syscall.EpollWait(int(fd), e.events[:], 0)
	e.count = max(e.count, 0)
	return e.count > 0 || err != nil
}

func (e *ears) reader(n int32) *socketReader {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.readers[n]
}

// add has a reader heard from now on. It reports whether that is so.
func (e *ears) add(r *socketReader) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.free) == 0 {
		e.free = append(e.free, int32(len(e.readers)))
		e.readers = append(e.readers, nil)
	}
	n := e.free[len(e.free)-1]
	if e.control(syscall.EPOLL_CTL_ADD, n, r) != nil {
		return false
	}
	e.free = e.free[:len(e.free)-1]
	e.readers[n] = r
	return true
}

// forget ends what add began.
func (e *ears) forget(n int32, r *socketReader) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.control(syscall.EPOLL_CTL_DEL, n, r)
	e.readers[n] = nil
	e.free = append(e.free, n)
}

// control changes what the system tells of a reader's socket. The caller holds the lock.
func (e *ears) control(op int, n int32, r *socketReader) error {
	if e.fd < 0 {
		return os.ErrClosed
	}
	event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: n}
	return syscall.EpollCtl(e.fd, op, r.socket.fd, &event)
}

// close has nothing more heard.
func (e *ears) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fd = -1
	e.epoll.Close()
}
