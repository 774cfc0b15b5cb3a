//go:build unix && (!linux || 386)

package socket

import "syscall"

func send(fd int, b []byte) (int, error)    { return syscall.Write(fd, b) }
func receive(fd int, b []byte) (int, error) { return syscall.Read(fd, b) }
