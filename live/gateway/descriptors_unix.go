//go:build unix

package gateway

import "syscall"

// descriptors is how many the process may have.
func descriptors() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 1 << 30
	}
	return int(min(uint64(limit.Cur), 1<<30))
}
