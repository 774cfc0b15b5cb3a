//go:build unix

package gateway

import (
	"errors"
	"net"
	"syscall"
)

// attempt writes to a socket without ever waiting for it.
type attempt struct {
	raw  syscall.RawConn
	call func(fd uintptr) bool // the method do, made into a function once

	b   []byte
	n   int
	err error
}

// newAttempt returns nil if the connection does not let itself be written to in this way.
func newAttempt(conn *net.TCPConn) *attempt {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil
	}
	a := &attempt{raw: raw}
	a.call = a.do
	return a
}

// write returns how much the socket took, which may be nothing.
func (a *attempt) write(b []byte) (n int, err error) {
	a.b = b
	err = a.raw.Write(a.call)
	a.b = nil
	if err == nil {
		err = a.err
	}
	return a.n, err
}

// do is given the socket. It returns true even if the socket took nothing, lest the caller waits until it does.
func (a *attempt) do(fd uintptr) bool {
	for {
		a.n, a.err = syscall.Write(int(fd), a.b)
		switch {
		case a.err == nil:
			return true
		case errors.Is(a.err, syscall.EINTR):
			continue
		case errors.Is(a.err, syscall.EAGAIN):
			a.err = nil
		}
		a.n = 0
		return true
	}
}

// intake reads from a socket. It needs a buffer only when something has come.
type intake struct {
	raw  syscall.RawConn
	call func(fd uintptr) bool // the method do, made into a function once

	into *arrivals
	wait bool // until something has come
	n    int
	err  error
}

// newIntake returns nil if the connection does not let itself be read from in this way.
func newIntake(conn *net.TCPConn) *intake {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil
	}
	i := &intake{raw: raw}
	i.call = i.do
	return i
}

// read waits for bytes and appends them; none means that no more will come.
func (i *intake) read(into *arrivals) (n int, err error) { return i.take(into, true) }

// poll appends bytes that have come by now. It reports whether more may come.
func (i *intake) poll(into *arrivals) bool {
	n, err := i.take(into, false)
	return n > 0 && err == nil || errors.Is(err, syscall.EAGAIN)
}

func (i *intake) take(into *arrivals, wait bool) (n int, err error) {
	i.into, i.wait = into, wait
	if err = i.raw.Read(i.call); err == nil {
		err = i.err
	}
	return i.n, err
}

// do is given the socket. It returns false if nothing has come yet and that is to be waited for, to be called again when something
// has.
func (i *intake) do(fd uintptr) bool {
	room := i.into.room()
	for {
		i.n, i.err = syscall.Read(int(fd), room)
		switch {
		case i.err == nil:
			i.into.came(i.n)
			return true
		case errors.Is(i.err, syscall.EINTR):
			continue
		case errors.Is(i.err, syscall.EAGAIN):
			i.into.came(0)
			return !i.wait
		}
		i.into.came(0)
		return true
	}
}
