package socket

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Poller watches many sockets on one goroutine: a connection at rest needs none of its own, nor its stack. It is edge-triggered: the
// system tells of a socket once when something has come, so that each is read from once, without asking whether there is more.
// Only if there may be, since all the room was taken or the connection is closing, is the socket to be armed again.
//
// Each socket has a value, by which it is known to whoever waits. Wait, Value, Closing and Remove are for that goroutine, the
// others for all.
type Poller[T any] struct {
	epoll *os.File // Go's own poller tells when it has news
	raw   syscall.RawConn
	call  func(fd uintptr) bool // the method poll, made into a function once

	events []syscall.EpollEvent
	count  int

	mu     sync.Mutex
	fd     int // of epoll; below zero once that is closed
	values []T // by their places, which are what the system knows sockets by
	free   []int32
}

// NewPoller returns a poller that tells of so many sockets at a time, or nil if the system has none to give.
func NewPoller[T any](atOnce int) *Poller[T] {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil
	}
	syscall.SetNonblock(fd, true) // for Go to watch it
	p := &Poller[T]{epoll: os.NewFile(uintptr(fd), "epoll"), fd: fd, events: make([]syscall.EpollEvent, atOnce)}
	p.raw, err = p.epoll.SyscallConn()
	if err != nil || p.epoll.SetReadDeadline(time.Time{}) != nil { // Go does not watch what it sets no deadlines for
		p.Close()
		return nil
	}
	p.call = p.poll
	return p
}

// Wait waits until sockets are readable, or writable where that was asked for, and returns how many: none once the poller is closed.
func (p *Poller[T]) Wait() int {
	for {
		runtime.Gosched() // there may be news all the time, and others have something to do too
		if p.raw.Read(p.call) != nil {
			return 0
		}
		if p.count > 0 {
			return p.count
		}
	}
}

// poll asks for news. It returns false if there is none, to be called again when there is.
func (p *Poller[T]) poll(fd uintptr) bool {
	var err error
	p.count, err = syscall.EpollWait(int(fd), p.events, 0)
	p.count = max(p.count, 0)
	return p.count > 0 || err != nil
}

// Value is that of the i-th of those sockets.
func (p *Poller[T]) Value(i int) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.values[p.events[i].Fd]
}

// Closing reports whether the connection of the i-th of those is: behind what can still be read, nothing more comes.
func (p *Poller[T]) Closing(i int) bool {
	return p.events[i].Events&(syscall.EPOLLRDHUP|syscall.EPOLLHUP|syscall.EPOLLERR) != 0
}

// readable is what is always watched for: that something has come, or that nothing more does, each time anew.
const readable = syscall.EPOLLIN | syscall.EPOLLRDHUP | 1<<31

// Add has a socket watched from now on, unless it returns an error.
func (p *Poller[T]) Add(s *Socket, value T) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == 0 {
		p.free = append(p.free, int32(len(p.values)))
		p.values = append(p.values, *new(T))
	}
	s.place = p.free[len(p.free)-1]
	if err := p.control(syscall.EPOLL_CTL_ADD, s, readable); err != nil {
		return err
	}
	p.free = p.free[:len(p.free)-1]
	p.values[s.place] = value
	return nil
}

// Rearm has the poller tell again of a socket that was not read to the end.
func (p *Poller[T]) Rearm(s *Socket) error { return p.Watch(s, false) }

// Watch has the poller tell, as well or no longer, when a socket is writable.
func (p *Poller[T]) Watch(s *Socket, writable bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	events := uint32(readable)
	if writable {
		events |= syscall.EPOLLOUT
	}
	return p.control(syscall.EPOLL_CTL_MOD, s, events)
}

// Remove ends what Add began.
func (p *Poller[T]) Remove(s *Socket) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.control(syscall.EPOLL_CTL_DEL, s, 0)
	p.values[s.place] = *new(T)
	p.free = append(p.free, s.place)
}

// control changes what the system tells of a socket. The caller holds the lock.
func (p *Poller[T]) control(op int, s *Socket, events uint32) error {
	if p.fd < 0 {
		return os.ErrClosed
	}
	event := syscall.EpollEvent{Events: events, Fd: s.place}
	return syscall.EpollCtl(p.fd, op, s.fd, &event)
}

// Len is how many sockets are watched.
func (p *Poller[T]) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.values) - len(p.free)
}

// Close ends the waiting.
func (p *Poller[T]) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fd = -1
	p.epoll.Close()
}
