//go:build unix

package fleet

import (
	"syscall"
	"time"
)

// CPU is the processor time that this process has used, in user and kernel mode.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
