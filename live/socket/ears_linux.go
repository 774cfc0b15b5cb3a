package socket

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Ears hear many sockets on one goroutine: a connection at rest needs none of its own, nor its stack. The system tells of a socket
// once when something has come, so that each is read from once, without asking whether there is more: only if there may be, since
// all the room was taken or the connection ends, are the ears to tell of it again.
// Whoever speaks through a socket is an S. Wait, Speaker, Ends and Forget are for that goroutine, the others for all.
type Ears[S any] struct {
	epoll *os.File // Go's own poller tells when it has news
	raw   syscall.RawConn
	call  func(fd uintptr) bool // the method do, made into a function once

	events []syscall.EpollEvent
	count  int

	mu       sync.Mutex
	fd       int // of epoll; below zero once that is closed
	speakers []S // by their places, which are what the system knows them by
	free     []int32
}

// NewEars returns ears that tell of so many sockets at a time, or nil if the system does not lend any.
func NewEars[S any](atOnce int) *Ears[S] {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil
	}
	syscall.SetNonblock(fd, true) // for Go to watch it
	e := &Ears[S]{epoll: os.NewFile(uintptr(fd), "epoll"), fd: fd, events: make([]syscall.EpollEvent, atOnce)}
	e.raw, err = e.epoll.SyscallConn()
	if err != nil || e.epoll.SetReadDeadline(time.Time{}) != nil { // Go does not watch what it sets no deadlines for
		e.Close()
		return nil
	}
	e.call = e.do
	return e
}

// Wait waits until sockets have something to be read, or take something where that was asked for, and returns how many: none once the ears are closed.
func (e *Ears[S]) Wait() int {
	for {
		runtime.Gosched() // there may be news all the time, and others have something to do too
		if e.raw.Read(e.call) != nil {
			return 0
		}
		if e.count > 0 {
			return e.count
		}
	}
}

// do asks for news. It returns false if there is none, to be called again when there is.
func (e *Ears[S]) do(fd uintptr) bool {
	var err error
	e.count, err = syscall.EpollWait(int(fd), e.events, 0)
	e.count = max(e.count, 0)
	return e.count > 0 || err != nil
}

// Speaker is the i-th of those.
func (e *Ears[S]) Speaker(i int) S {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.speakers[e.events[i].Fd]
}

// Ends reports whether the connection of the i-th of those ends: behind what can still be read, nothing more comes.
func (e *Ears[S]) Ends(i int) bool {
	return e.events[i].Events&(syscall.EPOLLRDHUP|syscall.EPOLLHUP|syscall.EPOLLERR) != 0
}

// hears is what ears are told of: that something has come, or that nothing more does, each time anew.
const hears = syscall.EPOLLIN | syscall.EPOLLRDHUP | 1<<31

// Add has a socket heard from now on, unless it returns an error.
func (e *Ears[S]) Add(s *Socket, speaker S) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.free) == 0 {
		e.free = append(e.free, int32(len(e.speakers)))
		e.speakers = append(e.speakers, *new(S))
	}
	s.place = e.free[len(e.free)-1]
	if err := e.control(syscall.EPOLL_CTL_ADD, s, hears); err != nil {
		return err
	}
	e.free = e.free[:len(e.free)-1]
	e.speakers[s.place] = speaker
	return nil
}

// Again has the ears tell of a socket again that was not read to the end.
func (e *Ears[S]) Again(s *Socket) error { return e.Watch(s, false) }

// Watch has the ears tell as well when a socket that they hear takes something, or no longer.
func (e *Ears[S]) Watch(s *Socket, takes bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	events := uint32(hears)
	if takes {
		events |= syscall.EPOLLOUT
	}
	return e.control(syscall.EPOLL_CTL_MOD, s, events)
}

// Forget ends what Add began.
func (e *Ears[S]) Forget(s *Socket) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.control(syscall.EPOLL_CTL_DEL, s, 0)
	e.speakers[s.place] = *new(S)
	e.free = append(e.free, s.place)
}

// control changes what the system tells of a socket. The caller holds the lock.
func (e *Ears[S]) control(op int, s *Socket, events uint32) error {
	if e.fd < 0 {
		return os.ErrClosed
	}
	event := syscall.EpollEvent{Events: events, Fd: s.place}
	return syscall.EpollCtl(e.fd, op, s.fd, &event)
}

// Len is how many sockets are heard.
func (e *Ears[S]) Len() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.speakers) - len(e.free)
}

// Close has nothing more heard.
func (e *Ears[S]) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fd = -1
	e.epoll.Close()
}
