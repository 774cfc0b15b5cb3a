//go:build linux && !386

package socket

import (
	"syscall"
	"unsafe"
)

// transfer moves bytes between memory and a socket that does not wait: to it or from it by the number of the system call. To send
// and receive is somewhat quicker than to write and read, which have to find out first that the file is a socket; and since
// nothing is waited for, Go's scheduler need not know.
func transfer(call uintptr, fd int, b []byte) (n int, err error) {
	const flags = syscall.MSG_DONTWAIT | syscall.MSG_NOSIGNAL
	done, _, errno := syscall.RawSyscall6(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), flags, 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(done), nil
}

func send(fd int, b []byte) (int, error)    { return transfer(syscall.SYS_SENDTO, fd, b) }
func receive(fd int, b []byte) (int, error) { return transfer(syscall.SYS_RECVFROM, fd, b) }
